import { createHash } from 'node:crypto'
import type { calendarExchange, scheduleIntegration } from '@atrium/contract/work/calendar-exchange'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { zoneOf } from '#domains/work/schedule/day-bounds.ts'
import { defineState } from '#platform/area-state.ts'
import { fail } from '#platform/http/errors.ts'
import { matchesEtag } from '#platform/http/etag.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { isClosedAddress } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { deleteFeed, getFeedByToken, insertFeed, listFeeds, renewFeed } from './feeds.ts'
import { fetchSource } from './fetch-source.ts'
import { importFile, receiveText } from './import-file.ts'
import { canRead, listEventsToWrite, readStamp } from './queries.ts'
import {
  deleteSubscription,
  getSubscription,
  insertSubscription,
  listSubscriptions,
  renameSubscription,
} from './subscriptions.ts'
import { putSystemCalendar } from './system-calendars.ts'
import { writeCalendar } from './write-calendar.ts'

const languageFor = (request: FastifyRequest) => languageOf(request.headers['accept-language'])
/** Version of the output format; part of the ETag, so raise it when the same events are written differently. */
const writing = 4

export const calendarExchangeHandlers: Handlers<typeof calendarExchange> = {
  feeds: ({ db, viewer }) => listFeeds(db, viewer.accountId),

  async createFeed({ db, viewer, body, platform, request }) {
    const calendarId = body.calendarId ?? null
    if (calendarId && !(await canRead(db, viewer, calendarId))) fail('feed.calendar_not_found')
    const feed = { name: body.name.trim(), calendarId, language: languageFor(request) }
    const created = await platform.db
      .transaction()
      .execute((db) => insertFeed(db, viewer.accountId, feed))
    return addressOf(platform, created ?? fail('feed.too_many'))
  },

  async renewFeed({ db, viewer, params, platform }) {
    const renewed = await renewFeed(db, viewer.accountId, params.id)
    return addressOf(platform, renewed ?? fail('feed.not_found'))
  },

  async removeFeed({ db, viewer, params }) {
    if (!(await deleteFeed(db, viewer.accountId, params.id))) fail('feed.not_found')
    return null
  },

  async readFeed({ db, params, platform, request, reply }) {
    const { feed, reader } = await getFeedByToken(platform, params.token, request.ip)
    const { calendars, stamp } = await readStamp(db, reader, feed)
    // The member may no longer see the calendar of this feed.
    if (feed.calendarId && calendars === 0) fail('feed.not_found')
    const timeZone = feed.timeZone ?? (await currentSettings(platform)).timeZone
    const facts = [writing, feed.id, feed.name, reader.language, timeZone, stamp]
    const etag = `"${createHash('sha256').update(JSON.stringify(facts)).digest('base64url')}"`
    reply.header('etag', etag)
    reply.header('cache-control', 'private, no-cache')
    reply.header('x-robots-tag', 'noindex')
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const events = await listEventsToWrite(db, reader, feed, hostOf(platform))
    return writeCalendar(events, { name: feed.name, timeZone, now: Temporal.Now.instant() })
  },

  async readEvent({ db, viewer, params, platform, request, reply }) {
    const reader = { ...viewer, language: languageFor(request) }
    const events = await listEventsToWrite(db, reader, { eventId: params.id }, hostOf(platform))
    const [event] = events
    if (!event) return fail('event.not_found')
    attach(reply, `event-${params.id}.ics`)
    const timeZone = await zoneOf(platform, viewer)
    return writeCalendar(events, { name: event.title, timeZone, now: Temporal.Now.instant() })
  },

  async import({ viewer, query, platform, request }) {
    const text = await receiveText(platform, request.raw, request.headers['content-type'])
    const dryRun = query.dryRun === '1'
    return importFile(platform, viewer, text, { dryRun, language: languageFor(request) })
  },

  subscriptions: ({ viewer, platform, request }) =>
    listSubscriptions(platform, { ...viewer, language: languageFor(request) }),

  async subscribe({ viewer, body, platform, request }) {
    const { name, color } = body
    const url = urlOf(body.address)
    if (isClosedAddress(url, platform.env.ATRIUM_OUTBOUND_ALLOW))
      fail('request.invalid', { fields: { address: 'inside' } })
    countFetch(platform, viewer.accountId)
    const id = await insertSubscription(platform, viewer.accountId, { url, name, color })
    await fetchSource(platform, id)
    return getSubscription(platform, { ...viewer, language: languageFor(request) }, id)
  },

  async changeSubscription({ db, viewer, params, body, platform, request }) {
    await renameSubscription(db, viewer.accountId, params.id, body)
    return getSubscription(platform, { ...viewer, language: languageFor(request) }, params.id)
  },

  async refreshSubscription({ viewer, params, platform, request }) {
    const reading = { ...viewer, language: languageFor(request) }
    await getSubscription(platform, reading, params.id)
    countFetch(platform, viewer.accountId)
    if (!(await fetchSource(platform, params.id))) fail('request.too_many', { retryAfter: 30 })
    return getSubscription(platform, reading, params.id)
  },

  async unsubscribe({ viewer, params, platform }) {
    await platform.db
      .transaction()
      .execute((db) => deleteSubscription(db, viewer.accountId, params.id))
    return null
  },
}

const addressOf = ({ origin }: Platform, { id, token }: { id: string; token: string }) => ({
  id,
  url: `${origin()}/schedule/api/v1/feeds/${token}.ics`,
})

const hostOf = ({ origin }: Platform) => new URL(origin()).host

function attach(reply: FastifyReply, name: string) {
  reply.header('content-disposition', `attachment; filename="${name}"`)
  reply.header('cache-control', 'private, no-store')
}

/** Calendar programs use `webcal:` for https. */
function urlOf(address: string): URL {
  const text = address.replace(/^webcal:/, 'https:')
  return URL.canParse(text)
    ? new URL(text)
    : fail('request.invalid', { fields: { address: 'format' } })
}

/** Maximum reads a member may trigger per hour, to limit requests to outside servers. */
const maxFetches = 30
const fetchesOf = defineState(
  () => new LRUCache<string, number>({ max: 50_000, ttl: 3600_000, noUpdateTTL: true }),
)
function countFetch(platform: Platform, accountId: string) {
  const fetches = fetchesOf(platform)
  const count = (fetches.get(accountId) ?? 0) + 1
  if (count > maxFetches) fail('request.too_many', { retryAfter: 600 })
  fetches.set(accountId, count)
}

export const scheduleIntegrationHandlers: Handlers<typeof scheduleIntegration> = {
  async put({ platform, request, params, body }) {
    const system = request.integrator ?? fail('session.forbidden')
    const done = await platform.db
      .transaction()
      .execute((db) => putSystemCalendar(db, { system, ...params }, body))
    return done
  },
}
