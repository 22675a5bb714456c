import { isTimeZone } from '@atrium/contract/config-checks'
import type { Body } from '@atrium/contract/define'
import type { calendars, ScheduleSettings } from '@atrium/contract/work/calendars'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announcePerson } from '#platform/database/topics.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** The same as the defaults of the columns. */
const defaults = { reminders: [15], allDayReminders: [-540], showBusy: true }

/** Default reminders of new events, and whether others see the member's busy times. */
async function findSettings(db: Db, accountId: string) {
  const found = await db
    .selectFrom('schedule_setting')
    .select(['reminders', 'all_day_reminders as allDayReminders', 'show_busy as showBusy'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return found ?? defaults
}

export async function readSettings(
  { db, ...platform }: Platform,
  { accountId, timeZone }: Pick<Member, 'accountId' | 'timeZone'>,
): Promise<ScheduleSettings> {
  const institutionTimeZone = (await currentSettings({ db, ...platform })).timeZone
  return {
    ...(await findSettings(db, accountId)),
    timeZone: timeZone ?? institutionTimeZone,
    institutionTimeZone,
    outside: !canSend(platform, 'email')
      ? 'listed'
      : platform.env.ATRIUM_MAIL_REPLIES
        ? 'asked'
        : 'told',
  }
}

/** Fields that are left out are unchanged. @throws request.invalid */
export async function saveSettings(
  platform: Platform,
  { accountId, personId, timeZone: storedZone }: Member,
  { timeZone, reminders, allDayReminders, showBusy }: Body<typeof calendars.saveSettings>,
): Promise<ScheduleSettings> {
  if (timeZone && !isTimeZone(timeZone))
    fail('request.invalid', { fields: { timeZone: 'unknown' } })
  const chosen = timeZone === undefined ? storedZone : timeZone || null
  await platform.db.transaction().execute(async (db) => {
    await sql`
      insert into schedule_setting as setting (account_id, reminders, all_day_reminders, show_busy)
      values (${accountId}, ${reminders ?? defaults.reminders}::integer[],
        ${allDayReminders ?? defaults.allDayReminders}::integer[], ${showBusy ?? defaults.showBusy})
      on conflict (account_id) do update set
        reminders = coalesce(${reminders ?? null}::integer[], setting.reminders),
        all_day_reminders = coalesce(${allDayReminders ?? null}::integer[], setting.all_day_reminders),
        show_busy = coalesce(${showBusy ?? null}::boolean, setting.show_busy)`.execute(db)
    if (timeZone === undefined) return
    // Cached members must be reloaded for all accounts of the person.
    await db.updateTable('person').set({ time_zone: chosen }).where('id', '=', personId).execute()
    await announcePerson(db, personId)
  })
  await platform.topics.flushed()
  return readSettings(platform, { accountId, timeZone: chosen })
}
