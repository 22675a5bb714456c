import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings, type Settings } from '#platform/settings/settings.ts'

/** Whether this identity type requires a second factor. */
export function requiresFactor(settings: Settings, identityTypeCode: string): boolean {
  const codes: unknown = JSON.parse(settings.secondFactorFor)
  return Array.isArray(codes) && codes.includes(identityTypeCode)
}

/** Whether one of the person's active accounts requires a second factor. */
export async function personNeedsFactor(
  db: Db,
  platform: Platform,
  personId: string,
): Promise<boolean> {
  const settings = await currentSettings(platform)
  const accounts = await db
    .selectFrom('account')
    .select('identity_type_code as code')
    .where('person_id', '=', personId)
    .where('status', '=', 'active')
    .execute()
  return accounts.some(({ code }) => requiresFactor(settings, code))
}
