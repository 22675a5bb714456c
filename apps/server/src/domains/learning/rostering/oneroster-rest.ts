import { sql } from 'kysely'
import type { Database, Db } from '#platform/database/db.ts'
import type { OneRosterFile } from './oneroster-fields.ts'
import { oneRosterFiles } from './oneroster-fields.ts'
import type { Records } from './oneroster-folder.ts'
import { requestJson, SourceError } from './source-client.ts'
import type { Source } from './sources.ts'

/*
 * OneRoster 1.2, REST binding: https://www.imsglobal.org/sites/default/files/spec/oneroster/v1p2/rostering-restbinding/
 * Changes since the last read are fetched into a local copy, which is then imported as a whole.
 */

const pageSize = 500
const maxPages = 5000
/** Overlap with the last read: clocks may differ, and records written during a read have earlier times. */
const overlapMs = 10 * 60_000
/** Hours between full reads, which detect records deleted without notice. */
const fullReadHours = 24
const scopes = [
  'https://purl.imsglobal.org/spec/or/v1p2/scope/roster.readonly',
  'https://purl.imsglobal.org/spec/or/v1p2/scope/gradebook.readonly',
].join(' ')
const gradebook: readonly string[] = ['categories', 'lineItems', 'results']

type Entry = Record<string, unknown>
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const refOf = (value: unknown) => textOf((value as Entry | null | undefined)?.sourcedId)

/** Converts a record to our field names. */
const cellsOf: Record<OneRosterFile, (entry: Entry) => Record<string, string>> = {
  academicSessions: (one) => ({
    title: textOf(one.title),
    type: textOf(one.type),
    startDate: textOf(one.startDate),
    endDate: textOf(one.endDate),
  }),
  classes: (one) => ({
    title: textOf(one.title),
    classCode: textOf(one.classCode),
    course: refOf(one.course),
    school: refOf(one.school),
    terms: (Array.isArray(one.terms) ? one.terms : []).map(refOf).join(','),
  }),
  users: (one) => ({ username: textOf(one.username) }),
  enrollments: (one) => ({
    class: refOf(one.class),
    user: refOf(one.user),
    role: textOf(one.role),
  }),
  orgs: (one) => ({ name: textOf(one.name) }),
  courses: (one) => ({
    title: textOf(one.title),
    credits: textOf((one.metadata as Entry | undefined)?.credits),
  }),
  categories: (one) => ({ title: textOf(one.title) }),
  lineItems: (one) => ({
    title: textOf(one.title),
    description: textOf(one.description),
    due: textOf(one.dueDate),
    class: refOf(one.class),
    category: refOf(one.category),
    maxPoints: textOf(one.resultValueMax),
  }),
  results: (one) => ({
    lineItem: refOf(one.lineItem),
    student: refOf(one.student),
    state: textOf(one.scoreStatus),
    score: textOf(one.score),
    grade: textOf(one.textScore),
    date: textOf(one.scoreDate),
    comment: textOf(one.comment),
  }),
}

async function tokenOf(source: Source, secret: string, allow: string | undefined) {
  const credentials = `${encodeURIComponent(source.client_id)}:${encodeURIComponent(secret)}`
  const { body } = await requestJson(source.token_url, {
    allow,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes }).toString(),
  })
  const token = textOf((body as Entry).access_token)
  if (!token) throw new SourceError(`${new URL(source.token_url).host} did not issue a token.`)
  return token
}

/**
 * Updates the local copy of a source: changes since the last read, or everything once a day.
 * @returns the time of this read if it was a full one, else null
 * @throws SourceError, OutboundError
 */
export async function updateLocalCopy(
  db: Database,
  source: Source,
  secret: string,
  allow: string | undefined,
): Promise<string | null> {
  const startedAt = new Date()
  const isFull =
    !source.full_at || startedAt.getTime() - Date.parse(source.full_at) > fullReadHours * 3_600_000
  const since =
    isFull || !source.read_at
      ? undefined
      : new Date(Date.parse(source.read_at) - overlapMs).toISOString()
  const token = await tokenOf(source, secret, allow)
  for (const file of oneRosterFiles) {
    for await (const page of pages(source, file, token, since, allow))
      await storeRecords(db, source.id, file, page, startedAt)
  }
  if (!isFull) return null
  await sql`
    delete from study_source_record where source_id = ${source.id} and seen_at < ${startedAt.toISOString()}`.execute(
    db,
  )
  return startedAt.toISOString()
}

async function* pages(
  source: Source,
  file: OneRosterFile,
  token: string,
  since: string | undefined,
  allow: string | undefined,
) {
  const service = gradebook.includes(file) ? 'gradebook' : 'rostering'
  let read = 0
  for (let page = 0; page < maxPages; page++) {
    const address = new URL(`${source.address}/${service}/v1p2/${file}`)
    address.searchParams.set('limit', String(pageSize))
    // A server may answer with smaller pages than requested.
    address.searchParams.set('offset', String(read))
    address.searchParams.set('sort', 'sourcedId')
    if (since) address.searchParams.set('filter', `dateLastModified>'${since}'`)
    const { body, headers } = await requestJson(address.href, {
      allow,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    })
    const list = (body as Entry)[file]
    if (!Array.isArray(list)) throw new SourceError(`${address.pathname} has no list ${file}.`)
    yield list as Entry[]
    const total = Number(headers['x-total-count'])
    read += list.length
    if (list.length === 0 || (Number.isFinite(total) ? read >= total : list.length < pageSize))
      return
  }
  throw new SourceError(`${file} has more than ${maxPages * pageSize} records.`)
}

async function storeRecords(
  db: Db,
  sourceId: string,
  file: OneRosterFile,
  list: readonly Entry[],
  seenAt: Date,
) {
  const rows = new Map(
    list.flatMap((one) => {
      const id = textOf(one.sourcedId)
      return id ? [[id, { id, status: textOf(one.status), ...cellsOf[file](one) }] as const] : []
    }),
  )
  const records = [...rows.values()].map((cells) => ({ id: cells.id, cells }))
  await sql`
    insert into study_source_record as known (source_id, file, sourced_id, cells, seen_at)
    select ${sourceId}, ${file}, id, cells, ${seenAt.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as given(id text, cells jsonb) order by id
    on conflict (source_id, file, sourced_id) do update set cells = excluded.cells, seen_at = excluded.seen_at`.execute(
    db,
  )
}

/** The local copy of a source, in the form of an export. */
export async function readLocalCopy(db: Db, source: Source): Promise<Records> {
  const { rows } = await sql<{ file: string }>`
    select distinct file from study_source_record where source_id = ${source.id}`.execute(db)
  const files = new Set(rows.map(({ file }) => file))
  async function* read(file: OneRosterFile) {
    let after = ''
    for (let row = 1; ; ) {
      const { rows } = await sql<{ sourced_id: string; cells: Record<string, string> }>`
        select sourced_id, cells from study_source_record
        where source_id = ${source.id} and file = ${file} and sourced_id > ${after}
        order by sourced_id limit 2000`.execute(db)
      for (const { cells } of rows) yield { row: row++, cells }
      const last = rows.at(-1)
      if (!last || rows.length < 2000) return
      after = last.sourced_id
    }
  }
  return {
    name: source.name,
    of: (file) => (files.has(file) ? read(file) : undefined),
  }
}
