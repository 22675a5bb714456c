import { canSend } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** Whether a code by short message signs in: operators want it, and there is a provider that sends it. */
export const isSmsLoginOn = async (platform: Platform): Promise<boolean> =>
  (await currentSettings(platform)).smsLogin === '1' && canSend(platform, 'mobile')
