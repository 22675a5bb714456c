import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** @throws feedback.off if the institution has disabled feedback */
export async function requireFeedback(platform: Platform) {
  if ((await currentSettings(platform)).isShowFeedback !== '1') fail('feedback.off')
}
