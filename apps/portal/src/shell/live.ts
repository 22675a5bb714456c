import { home } from '@atrium/contract/shell/home'
import { live } from '@atrium/contract/work/live'
import { type MessageSummary, messages } from '@atrium/contract/work/messages'
import { tasks } from '@atrium/contract/work/tasks'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { commonHeaders } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { refresh } from '#lib/queries.ts'
import { liveSession } from '#lib/renewal.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { getShowing } from '#shell/navigation/current-screen.ts'
import { startFlags } from '#shell/start/start-flags.ts'
import { notify } from '#ui/feedback/notify.tsx'
import { setCount } from './badge.ts'
import { clearNotifications } from './notifications.ts'

/** Before the next try, in ms: doubled each time, up to the second. */
const [firstPause, maxPause] = [2000, 60_000]
/** A page that nobody looks at gives its stream back after this long. */
const hiddenFor = 60_000
/** The server says when it is not to be asked again. */
const noStream = 204
/** Screens that show new messages by themselves. */
const messageScreens = ['/pages/msgCenterTab/newtask/newtask', '/pagesA/message/entry']

/**
 * Keeps the counts and lists of this page true while it is open, by server-sent events: read with fetch, since an
 * EventSource sends no headers. What a cut stream has missed comes when it is resumed. Without a stream the counts are
 * asked for now and then, as always.
 * @returns what ends it
 */
export function followMessages(): () => void {
  if (startFlags.noLogin || !('ReadableStream' in window)) return () => {}
  let ended = false
  let lastId = ''
  let abort: AbortController | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined
  let wake = () => {}
  const known = new Set<string>()

  async function follow() {
    let pause = firstPause
    while (!ended) {
      if (document.hidden || !navigator.onLine || !getSession()) await sleep(maxPause)
      else {
        const told = await listen().catch(() => false)
        if (told === 'stop') return
        pause = told ? firstPause : Math.min(pause * 2, maxPause)
        // Not all devices of a campus in the same second.
        if (!ended) await sleep(pause * (0.5 + Math.random()))
      }
    }
  }

  /** @returns whether anything was told before the stream ended */
  async function listen(): Promise<boolean | 'stop'> {
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
    if (response.status === noStream) return 'stop'
    if (!response.ok || !response.body) return false
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    let told = false
    for (;;) {
      const { done, value } = await events.read()
      if (done || ended) return told
      // What came between the lists and the first stream is in neither; a resumed stream tells it.
      if (!told && lastId === '') refresh(messages.apps, messages.list)
      told = true
      if (value.id) lastId = value.id
      if (value.event === 'counts') tellCounts(JSON.parse(value.data))
      if (value.event === 'message') tellMessage(JSON.parse(value.data))
    }
  }

  function tellMessage(message: MessageSummary) {
    if (known.has(message.id) || message.read) return
    known.add(message.id)
    refresh(messages.apps, messages.list, home.read)
    if (messageScreens.includes(getShowing()?.place.path ?? '')) return
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
  const watch = () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => abort?.abort(), hiddenFor)
    else wake()
  }
  document.addEventListener('visibilitychange', watch)
  addEventListener('online', wakeUp)
  function wakeUp() {
    wake()
  }
  void follow()
  return () => {
    ended = true
    clearTimeout(hiding)
    document.removeEventListener('visibilitychange', watch)
    removeEventListener('online', wakeUp)
    abort?.abort()
    wake()
  }
}

let counts: string | undefined
function tellCounts(now: { messages: number; tasks: number }) {
  setCount('unread', now.messages)
  setCount('todo', now.tasks)
  // The first ones come with the page's own lists; what changes later changes these.
  const text = JSON.stringify(now)
  if (counts !== undefined && counts !== text)
    refresh(messages.apps, messages.list, tasks.counts, tasks.list)
  // Read on another device: this one says nothing of them any more.
  if (now.messages === 0) clearNotifications('all').catch(() => {})
  counts = text
}
