import { home } from '@atrium/contract/shell/home'
import { live } from '@atrium/contract/work/live'
import { type MessageSummary, messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { commonHeaders } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { invalidate } from '#lib/queries.ts'
import { liveSession } from '#lib/renewal.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { getCurrentScreen } from '#shell/navigation/current-screen.ts'
import { startFlags } from '#shell/start/start-flags.ts'
import { notify } from '#ui/feedback/notify.tsx'
import { setCount } from './badge.ts'
import { clearNotifications } from './notifications.ts'

/** Pause before reconnecting, in ms: doubled on each failure, up to the second value. */
const [initialBackoff, maxBackoff] = [2000, 60_000]
/** A hidden page closes its stream after this many milliseconds. */
const hiddenTimeout = 60_000
/** The status with which the server says not to reconnect. */
const noContent = 204
/** Screens that show new messages themselves; no notice is needed on them. */
const messageScreens = ['/pages/msgCenterTab/newtask/newtask', '/pagesA/message/entry']

/**
 * Keeps this page's counts and lists current by server-sent events while it is open. Uses fetch, since EventSource
 * cannot send headers. Events missed during a disconnect arrive when the stream resumes. Without a stream the counts
 * are polled as usual.
 * @returns a function that stops it
 */
export function startLiveUpdates(): () => void {
  if (startFlags.noLogin || !('ReadableStream' in window)) return () => {}
  let ended = false
  let lastId = ''
  let abort: AbortController | undefined
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  let wake = () => {}
  const knownIds = new Set<string>()

  async function keepConnected() {
    let backoff = initialBackoff
    while (!ended) {
      if (document.hidden || !navigator.onLine || !getSession()) await sleep(maxBackoff)
      else {
        const hasEvents = await readStream().catch(() => false)
        if (hasEvents === 'stop') return
        backoff = hasEvents ? initialBackoff : Math.min(backoff * 2, maxBackoff)
        // Jitter, so that the devices of a campus do not reconnect all in the same second.
        if (!ended) await sleep(backoff * (0.5 + Math.random()))
      }
    }
  }

  /** @returns whether any event arrived before the stream ended */
  async function readStream(): Promise<boolean | 'stop'> {
    const session = await liveSession()
    if (!session) return false
    abort = new AbortController()
    const response = await fetch(live.stream.path, {
      headers: {
        ...commonHeaders(session, false),
        Accept: 'text/event-stream',
        ...(lastId && { 'Last-Event-ID': lastId }),
      },
      signal: abort.signal,
    })
    if (response.status === noContent) return 'stop'
    if (!response.ok || !response.body) return false
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    let hasEvents = false
    for (;;) {
      const { done, value } = await events.read()
      if (done || ended) return hasEvents
      // Changes between loading the lists and opening the first stream are in neither; a resumed stream replays them.
      if (!hasEvents && lastId === '') invalidate(messages.apps, messages.list)
      hasEvents = true
      if (value.id) lastId = value.id
      if (value.event === 'counts') applyCounts(JSON.parse(value.data))
      if (value.event === 'message') announceMessage(JSON.parse(value.data))
    }
  }

  function announceMessage(message: MessageSummary) {
    if (knownIds.has(message.id) || message.read) return
    knownIds.add(message.id)
    invalidate(messages.apps, messages.list, home.read)
    if (messageScreens.includes(getCurrentScreen()?.entry.path ?? '')) return
    notify(
      m.shell_new_message({
        app: inLanguage(message.appName, message.appNameEn),
        title: inLanguage(message.title, message.titleEn),
      }),
      message.urgent ? 'warning' : 'info',
    )
  }

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const onVisibilityChange = () => {
    clearTimeout(hideTimer)
    if (document.hidden) hideTimer = setTimeout(() => abort?.abort(), hiddenTimeout)
    else wake()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  addEventListener('online', wakeUp)
  function wakeUp() {
    wake()
  }
  void keepConnected()
  return () => {
    ended = true
    clearTimeout(hideTimer)
    document.removeEventListener('visibilitychange', onVisibilityChange)
    removeEventListener('online', wakeUp)
    abort?.abort()
    wake()
  }
}

let lastCounts: string | undefined
function applyCounts(now: { messages: number; tasks: number }) {
  setCount('unread', now.messages)
  setCount('todo', now.tasks)
  // The first counts match the lists just loaded; later changes make the lists stale.
  const text = JSON.stringify(now)
  if (lastCounts !== undefined && lastCounts !== text)
    invalidate(messages.apps, messages.list, tasks.counts, tasks.list)
  // Everything was read, possibly on another device: remove the notifications here.
  if (now.messages === 0) clearNotifications('all').catch(() => {})
  lastCounts = text
}
