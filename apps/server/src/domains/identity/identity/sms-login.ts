import { canSend } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** Whether sign-in by SMS code is enabled and a provider can send the codes. */
export const isSmsLoginOn = async (platform: Platform): Promise<boolean> =>
  (await currentSettings(platform)).smsLogin === '1' && canSend(platform, 'mobile')
