import { rm } from 'node:fs/promises'
import type { CalendarImport } from '@atrium/contract/work/calendar-exchange'
import { sql } from 'kysely'
import { boundaryOf } from '#domains/content/files/multipart.ts'
import { receiveFile } from '#domains/content/files/receive.ts'
import { countEvents, lockCalendar } from '#domains/work/calendars/queries.ts'
import { zoneOf } from '#domains/work/schedule/day-bounds.ts'
import { writeEvents } from '#domains/work/schedule/import-calendar.ts'
import type { Db } from '#platform/database/db.ts'
import { withOwnTransaction } from '#platform/database/own-transaction.ts'
import { announce } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { readTextFile } from '#platform/ingest/text-file.ts'
import type { Platform } from '#platform/platform.ts'
import {
  type MemberFile,
  maxBytes,
  maxEvents,
  oneAtATime,
  readMemberFile,
  UnreadableFile,
} from './read-file.ts'
import { reasonTexts } from './texts.ts'

/** Maximum entries in a report; a file may have thousands. */
const maxReported = 200
/** Series expanded before other requests get their turn. */
const seriesAtOnce = 10
const refusals = {
  notCalendar: 'import.unreadable',
  tooMany: 'import.too_many_events',
  tooComplex: 'import.too_complex',
} as const

/** Receives the text of the form's file. @throws file.empty, file.too_large, file.upload_broken, import.unreadable */
export async function receiveText(
  platform: Platform,
  source: AsyncIterable<Buffer>,
  contentType: string | undefined,
): Promise<string> {
  const boundary = boundaryOf(contentType) ?? fail('request.unsupported_media')
  const folder = platform.files.partsFolder
  const part = await receiveFile(source, boundary, { field: 'file', folder, maxBytes })
  try {
    if (part.byteSize === 0) fail('file.empty')
    return await readTextFile(part.path, maxBytes)
  } catch (error) {
    if (error instanceof StartError) fail('import.unreadable')
    throw error
  } finally {
    await rm(part.path, { force: true })
  }
}

/**
 * Imports a file's events into the member's own calendar, all or none. Importing the same file again changes nothing.
 */
export async function importFile(
  platform: Platform,
  viewer: Member,
  text: string,
  { dryRun, language }: { dryRun: boolean; language: 'zh' | 'en' },
): Promise<CalendarImport> {
  const timeZone = await zoneOf(platform, viewer)
  return oneAtATime(async () => {
    const file = await readMemberFile(text, timeZone).catch((error) => {
      if (error instanceof UnreadableFile) fail(refusals[error.because])
      throw error
    })
    return withOwnTransaction(platform.url, async ({ db, client, undo }) => {
      const calendarId = await lockCalendar(db, viewer.accountId)
      const existingCount = await countEvents(db, calendarId)
      const settings = { now: new Date(), batchSize: seriesAtOnce }
      const written = await writeEvents({ db, client }, calendarId, file.events, settings)
      if (existingCount + written.added.length > maxEvents) fail('event.too_many')
      const report = await buildReport(db, written, file, language)
      if (dryRun) return undo({ ...report, written: false })
      await announce(db, { kind: 'account', key: viewer.accountId })
      return { ...report, written: true }
    })
  })
}

async function buildReport(
  db: Db,
  written: { added: string[]; changed: string[]; unchanged: number },
  { remarks }: MemberFile,
  language: 'zh' | 'en',
) {
  const added = new Set(written.added)
  const ids = [...written.added, ...written.changed].slice(0, maxReported)
  const rows = await db
    .selectFrom('event')
    .select([
      'id',
      'title',
      'starts_local as startsLocal',
      'time_zone as timeZone',
      'all_day as allDay',
      'rrule',
    ])
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .orderBy('starts_local')
    .execute()
  return {
    added: written.added.length,
    changed: written.changed.length,
    unchanged: written.unchanged,
    leftOut: remarks.filter(({ leftOut }) => leftOut).length,
    events: rows.map(({ id, ...row }) => ({
      outcome: added.has(id) ? ('added' as const) : ('changed' as const),
      ...row,
    })),
    remarks: remarks
      .sort((a, b) => a.line - b.line)
      .slice(0, maxReported)
      .map(({ detail, ...remark }) => ({
        ...remark,
        message: reasonTexts[language][remark.reason](detail),
      })),
  }
}
