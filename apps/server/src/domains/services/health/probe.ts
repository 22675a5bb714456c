import { sql } from 'kysely'
import { originOf } from '#domains/services/services/outage.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  afterProbe,
  type HostState,
  isGone,
  isServerError,
  minutesUntilNextProbe,
  type ProbeResult,
  readIssue,
  readStatus,
} from './rules.ts'

const timeoutSeconds = 10
/** Hosts probed concurrently; `batch` is the number claimed per round. */
const concurrency = 5
const batch = 50
/** Milliseconds; a run of the job ends before the next one starts. */
const maxRunMs = 45_000

/** Job: probes each host that is due once. Disabled while the setting is 0. */
export async function probeServices(platform: Platform): Promise<void> {
  const minutes = Number((await currentSettings(platform)).serviceProbeMinutes)
  if (!(minutes > 0)) return
  const { db } = platform
  await syncHosts(db, minutes)
  const until = Date.now() + maxRunMs
  for (let origins = await claimHosts(db, minutes); origins.length > 0; ) {
    await probeHosts(platform, origins, minutes)
    if (origins.length < batch || Date.now() > until) return
    origins = await claimHosts(db, minutes)
  }
}

/** No probe is in progress; one without a result for a minute is considered aborted. */
const isFree = sql<boolean>`(asking_since is null or asking_since < now() - interval '1 minute')`

/** Synchronises the hosts with the services' addresses. First probes of new hosts are spread over one interval. */
async function syncHosts(db: Db, minutes: number) {
  await sql`
    insert into service_host (origin, next_at)
    select origin, now() + random() * ${minutes} * interval '1 minute'
    from (select distinct ${originOf} as origin from service where online) named
    where origin is not null
    on conflict do nothing`.execute(db)
  await sql`
    delete from service_host host where not exists
      (select from service where online and ${originOf} = host.origin)`.execute(db)
}

/** Claims hosts that are due, so that no other node probes them. Hosts with only unwatched services are skipped. */
async function claimHosts(db: Db, minutes: number): Promise<string[]> {
  const { rows } = await sql<{ origin: string }>`
    update service_host set next_at = now() + ${minutes} * interval '1 minute', asking_since = now()
    where origin in (
      select origin from service_host host
      where next_at <= now() and ${isFree} and exists (
        select from service left join service_health known on known.service_id = service.id
        where online and ${originOf} = host.origin and coalesce(known.watched, true))
      order by next_at limit ${batch} for update skip locked)
    returning origin`.execute(db)
  return rows.map(({ origin }) => origin)
}

/**
 * Probes the host of a service now, unless it was probed a moment ago, no matter how often this is called.
 * @returns whether there is a host to probe
 */
export async function probeNow(platform: Platform, serviceId: string): Promise<boolean> {
  const { db } = platform
  const service = await db
    .selectFrom('service')
    .select(originOf.as('origin'))
    .where('id', '=', serviceId)
    .executeTakeFirst()
  if (!service?.origin) return false
  const { origin } = service
  await db
    .insertInto('service_host')
    .values({ origin })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const minutes = Number((await currentSettings(platform)).serviceProbeMinutes) || 5
  // The first caller probes; the others use its result.
  const claimed = await db
    .updateTable('service_host')
    .set({ asking_since: sql`now()` })
    .where('origin', '=', origin)
    .where(isFree)
    .where((where) =>
      where.or([
        where('checked_at', 'is', null),
        where(
          'checked_at',
          '<',
          sql<string>`now() - ${manualIntervalMs} * interval '1 millisecond'`,
        ),
      ]),
    )
    .returning('origin')
    .executeTakeFirst()
  if (claimed) await record(platform, origin, await probeHost(platform, origin, serviceId), minutes)
  return true
}
/** Minimum milliseconds between manual probes of a host. */
const manualIntervalMs = 1000

async function probeHosts(platform: Platform, origins: readonly string[], minutes: number) {
  const queue = [...origins]
  const probed: { origin: string; before: HostState; result: Result }[] = []
  const worker = async () => {
    for (let origin = queue.shift(); origin; origin = queue.shift()) {
      const { state } = await platform.db
        .selectFrom('service_host')
        .select(sql<HostState>`state`.as('state'))
        .where('origin', '=', origin)
        .executeTakeFirstOrThrow()
      probed.push({ origin, before: state, result: await probeHost(platform, origin) })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  if (isServerError(probed.map(({ before, result }) => ({ before, outcome: result.outcome })))) {
    platform.log.warn(
      'no host of any service can be reached: probably a problem of this server’s network',
    )
    await platform.db
      .updateTable('service_host')
      .set({ asking_since: null })
      .where('origin', '=', sql<string>`any(${[...origins]}::text[])`)
      .execute()
    return
  }
  for (const { origin, result } of probed) await record(platform, origin, result, minutes)
}

type Result = { serviceId: string | null; outcome: ProbeResult }

/** Requests the address of one service of a host: the given one, else the least recently probed one. */
async function probeHost(platform: Platform, origin: string, serviceId?: string): Promise<Result> {
  const service = await platform.db
    .selectFrom('service')
    .leftJoin('service_health as known', 'known.service_id', 'service.id')
    .select(['service.id', 'service.url'])
    .where('service.online', '=', true)
    .where(originOf, '=', origin)
    .$if(serviceId !== undefined, (query) => query.where('service.id', '=', serviceId ?? ''))
    .$if(serviceId === undefined, (query) =>
      query.where(sql<boolean>`coalesce(known.watched, true)`),
    )
    .orderBy('known.checked_at', (order) => order.asc().nullsFirst())
    .orderBy('service.id')
    .limit(1)
    .executeTakeFirst()
  // The service went offline concurrently.
  if (!service) return { serviceId: null, outcome: { kind: 'closed', issue: '' } }
  return { serviceId: service.id, outcome: await requestService(platform, service.url) }
}

async function requestService(platform: Platform, url: string): Promise<ProbeResult> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  // Without the query, which may contain personal data or trigger an action.
  const address = URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : url
  const request = (method: 'HEAD' | 'GET') =>
    fetchExternal(address, {
      allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
      method,
      headersOnly: true,
      seconds: Math.max(1, timeoutSeconds - elapsed() / 1000),
      // A redirect counts as an answer; its target is another host with its own probes.
      redirects: 'answer',
    })
  try {
    const head = await request('HEAD').catch((error) => {
      // Some servers close the connection on HEAD. Timeouts and unreachable hosts are not retried.
      if (error instanceof OutboundError && error.network === 'ECONNRESET') return undefined
      throw error
    })
    const answer = head && head.status < 400 ? head : await request('GET')
    return readStatus(answer.status, elapsed())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return readIssue(error, elapsed())
  }
}

/** Stores the result; notifies all nodes if members see a difference. */
async function record(
  platform: Platform,
  origin: string,
  { serviceId, outcome }: Result,
  minutes: number,
) {
  await platform.db.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('service_host')
      .select(['since', 'failures', 'slow_answers', 'trouble_at'])
      .select(sql<HostState>`state`.as('state'))
      .where('origin', '=', origin)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return
    const toDate = (text: string | null) => (text ? new Date(text) : null)
    const before = {
      state: row.state,
      since: toDate(row.since),
      failures: row.failures,
      slowAnswers: row.slow_answers,
      troubleAt: toDate(row.trouble_at),
    }
    const health = afterProbe(before, outcome, new Date())
    const interval = minutesUntilNextProbe(health, outcome, minutes, Math.random())
    await db
      .updateTable('service_host')
      .set({
        state: health.state,
        since: health.since?.toISOString() ?? null,
        failures: health.failures,
        slow_answers: health.slowAnswers,
        trouble_at: health.troubleAt?.toISOString() ?? null,
        checked_at: sql`now()`,
        asking_since: null,
        next_at: sql`now() + ${interval} * interval '1 minute'`,
        milliseconds: outcome.kind === 'answered' ? outcome.milliseconds : null,
        status: outcome.kind === 'closed' ? null : outcome.status,
        fault: outcome.kind === 'answered' ? '' : outcome.issue.slice(0, 500),
      })
      .where('origin', '=', origin)
      .execute()
    if (serviceId && outcome.kind !== 'closed') await recordAddress(db, serviceId, outcome.status)
    const isShown = (state: HostState) => state === 'slow' || state === 'down'
    if (health.state !== before.state && (isShown(health.state) || isShown(before.state)))
      await invalidate(db, 'services')
  })
  await platform.topics.flushed()
}

async function recordAddress(db: Db, serviceId: string, status: number | null) {
  const dead = status !== null && isGone(status)
  // An unreachable host says nothing about the individual link.
  const deadSince =
    status === null
      ? sql<string | null>`service_health.dead_since`
      : dead
        ? sql<string | null>`coalesce(service_health.dead_since, now())`
        : null
  await db
    .insertInto('service_health')
    .values({
      service_id: serviceId,
      status,
      checked_at: sql`now()`,
      dead_since: dead ? sql`now()` : null,
    })
    .onConflict((conflict) =>
      conflict
        .column('service_id')
        .doUpdateSet({ status, checked_at: sql`now()`, dead_since: deadSince }),
    )
    .execute()
}
