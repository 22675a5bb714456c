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
import { defineState } from '#platform/area-state.ts'
import { logRecoverable } from '#platform/database/outage.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

/** Maximum open streams per account and per node. */
const maxPerAccount = 10
const maxPerNode = 20_000
/** Changes within this interval are sent together. */
const tickMs = 100
/** Accounts per query. */
const accountsPerQuery = 500
/** Keeps proxies from closing an idle stream. */
const heartbeatMs = 25_000
/** Maximum age of a stream, so that devices are redistributed over the nodes; they resume immediately. */
const maxAgeMs = 30 * 60_000
/** Unread bytes after which a slow device's stream is closed; the device resumes. */
const maxBufferedBytes = 256_000
/**
 * A delivery may be committed this long after its timestamp. Resumed streams look back this far; devices deduplicate
 * messages by id.
 */
const lookBackMs = 120_000

type Stream = {
  accountId: string
  sessionId: string
  /** only the raw response, so that the rest of the request can be garbage-collected */
  response: ServerResponse
  openedAt: number
  /** for a resumed stream: the time, in ms, up to which the device has been notified */
  notifiedUntil: number | undefined
  /** ids of messages already sent to the device; undefined for most devices */
  sentIds: Set<string> | undefined
  /** the counts last sent; empty before the first query */
  counts: string
}

const since = ({ notifiedUntil, openedAt }: Stream) => (notifiedUntil ?? openedAt) - lookBackMs

const streamsOf = defineState(openStreams, (streams) => streams.close())

/**
 * Opens a stream of server-sent events: `counts` immediately and on every change, `message` for each new message. The
 * id of an event is the database time in ms; a device that reconnects with it gets every message delivered since,
 * possibly including some it already has.
 * @throws stream.too_many, server.unavailable
 */
export const openStream = (
  platform: Platform,
  viewer: Member,
  reply: FastifyReply,
  notifiedUntil: number | undefined,
) => streamsOf(platform).open(viewer, reply, notifiedUntil)

/** Ends every stream, so that a server shutting down does not wait for them. */
export const endStreams = (platform: Platform) => streamsOf(platform).close()

/** Messages not yet sent to this device. A device with a new stream reads earlier messages from its lists. */
function freshFor(stream: Stream, list: readonly Delivered[]): readonly Delivered[] {
  const isFirst = stream.counts === ''
  const fresh = list.filter(
    ({ deliveredAt, message }) => deliveredAt > since(stream) && !stream.sentIds?.has(message.id),
  )
  if (fresh.length > 0) {
    const sentIds = stream.sentIds ?? new Set()
    stream.sentIds = sentIds
    for (const { message } of fresh) sentIds.add(message.id)
    for (const id of sentIds) {
      if (sentIds.size <= newestPerAccount * 3) break
      sentIds.delete(id)
    }
  }
  if (!isFirst || stream.notifiedUntil !== undefined) return fresh
  // First query of a new stream: messages from before it was opened are in the lists the device reads.
  return fresh.filter(({ deliveredAt }) => deliveredAt > stream.openedAt)
}

const newStream = (
  viewer: Member,
  reply: FastifyReply,
  notifiedUntil: number | undefined,
): Stream => ({
  accountId: viewer.accountId,
  sessionId: viewer.sessionId,
  response: reply.raw,
  openedAt: Date.now(),
  notifiedUntil: notifiedUntil && Math.max(notifiedUntil, Date.now() - 86_400_000),
  sentIds: undefined,
  counts: '',
})

/** Writes the head of the response. */
function writeHead(reply: FastifyReply) {
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would buffer events
    'x-accel-buffering': 'no',
  })
  reply.raw.write('retry: 2000\n\n')
  // A stream stays open for half an hour: release the request headers, including the token.
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
    if (kind === 'inbox') for (const accountId of key.split(',')) markChanged(accountId)
    // After a change of the account or session, the device reconnects and its token is checked again.
    if (kind === 'account') for (const stream of byAccount.get(key) ?? []) end(stream)
    if (kind === 'session') endSession(key)
  })
  guard.onForget(endSession)

  function endSession(sessionId: string) {
    for (const streams of byAccount.values())
      for (const stream of streams) if (stream.sessionId === sessionId) end(stream)
  }

  function markChanged(accountId: string) {
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
        await notifyDevices(accounts)
      } catch (error) {
        // The devices resume and are notified then.
        logRecoverable(log, error, 'open devices could not be notified')
        for (const accountId of accounts)
          for (const stream of byAccount.get(accountId) ?? []) end(stream)
      }
    }
    ticking = false
  }

  async function notifyDevices(accounts: readonly string[]) {
    const streams = accounts.flatMap((accountId) => [...(byAccount.get(accountId) ?? [])])
    // The devices may have left meanwhile.
    if (streams.length === 0) return
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
    if (response.writableLength > maxBufferedBytes) return end(stream)
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
        if (now - stream.openedAt > maxAgeMs || stream.response.writableLength > maxBufferedBytes)
          end(stream)
        else stream.response.write(': \n\n')
      }
  }, heartbeatMs)
  heartbeat.unref()

  return {
    open(viewer: Member, reply: FastifyReply, notifiedUntil: number | undefined) {
      if (closed || count >= maxPerNode) fail('server.unavailable', { retryAfter: 30 })
      const streams = byAccount.get(viewer.accountId) ?? new Set()
      if (streams.size >= maxPerAccount) fail('stream.too_many', { retryAfter: 60 })
      const stream = newStream(viewer, reply, notifiedUntil)
      writeHead(reply)
      stream.response.on('close', () => remove(stream))
      stream.response.on('error', () => remove(stream))
      byAccount.set(viewer.accountId, streams.add(stream))
      count += 1
      markChanged(viewer.accountId)
    },
    close() {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(timer)
      for (const streams of byAccount.values()) for (const stream of streams) end(stream)
    },
  }
}
