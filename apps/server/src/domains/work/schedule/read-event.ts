import type { calendarColors, EventDetail, Participant } from '@atrium/contract/work/schedule'
import { roomInEnglish } from '@atrium/rules/places/room-in-english'
import { listAllPlaces } from '#domains/shell/map/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { type EditRole, findEvent, getOccurrence } from './queries.ts'

/** Dependencies for reading an event; `db` may be a transaction. */
type ReadContext = { db: Db; platform: Platform }
/** Maximum participants shown; all of them are stored. */
const maxShown = 500

/**
 * An event as the member sees it.
 * @param startsAt start of the requested occurrence; by default the next one
 * @throws event.not_found
 */
export async function readEvent(
  { db, platform }: ReadContext,
  viewer: Member,
  id: string,
  startsAt?: string,
  role: EditRole = 'member',
): Promise<EventDetail> {
  const event = (await findEvent(db, viewer, id, role)) ?? fail('event.not_found')
  const startInstant =
    startsAt && !Number.isNaN(Date.parse(startsAt)) ? new Date(startsAt).toISOString() : undefined
  const occurrence = (await getOccurrence(db, id, startInstant)) ?? fail('event.not_found')
  const location = occurrence.location ?? event.location
  const { accountId, mayWrite, latitude, longitude, ...facts } = event
  return {
    ...facts,
    kind: event.kind as EventDetail['kind'],
    color: event.color as (typeof calendarColors)[number],
    categoryColor: event.categoryColor as EventDetail['categoryColor'],
    files: await listFiles({ db, platform }, id),
    title: occurrence.title ?? event.title,
    // The title of a changed occurrence exists in one language only.
    titleEn: occurrence.title === null ? event.titleEn : '',
    location,
    locationEn: roomInEnglish(location, await listAllPlaces(platform)),
    point:
      occurrence.location === null
        ? pointOf(latitude, longitude)
        : pointOf(occurrence.latitude, occurrence.longitude),
    startsAt: occurrence.starts_at,
    endsAt: occurrence.ends_at,
    startsLocal: occurrence.starts_local,
    minutes: occurrence.minutes,
    originalLocal: occurrence.original_local,
    changed: occurrence.changed,
    editable: mayWrite && event.kind === 'event',
    own: accountId === viewer.accountId,
    participants: await listParticipants(db, id),
    answer: event.answer as EventDetail['answer'],
    reminders: await listReminders(db, viewer.accountId, id),
  }
}

async function listFiles({ db, platform: { files } }: ReadContext, eventId: string) {
  const rows = await db
    .selectFrom('event_file as one')
    .innerJoin('file', 'file.id', 'one.file_id')
    .select(['file.id', 'one.name', 'file.byte_size as size', 'file.media_type as mediaType'])
    .where('one.event_id', '=', eventId)
    .orderBy('one.position')
    .execute()
  // Everybody who may see the event may see its files.
  return rows.map((file) => ({
    ...file,
    url: files.address({ id: file.id, is_public: false }, file.name),
  }))
}

const pointOf = (latitude: number | null, longitude: number | null) =>
  latitude === null || longitude === null ? null : { latitude, longitude }

async function listParticipants(db: Db, eventId: string): Promise<Participant[]> {
  const rows = await db
    .selectFrom('event_participant as part')
    .leftJoin('account', 'account.id', 'part.account_id')
    .leftJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.username',
      'part.email',
      'part.name as givenName',
      'person.name',
      'person.name_en as nameEn',
      'part.answer',
      'part.comment',
    ])
    .where('part.event_id', '=', eventId)
    .orderBy('part.id')
    .limit(maxShown)
    .execute()
  return rows.map(({ username, email, givenName, name, nameEn, answer, comment }) => ({
    accountName: username ?? '',
    email,
    name: name ?? (givenName || email),
    nameEn: nameEn ?? '',
    answer: answer as Participant['answer'],
    comment,
  }))
}

async function listReminders(db: Db, accountId: string, eventId: string) {
  const rows = await db
    .selectFrom('event_reminder')
    .select('minutes')
    .where('event_id', '=', eventId)
    .where('account_id', '=', accountId)
    .orderBy('minutes')
    .execute()
  return rows.map(({ minutes }) => minutes)
}
