import type { SearchKind } from '@atrium/contract/discovery/search'
import { dayIn } from '@atrium/rules/day-in'
import { sql } from 'kysely'
import { defineState } from '#platform/area-state.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { halfLifeDays, searcherClass } from './learned.ts'
import { normalizeQuery } from './parse-query.ts'

/**
 * Counts are kept in memory and written after this many milliseconds, so that requests do not wait; a crash loses at
 * most this period.
 */
const flushDelayMs = 2_000
/** Longer texts are sentences that may be about somebody, and are not stored. */
const maxQueryLength = 40
const maxPending = 5_000
/** People of a class that must search for a word within a day to make it hot. */
const minHotPeople = 10
const hotDays = 7
const maxHot = 10

type SearchCount = {
  day: string
  searcher: string
  words: string
  searches: number
  notFound: number
  opened: number
  badAnswers: number
  marks: Set<string>
}
type OpenedCount = { searcher: string; kind: SearchKind; target: string; times: number }
type PendingCounts = {
  counted: Map<string, SearchCount>
  opened: Map<string, OpenedCount>
  timer: NodeJS.Timeout | undefined
  writing: Promise<void>
}

const pendingOf = defineState<PendingCounts>(
  () => ({
    counted: new Map(),
    opened: new Map(),
    timer: undefined,
    writing: Promise.resolve(),
  }),
  (pending, platform) => writeStatistics(platform, pending),
)

/**
 * Counts a search or a question. The person is not stored, only whether they had already searched for it that day. An
 * immediate answer counts as opened, since nothing else can be opened.
 */
export async function countSearch(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  outcome: 'found' | 'answered' | 'notFound',
) {
  const counted = await findOrCreateCount(platform, viewer, typed)
  if (!counted) return
  counted.searches++
  if (outcome === 'notFound') counted.notFound++
  if (outcome === 'answered') counted.opened++
  if (viewer.signedIn)
    counted.marks.add(markOf(platform, counted.day, counted.words, viewer.accountId))
}

/** Counts an answer rated as unhelpful. */
export async function countBadAnswer(platform: Platform, viewer: Viewer, question: string) {
  const counted = await findOrCreateCount(platform, viewer, question)
  if (counted) counted.badAnswers++
}

/** Counts a result opened after a search. */
export async function countOpened(
  platform: Platform,
  viewer: Viewer,
  typed: string,
  { kind, id }: { kind: SearchKind; id: string },
) {
  const counted = await findOrCreateCount(platform, viewer, typed)
  if (!counted) return
  counted.opened++
  const searcher = searcherClass(viewer)
  const { opened } = pendingOf(platform)
  const key = `${searcher} ${kind} ${id}`
  const existing = opened.get(key)
  if (existing) existing.times++
  else opened.set(key, { searcher, kind, target: id, times: 1 })
}

async function findOrCreateCount(platform: Platform, viewer: Viewer, typed: string) {
  const words = normalizeQuery(typed)
  if (words.length > maxQueryLength || words.includes('@') || /\d{6}/.test(words)) return undefined
  const { timeZone } = await currentSettings(platform)
  const pending = pendingOf(platform)
  const day = dayIn(new Date(), timeZone)
  const searcher = searcherClass(viewer)
  const key = `${day} ${searcher} ${words}`
  const existing = pending.counted.get(key)
  if (existing) return existing
  if (pending.counted.size >= maxPending) return undefined
  const counted = {
    day,
    searcher,
    words,
    searches: 0,
    notFound: 0,
    opened: 0,
    badAnswers: 0,
    marks: new Set<string>(),
  }
  pending.counted.set(key, counted)
  pending.timer ??= setTimeout(() => {
    pending.timer = undefined
    pending.writing = writeStatistics(platform, pending)
  }, flushDelayMs).unref()
  return counted
}

const markOf = ({ secret }: Platform, day: string, words: string, accountId: string) =>
  secret.sign('search mark', `${day}\n${words}\n${accountId}`)

/** Writes the counts to the database. */
async function writeStatistics({ db, log }: Platform, pending: PendingCounts) {
  clearTimeout(pending.timer)
  pending.timer = undefined
  const counted = [...pending.counted.values()]
  const opened = [...pending.opened.values()]
  pending.counted.clear()
  pending.opened.clear()
  if (counted.length === 0) return
  const rows = counted.map(({ marks, ...row }) => ({ ...row, marks: [...marks] }))
  try {
    await db.transaction().execute(async (db) => {
      // Rows in a fixed order, so that nodes do not deadlock.
      await sql`
        with given as materialized (
          select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as given (day date, searcher text, words text, searches integer, "notFound" integer, opened integer, "badAnswers" integer, marks jsonb)
        ), marked as (
          insert into search_mark (day, mark)
          select given.day, mark from given, jsonb_array_elements_text(given.marks) as mark
          order by 1, 2 on conflict do nothing returning day, mark
        )
        insert into search_day (day, searcher_class, words, searches, not_found, opened, bad_answers, people)
        select given.day, given.searcher, given.words, given.searches, given."notFound", given.opened, given."badAnswers",
          (select count(*)::integer from marked
            where marked.mark in (select jsonb_array_elements_text(given.marks)))
        from given order by given.day, given.words, given.searcher
        on conflict (day, words, searcher_class) do update set
          searches = search_day.searches + excluded.searches, not_found = search_day.not_found + excluded.not_found,
          opened = search_day.opened + excluded.opened, bad_answers = search_day.bad_answers + excluded.bad_answers,
          people = search_day.people + excluded.people`.execute(db)
      await sql`
        insert into search_opened (searcher_class, kind, target, weight)
        select given.searcher, given.kind, given.target, given.times
        from jsonb_to_recordset(${JSON.stringify(opened)}::jsonb)
          as given (searcher text, kind text, target text, times double precision)
        order by given.searcher, given.kind, given.target
        on conflict (searcher_class, kind, target) do update set weighed_at = now(),
          weight = excluded.weight + search_opened.weight
            * power(0.5, extract(epoch from now() - search_opened.weighed_at) / 86400 / ${halfLifeDays})`.execute(
        db,
      )
    })
  } catch (error) {
    log.warn({ err: error }, 'search statistics were not written')
  }
}

/** Writes pending counts immediately, for tests and for reads right after counting. */
export async function flushStatistics(platform: Platform) {
  const pending = pendingOf(platform)
  await pending.writing
  await writeStatistics(platform, pending)
}

/** Recent searches with results by many people of the viewer's class, most frequent first. */
export async function listHot({ db }: Platform, viewer: Viewer): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`
    select words from search_day
    where day > current_date - ${hotDays}::integer and searcher_class = ${searcherClass(viewer)}
    group by words
    having max(people) >= ${minHotPeople} and sum(not_found) * 2 < sum(searches)
    order by sum(people) desc, words limit ${maxHot}`.execute(db)
  return rows.map(({ words }) => words)
}

/** Days for which statistics are kept; marks of people are needed only on their day. */
export const retentionDays = 90
export async function deleteOldSearches({ db }: Platform) {
  // A date has ended in all time zones once the day after the next begins in UTC.
  await sql`delete from search_mark where day < current_date - 1`.execute(db)
  await sql`delete from search_day where day < current_date - ${retentionDays}::integer`.execute(db)
  await sql`delete from search_opened
    where weight * power(0.5, extract(epoch from now() - weighed_at) / 86400 / ${halfLifeDays}) < 0.1`.execute(
    db,
  )
}
