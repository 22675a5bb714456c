import { isTimeZone } from '@atrium/contract/config-checks'
import type {
  departmentCalendars,
  departmentEvents,
} from '@atrium/contract/work/department-calendars.operator'
import { sql } from 'kysely'
import { changeEvent, removeEvent } from '#domains/work/appointments/change.ts'
import { createEvent } from '#domains/work/appointments/write.ts'
import { setShares } from '#domains/work/calendars/set-shares.ts'
import { daysBetween, midnight, zoneOf } from '#domains/work/schedule/day-bounds.ts'
import { operatesCalendar } from '#domains/work/schedule/queries.ts'
import { readEvent } from '#domains/work/schedule/read-event.ts'
import { audienceFor } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { inDepartment } from '#platform/operated-department.ts'
import { mayOperate } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import {
  countOfDepartment,
  departmentSource,
  findDepartmentOfCalendar,
  findDepartmentOfEvent,
  listDepartmentCalendars,
  listDepartmentOccurrences,
} from './queries.ts'

/** Maximum calendars per department; enough for one per room. */
const maxOfDepartment = 50
const maxDays = 62

async function getDepartmentCalendar(db: Db, viewer: Member, id: string) {
  const [calendar] = await listDepartmentCalendars(db, viewer, id)
  return calendar ?? fail('calendar.not_found')
}

/** Locks a calendar until the transaction ends. @throws calendar.not_found, calendar.changed_meanwhile */
async function lockCalendar(db: Db, viewer: Member, id: string, revision: number) {
  const locked = await db
    .selectFrom('calendar')
    .select('revision')
    .where('id', '=', id)
    .where(operatesCalendar(viewer))
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return fail('calendar.not_found')
  if (locked.revision !== revision) fail('calendar.changed_meanwhile')
}

type Fields = {
  name: string
  nameEn: string
  color: string
  audience: Parameters<typeof checkedAudience>[1]
  shownToAll: boolean
}
const valuesOf = async (db: Db, { name, nameEn, color, audience, shownToAll }: Fields) => ({
  name: name.trim(),
  name_en: nameEn.trim(),
  color,
  shown_to_all: shownToAll,
  audience_id: await audienceFor(db, await checkedAudience(db, audience)),
})

/** Sets the members who may write in a calendar in addition to its operators. @throws request.invalid */
async function setEditors(
  db: Db,
  viewer: Member,
  { id, name }: { id: string; name: string },
  editors: readonly string[] | undefined,
) {
  if (!editors) return
  const shares = editors.map((accountName) => ({ accountName, access: 'write' }))
  await setShares(db, viewer, name, id, shares, 'editors')
}

export const departmentCalendarHandlers: Handlers<typeof departmentCalendars> = {
  list: async ({ db, viewer, query }) =>
    listDepartmentCalendars(db, await inDepartment(db, viewer, query.department)),

  create: ({ platform, viewer, body: { key, organization, editors, ...fields } }) =>
    platform.db.transaction().execute(async (db) => {
      // Serialises concurrent calls for this department.
      const place = await db
        .selectFrom('organization')
        .select(['id', 'path'])
        .where('code', '=', organization)
        .forUpdate()
        .executeTakeFirst()
      if (!place || !mayOperate(viewer, 'content', place.path))
        return fail('request.invalid', { fields: { organization: 'unknown' } })
      const sourceKey = `${place.id} ${key}`
      const existing = await db
        .selectFrom('calendar')
        .select('id')
        .where('source', '=', departmentSource)
        .where('source_key', '=', sourceKey)
        .executeTakeFirst()
      if (existing) return getDepartmentCalendar(db, viewer, existing.id)
      if ((await countOfDepartment(db, place.id)) >= maxOfDepartment) fail('calendar.too_many')
      const { id } = await db
        .insertInto('calendar')
        .values({
          kind: 'public',
          source: departmentSource,
          source_key: sourceKey,
          organization_id: place.id,
          ...(await valuesOf(db, fields)),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await setEditors(db, viewer, { id, name: fields.name.trim() }, editors)
      return getDepartmentCalendar(db, viewer, id)
    }),

  update: ({ platform, viewer, params: { id }, body: { revision, editors, ...fields } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockCalendar(db, viewer, id, revision)
      await db
        .updateTable('calendar')
        .set({ ...(await valuesOf(db, fields)), revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute()
      await setEditors(db, viewer, { id, name: fields.name.trim() }, editors)
      return getDepartmentCalendar(db, viewer, id)
    }),

  remove: ({ platform, viewer, params: { id }, query }) =>
    platform.db.transaction().execute(async (db) => {
      await lockCalendar(db, viewer, id, query.revision)
      await db.deleteFrom('calendar').where('id', '=', id).execute()
      return null
    }),
}

async function readDepartmentEvent(
  platform: Platform,
  viewer: Member,
  id: string,
  startsAt?: string,
) {
  const place = (await findDepartmentOfEvent(platform.db, viewer, id)) ?? fail('event.not_found')
  const event = await readEvent({ db: platform.db, platform }, viewer, id, startsAt, 'department')
  return { ...event, writtenBy: place.writtenBy, organization: place.code }
}

export const departmentEventHandlers: Handlers<typeof departmentEvents> = {
  async list({ db, viewer, query: { department, calendarId, from, to, timeZone }, platform }) {
    const zone = timeZone ?? (await zoneOf(platform, viewer))
    if (!isTimeZone(zone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
    const days = daysBetween(from, to)
    if (days < 0) fail('request.invalid', { fields: { to: 'order' } })
    if (days >= maxDays) fail('event.range_too_long')
    const operator = await inDepartment(db, viewer, department)
    const span = { from: midnight(from, zone), to: midnight(from, zone, days + 1), calendarId }
    return { list: await listDepartmentOccurrences(platform, operator, span, zone), timeZone: zone }
  },

  read: ({ platform, viewer, params, query }) =>
    readDepartmentEvent(platform, viewer, params.id, query.startsAt),

  async create({ db, platform, viewer, body }) {
    const place =
      (await findDepartmentOfCalendar(db, viewer, body.calendarId)) ?? fail('calendar.not_found')
    // Invitations name the department, not the operator who entered the event.
    const actor = { ...viewer, name: place.name }
    return createEvent(platform, actor, { ...body, person: place.name }, 'department')
  },

  async update({ db, platform, viewer, params: { id }, body }) {
    const place = (await findDepartmentOfEvent(db, viewer, id)) ?? fail('event.not_found')
    const moved = body.calendarId
      ? ((await findDepartmentOfCalendar(db, viewer, body.calendarId)) ??
        fail('calendar.not_found'))
      : undefined
    const actor = { ...viewer, name: moved?.name ?? place.name }
    // An event moved to another department is attributed to that one.
    const person = moved && moved.code !== place.code ? { person: moved.name } : {}
    const changed = await changeEvent(platform, actor, id, { ...body, ...person }, 'department')
    return readDepartmentEvent(platform, viewer, changed.id, changed.startsAt)
  },

  async remove({ db, platform, viewer, params: { id }, query }) {
    const place = (await findDepartmentOfEvent(db, viewer, id)) ?? fail('event.not_found')
    await removeEvent(platform, { ...viewer, name: place.name }, id, query, 'department')
    return null
  },
}
