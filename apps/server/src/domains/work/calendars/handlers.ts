import type { calendars } from '@atrium/contract/work/calendars'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { insertCalendar } from './insert-calendar.ts'
import {
  arrangeCalendars,
  firstSource,
  getCalendar,
  listCalendars,
  listWritable,
  memberSource,
  readCalendar,
} from './queries.ts'
import { setShares } from './set-shares.ts'
import { readSettings, saveSettings } from './settings.ts'

export const calendarHandlers: Handlers<typeof calendars> = {
  list: ({ db, viewer }) => listCalendars(db, viewer),
  own: ({ db, viewer }) => listWritable(db, viewer),
  read: ({ db, viewer, params }) => readCalendar(db, viewer, params.id),

  create: ({ platform, viewer, body: { key, name, color } }) =>
    platform.db.transaction().execute(async (db) => {
      const id = await insertCalendar(db, viewer.accountId, { key, name, color })
      return readCalendar(db, viewer, id ?? fail('calendar.too_many'))
    }),

  update: ({ platform, viewer, params: { id }, body: { shown, isDefault, ...owned } }) =>
    platform.db.transaction().execute(async (db) => {
      const calendar = await getCalendar(db, viewer, id)
      if (shown !== undefined) await setShown(db, viewer.accountId, id, shown)
      if (isDefault) await setDefault(db, viewer, id)
      const { name, color, shares } = owned
      if (name ?? color ?? shares) {
        if (!calendar.mine || !(await isFilledByMember(db, id))) fail('calendar.not_found')
        if (name !== undefined || color !== undefined)
          await db
            .updateTable('calendar')
            .set({
              // A name chosen by the member is used in both languages.
              ...(name !== undefined && { name: name.trim(), name_en: '' }),
              ...(color && { color }),
            })
            .where('id', '=', id)
            .execute()
        if (shares) await setShares(db, viewer, calendar.name, id, shares)
      }
      return readCalendar(db, viewer, id)
    }),

  arrange: ({ platform, viewer, body: { ids } }) =>
    platform.db.transaction().execute(async (db) => {
      await arrangeCalendars(db, viewer, ids)
      return null
    }),

  remove: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      const calendar = await getCalendar(db, viewer, id)
      if (!calendar.mine) {
        const { numDeletedRows } = await db
          .deleteFrom('calendar_share')
          .where('calendar_id', '=', id)
          .where('account_id', '=', viewer.accountId)
          .executeTakeFirst()
        return numDeletedRows > 0n ? null : fail('calendar.not_found')
      }
      if (!calendar.removable) fail('calendar.needed')
      await db.deleteFrom('calendar').where('id', '=', id).execute()
      return null
    }),

  async subscribe({ db, viewer, params: { id } }) {
    const { optional } = await getCalendar(db, viewer, id)
    if (!optional) fail('calendar.not_found')
    await db
      .insertInto('calendar_subscription')
      .values({ account_id: viewer.accountId, calendar_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return getCalendar(db, viewer, id)
  },

  async unsubscribe({ db, viewer, params: { id } }) {
    const { optional } = await getCalendar(db, viewer, id)
    if (!optional) fail('calendar.not_found')
    await db
      .deleteFrom('calendar_subscription')
      .where('account_id', '=', viewer.accountId)
      .where('calendar_id', '=', id)
      .execute()
    return getCalendar(db, viewer, id)
  },

  settings: ({ platform, viewer }) => readSettings(platform, viewer),
  saveSettings: ({ platform, viewer, body }) => saveSettings(platform, viewer, body),
}

const isFilledByMember = async (db: Db, id: string) =>
  (await db
    .selectFrom('calendar')
    .select('id')
    .where('id', '=', id)
    .where('source', 'in', [firstSource, memberSource])
    .executeTakeFirst()) !== undefined

async function setShown(db: Db, accountId: string, id: string, shown: boolean) {
  if (shown)
    await db
      .deleteFrom('calendar_hidden')
      .where('account_id', '=', accountId)
      .where('calendar_id', '=', id)
      .execute()
  else
    await db
      .insertInto('calendar_hidden')
      .values({ account_id: accountId, calendar_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** @throws request.invalid if the member cannot write to it */
async function setDefault(db: Db, viewer: Member, id: string) {
  const writable = await listWritable(db, viewer)
  if (!writable.some((calendar) => calendar.id === id))
    fail('request.invalid', { fields: { isDefault: 'choice' } })
  await db
    .insertInto('schedule_setting')
    .values({ account_id: viewer.accountId, default_calendar_id: id })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ default_calendar_id: id }),
    )
    .execute()
}
