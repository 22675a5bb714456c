import type { SearchFailure } from '@atrium/contract/discovery/search.operator'
import { sql } from 'kysely'
import { currentSynonyms } from '#domains/services/services/search.ts'
import { audienceFor } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { searchAll } from './find.ts'
import { parseQuery } from './parse-query.ts'
import { retentionDays } from './statistics.ts'

/**
 * Privacy: queries typed by fewer people could identify them. Persons are not stored, so the same one may have been
 * counted on several days and for several wordings: the most of one day and wording is a lower bound of how many differ.
 */
const minPeople = 3
/** Maximum number of groups listed; the rarest beyond it are dropped. */
const maxListed = 200
const maxWordings = 8

type Failed = {
  words: string
  searches: number
  people: number
  failed: number
  kind: string
  last: string
}

/** Groups recent failed searches by meaning. Operators' decisions are kept; later failures show in the figures. */
export async function gatherFailures(platform: Platform) {
  const { db } = platform
  const { rows } = await sql<Failed>`
    with daily as (
      select words, day, sum(searches) as searches, sum(people) as people, sum(not_found) as not_found, sum(opened) as opened,
        sum(bad_answers) as bad_answers
      from search_day where day > current_date - ${retentionDays}::integer group by words, day
    ), counted as (
      select words, sum(searches)::integer as searches, max(people)::integer as people, max(day)::text as last,
        sum(not_found)::integer as not_found, sum(opened)::integer as opened, sum(bad_answers)::integer as bad_answers
      from daily group by words
    )
    select words, searches, people, last, kind,
      case kind when 'notFound' then not_found when 'badAnswer' then bad_answers else searches - opened end as failed
    from counted, lateral (select case
      when bad_answers > 0 and bad_answers * 4 >= searches then 'badAnswer'
      when not_found * 2 >= searches then 'notFound'
      when searches >= 5 and opened * 10 < searches then 'notOpened' end as kind) judged
    where kind is not null
    order by searches desc limit 5000`.execute(db)
  const synonyms = await currentSynonyms(platform)
  const groups = new Map<string, Failed[]>()
  for (const row of rows) {
    const meaning = await meaningOf(row.words, synonyms)
    const known = groups.get(meaning)
    if (known) known.push(row)
    else groups.set(meaning, [row])
  }
  const found = [...groups].map(([meaning, list]) => ({
    meaning,
    kind: list[0]?.kind,
    wordings: list
      .filter(({ people }) => people >= minPeople)
      .slice(0, maxWordings)
      .map(({ words }) => words),
    searches: list.reduce((sum, { failed }) => sum + failed, 0),
    people: Math.max(...list.map(({ people }) => people)),
    last: list
      .map(({ last }) => last)
      .toSorted()
      .at(-1),
  }))
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as given (meaning text, kind text, wordings jsonb, searches integer, people integer, last date)
    ), gone as (
      delete from search_failure where decision is null and meaning not in (select meaning from given)
    )
    insert into search_failure (meaning, kind, wordings, searches, people, last_on)
    select meaning, kind, array(select jsonb_array_elements_text(wordings)), searches, people, last from given
    order by meaning
    on conflict (meaning) do update set kind = excluded.kind, wordings = excluded.wordings,
      searches = excluded.searches, people = excluded.people, last_on = excluded.last_on`.execute(
    db,
  )
}

/** The words in sorted order, each replaced by the first of its synonyms. */
async function meaningOf(text: string, synonyms: ReadonlyMap<string, readonly string[]>) {
  const { words } = await parseQuery(text, new Map())
  const first = (word: string) => [...(synonyms.get(word) ?? [word])].toSorted()[0] ?? word
  return words.map(first).toSorted().join(' ')
}

const columns = sql`id, wordings, kind, searches, last_on, decision, decided_at, found_before, found_now`
type Row = {
  id: string
  wordings: string[]
  kind: SearchFailure['kind']
  searches: number
  last_on: string
  decision: SearchFailure['decision']
  decided_at: string | null
  found_before: number | null
  found_now: number | null
}
const toFailure = (row: Row): SearchFailure => ({
  id: row.id,
  words: row.wordings[0] ?? '',
  wordings: row.wordings,
  kind: row.kind,
  searches: row.searches,
  lastAt: `${row.last_on}T00:00:00.000Z`,
  decision: row.decision,
  decidedAt: row.decided_at,
  foundBefore: row.found_before,
  foundNow: row.found_now,
})

/** Failed searches, most frequent first; those by fewer than three people are hidden. */
export async function listFailures(
  db: Db,
  { kind, decided }: { kind?: SearchFailure['kind'] | undefined; decided?: boolean | undefined },
): Promise<SearchFailure[]> {
  const { rows } = await sql<Row>`
    select ${columns} from search_failure
    where people >= ${minPeople} and (decision is not null) = ${decided ?? false}
      ${kind ? sql`and kind = ${kind}` : sql``}
    order by searches desc, id limit ${maxListed}`.execute(db)
  return rows.map(toFailure)
}

export async function findFailure(db: Db, id: string): Promise<SearchFailure | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from search_failure where id = ${id} and people >= ${minPeople}`.execute(db)
  return rows[0] && toFailure(rows[0])
}

/** Stores a decision, and the number of results before and after it. */
export async function decideFailure(
  db: Db,
  id: string,
  decision: NonNullable<SearchFailure['decision']>,
  found: { before: number; now: number },
) {
  await sql`update search_failure set decision = ${decision}, decided_at = now(), found_before = ${found.before}, found_now = ${found.now}
    where id = ${id}`.execute(db)
}

/** Number of results for content visible to every member; nothing restricted or personal is counted. */
export async function countResults(platform: Platform, words: string): Promise<number> {
  const everybody = await audienceFor(platform.db, [
    { effect: 'include', kind: 'everybody' },
    { effect: 'include', kind: 'guests' },
  ])
  const visitor: Viewer = {
    signedIn: false,
    accountId: null,
    identityLabel: null,
    timeZone: null,
    audiences: [everybody],
    audienceClass: null,
  }
  const { groups, answer } = await searchAll(platform, visitor, words, { exactly: true })
  return groups.reduce((sum, { list }) => sum + list.length, answer ? 1 : 0)
}
