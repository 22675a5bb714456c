import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import {
  countUnreadOf,
  type Delivered,
  listDeliveredTo,
  newestPerAccount,
} from '#domains/work/messages/queries.ts'
import { countTodoOf } from '#domains/work/tasks/queries.ts'
import { logSetback } from '#platform/database/outage.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { definePart } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'

/** A member's open devices at most; a node's at most. */
const maxPerAccount = 10
const maxPerNode = 20_000
/** Changes within this long are told together. */
const tickMs = 100
/** Accounts asked about in one query. */
const accountsPerQuery = 500
/** Keeps proxies from closing a stream that has nothing to say. */
const heartbeatMs = 25_000
/** A stream ends after this long, so that devices spread over the nodes again; it is resumed at once. */
const maxAgeMs = 30 * 60_000
/** Bytes that a slow device may leave unread before its stream is cut; it resumes. */
const maxUnread = 256_000
/** A delivery may commit this long after its time: a resumed stream looks back so far, and devices know each message by its key. */
const lookBackMs = 120_000

type Stream = {
  accountId: string
  sessionId: string
  /** the bare response: everything else of the request can be forgotten */
  response: ServerResponse
  openedAt: number
  /** a resumed stream: the time, in ms, up to which its device has been told */
  toldUntil: number | undefined
  /** keys of messages the device knows of; most devices have none to know */
  known: Set<string> | undefined
  /** the counts the device was told last; empty until the first look */
  counts: string
}

const since = ({ toldUntil, openedAt }: Stream) => (toldUntil ?? openedAt) - lookBackMs

const streamsOf = definePart(openStreams, (streams) => streams.close())

/**
 * Opens a stream of server-sent events: `counts` at once and whenever they change, `message` for each new one. The id of an
 * event is a time in ms by the database's clock; a device that comes back with it gets every message delivered since, and
 * perhaps some that it knows.
 * @throws stream.too_many, server.unavailable
 */
export const openStream = (
  platform: Platform,
  viewer: Member,
  reply: FastifyReply,
  toldUntil: number | undefined,
) => streamsOf(platform).open(viewer, reply, toldUntil)

/** Ends every stream: a server that stops would wait for them. */
export const endStreams = (platform: Platform) => streamsOf(platform).close()

/** What this device has not been told of. A device that opens anew reads in its lists what came before. */
function freshFor(stream: Stream, list: readonly Delivered[]): readonly Delivered[] {
  const first = stream.counts === ''
  const fresh = list.filter(
    ({ deliveredAt, message }) => deliveredAt > since(stream) && !stream.known?.has(message.id),
  )
  if (fresh.length > 0) {
    const known = stream.known ?? new Set()
    stream.known = known
    for (const { message } of fresh) known.add(message.id)
    for (const id of known) {
      if (known.size <= newestPerAccount * 3) break
      known.delete(id)
    }
  }
  if (!first || stream.toldUntil !== undefined) return fresh
  // It came before the first look: the lists may have been read before that.
  return fresh.filter(({ deliveredAt }) => deliveredAt > stream.openedAt)
}

const newStream = (viewer: Member, reply: FastifyReply, toldUntil: number | undefined): Stream => ({
  accountId: viewer.accountId,
  sessionId: viewer.sessionId,
  response: reply.raw,
  openedAt: Date.now(),
  toldUntil: toldUntil && Math.max(toldUntil, Date.now() - 86_400_000),
  known: undefined,
  counts: '',
})

/** The head of a stream; what follows is written as it happens. */
function begin(reply: FastifyReply) {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would hold events back until its buffer is full
    'x-accel-buffering': 'no',
  })
  reply.raw.write('retry: 2000\n\n')
  // A request lives as long as its answer, a stream for half an hour: what was asked with, its token too, can go.
  const { raw } = reply.request
  raw.headers = {}
  raw.rawHeaders = []
}

function openStreams({ db, topics, guard, log }: Platform) {
  const byAccount = new Map<string, Set<Stream>>()
  const changed = new Set<string>()
  let count = 0
  let ticking = false
  let timer: NodeJS.Timeout | undefined
  let closed = false

  topics.on(({ kind, key }) => {
    if (kind === 'inbox') for (const accountId of key.split(',')) look(accountId)
    // Whose account or session changed comes back with a token that is checked anew.
    if (kind === 'account') for (const stream of byAccount.get(key) ?? []) end(stream)
    if (kind === 'session') endSession(key)
  })
  guard.onForget(endSession)

  function endSession(sessionId: string) {
    for (const streams of byAccount.values())
      for (const stream of streams) if (stream.sessionId === sessionId) end(stream)
  }

  function look(accountId: string) {
    if (!byAccount.has(accountId)) return
    changed.add(accountId)
    timer ??= setTimeout(tick, tickMs)
  }

  async function tick() {
    timer = undefined
    if (ticking || closed) return
    ticking = true
    while (changed.size > 0) {
      const accounts = [...changed].slice(0, accountsPerQuery)
      for (const accountId of accounts) changed.delete(accountId)
      try {
        await tell(accounts)
      } catch (error) {
        // They resume, and are told then.
        logSetback(log, error, 'open devices could not be told')
        for (const accountId of accounts)
          for (const stream of byAccount.get(accountId) ?? []) end(stream)
      }
    }
    ticking = false
  }

  async function tell(accounts: readonly string[]) {
    const streams = accounts.flatMap((accountId) => [...(byAccount.get(accountId) ?? [])])
    const oldest = streams.reduce((time, stream) => Math.min(time, since(stream)), Infinity)
    const { rows } = await sql<{ now: number }>`
      select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    const now = rows[0]?.now ?? Date.now()
    const [unread, todo, fresh] = await Promise.all([
      countUnreadOf(db, accounts),
      countTodoOf(db, accounts),
      listDeliveredTo(db, accounts, new Date(oldest)),
    ])
    for (const stream of streams) {
      const messages = unread.get(stream.accountId) ?? 0
      const tasks = todo.get(stream.accountId) ?? 0
      const text = JSON.stringify({ messages, tasks, total: messages + tasks })
      const list = freshFor(stream, fresh.get(stream.accountId) ?? [])
      for (const { message } of list) write(stream, 'message', now, JSON.stringify(message))
      if (text !== stream.counts) write(stream, 'counts', now, text)
      stream.counts = text
    }
  }

  function write(stream: Stream, event: string, id: number, data: string) {
    const { response } = stream
    if (response.writableLength > maxUnread) return end(stream)
    response.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`)
  }

  function end(stream: Stream) {
    remove(stream)
    stream.response.end()
  }
  function remove(stream: Stream) {
    const streams = byAccount.get(stream.accountId)
    if (!streams?.delete(stream)) return
    count -= 1
    if (streams.size === 0) byAccount.delete(stream.accountId)
  }

  const heartbeat = setInterval(() => {
    const now = Date.now()
    for (const streams of byAccount.values())
      for (const stream of streams) {
        if (now - stream.openedAt > maxAgeMs || stream.response.writableLength > maxUnread)
          end(stream)
        else stream.response.write(': \n\n')
      }
  }, heartbeatMs)
  heartbeat.unref()

  return {
    open(viewer: Member, reply: FastifyReply, toldUntil: number | undefined) {
      if (closed || count >= maxPerNode) fail('server.unavailable', { retryAfter: 30 })
      const streams = byAccount.get(viewer.accountId) ?? new Set()
      if (streams.size >= maxPerAccount) fail('stream.too_many', { retryAfter: 60 })
      const stream = newStream(viewer, reply, toldUntil)
      begin(reply)
      stream.response.on('close', () => remove(stream))
      stream.response.on('error', () => remove(stream))
      byAccount.set(viewer.accountId, streams.add(stream))
      count += 1
      look(viewer.accountId)
    },
    close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(timer)
      for (const streams of byAccount.values()) for (const stream of streams) end(stream)
    },
  }
}
