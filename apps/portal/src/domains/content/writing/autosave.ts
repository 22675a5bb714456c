import { type ArticleText, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { useCallback, useEffect, useRef, useState } from 'react'
import { changed, keepManaged, type Managed } from '#domains/content/editorial/workbench-queries.ts'
import { ApiError, call } from '#lib/api.ts'
import { refresh } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { readText, remove, writeText } from '#lib/storage.ts'

export type Text = Static<typeof ArticleText>
export type SaveState =
  | { kind: 'saved'; at: string }
  | { kind: 'untouched' | 'changed' | 'saving' | 'untitled' | 'offline' }
  | { kind: 'refused'; message: string; fields: Record<string, string> }
  /** somebody else saved meanwhile: nothing is sent before one of the two was chosen */
  | { kind: 'conflict'; theirs: Managed }

/** After the last key; while somebody writes on without a pause, at the latest after the longer one. */
const pause = 1200
const longest = 8000
const retryAfter = 8000

type Kept = { revision: number; text: Text; at: number }
const keyOf = (id: string) => `kept:writing:${getSession()?.accountId ?? ''}:${id || 'new'}`

/** What this device kept of a text that did not reach the server. */
export function keptText(id: string): Kept | undefined {
  try {
    const kept = JSON.parse(readText(keyOf(id)) ?? 'null')
    return typeof kept?.revision === 'number' && typeof kept.text?.title === 'string'
      ? kept
      : undefined
  } catch {
    return undefined
  }
}
const forgetKept = (id: string) => remove(keyOf(id))

export const sameText = (one: Text, other: Text) => JSON.stringify(one) === JSON.stringify(other)

type Options = {
  article: Managed | undefined
  /** the text as the editor begins with it */
  before: Text
  /** what this device kept of it, and the revision it was written upon */
  begun: { revision: number; text: Text } | undefined
  created: (made: Managed) => void
  /** somebody else saved, and nothing was changed here: begin again with theirs */
  newer: () => void
}

/** What is known of the text on this device, across renders; somebody else's takes its place where nothing was changed here. */
function useOwnText({ article, before, begun, created, newer }: Options) {
  const now = useRef({
    id: article?.id ?? '',
    // Written upon an older one: saving it tells whether somebody else was there meanwhile.
    revision: begun?.revision ?? article?.revision ?? 0,
    base: before,
    text: begun?.text ?? before,
    running: undefined as Promise<boolean> | undefined,
    since: 0,
    timer: 0,
    stopped: false,
    /** the text as the server last answered it */
    known: JSON.stringify(article?.text),
    made: created,
    newer,
    schedule: () => {},
  })
  now.current.made = created
  now.current.newer = newer
  useEffect(() => {
    const own = now.current
    if (!article || article.id !== own.id || own.running || article.revision <= own.revision) return
    // A step (submitted, published) raises the revision and leaves the text as it is.
    if (JSON.stringify(article.text) === own.known) own.revision = article.revision
    // Somebody else's text takes the place of one that nobody has changed here; else saving tells of it.
    else if (sameText(own.text, own.base)) own.newer()
  }, [article])
  return now.current
}
type OwnText = ReturnType<typeof useOwnText>

/**
 * Saves a text as it is written: on the device at once, on the server after a pause. One call at a time; what was typed
 * meanwhile goes with the next. Where somebody else was faster it stops and says so.
 */
export function useAutosave({ article, before, begun, created, newer }: Options) {
  const [state, setState] = useState(firstState(article, begun !== undefined))
  const [text, setText] = useState(begun?.text ?? before)
  const own = useOwnText({ article, before, begun, created, newer })

  /** @returns whether all that was written is on the server */
  const save = useCallback(
    async (asVersion = false): Promise<boolean> => {
      clearTimeout(own.timer)
      own.timer = 0
      if (own.running) await own.running
      if (own.stopped) return false
      if (!asVersion && sameText(own.text, own.base)) return own.id !== ''
      if (!own.text.title.trim()) {
        setState({ kind: 'untitled' })
        return false
      }
      const sent = own.text
      const run = async () => {
        setState({ kind: 'saving' })
        try {
          const saved = await sendText(own, asVersion)
          take(own, saved, sent)
          if (sameText(own.text, sent)) {
            forgetKept(own.id)
            setState({ kind: 'saved', at: saved.updatedAt })
          } else setState({ kind: 'changed' })
          refresh(...changed)
          return sameText(own.text, sent)
        } catch (error) {
          await failed(error)
          return false
        }
      }
      const failed = async (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        if (error.passing) {
          setState({ kind: 'offline' })
          own.timer = window.setTimeout(() => {
            own.timer = 0
            void save()
          }, retryAfter)
          return
        }
        if (error.code !== 'news.changed_meanwhile' || !own.id)
          return setState({ kind: 'refused', message: error.message, fields: error.fields })
        const theirs = await call(newsConsole.read, { params: { id: own.id } })
        own.stopped = true
        keepManaged(theirs)
        setState({ kind: 'conflict', theirs })
      }
      own.running = run()
      try {
        return await own.running
      } finally {
        own.running = undefined
        if (!own.stopped && !sameText(own.text, own.base) && own.timer === 0) own.schedule()
      }
    },
    [own],
  )

  const schedule = useCallback(() => {
    clearTimeout(own.timer)
    own.since ||= Date.now()
    const wait = Math.max(0, Math.min(pause, own.since + longest - Date.now()))
    own.timer = window.setTimeout(() => {
      own.timer = 0
      void save()
    }, wait)
  }, [own, save])

  own.schedule = schedule

  const set = useCallback(
    (part: Partial<Text>) => {
      own.text = { ...own.text, ...part }
      setText(own.text)
      if (sameText(own.text, own.base)) return
      const kept: Kept = { revision: own.revision, text: own.text, at: Date.now() }
      writeText(keyOf(own.id), JSON.stringify(kept))
      if (own.stopped) return
      setState((before) => (before.kind === 'offline' ? before : { kind: 'changed' }))
      schedule()
    },
    [own, schedule],
  )

  useSavingOnLeave(own, save, schedule)

  /** One of two was chosen; the other stays among the versions. @returns what the text is now */
  const choose = useCallback(
    async (mine: boolean, theirs: Managed) => {
      const chosen = await chooseText(own, mine, theirs)
      own.stopped = false
      own.revision = chosen.revision
      own.known = JSON.stringify(chosen.text)
      own.base = own.text
      forgetKept(own.id)
      keepManaged(chosen)
      refresh(...changed)
      setState({ kind: 'saved', at: chosen.updatedAt })
      return chosen
    },
    [own],
  )

  return { text, set, state, save, choose }
}

const sendText = ({ id, text, revision }: OwnText, asVersion: boolean) =>
  id
    ? call(newsConsole.save, {
        params: { id },
        body: { ...text, revision, autosave: !asVersion },
      })
    : call(newsConsole.create, { body: text })

/** Saves both as versions, the chosen one last. */
async function chooseText(own: OwnText, mine: boolean, theirs: Managed) {
  const saved = await call(newsConsole.save, {
    params: { id: own.id },
    body: { ...own.text, revision: theirs.revision, autosave: false },
  })
  return mine
    ? saved
    : await call(newsConsole.restore, {
        params: { id: own.id, number: theirs.version },
        body: { revision: saved.revision },
      })
}

function useSavingOnLeave(own: OwnText, save: () => Promise<boolean>, schedule: () => void) {
  useEffect(() => {
    if (!sameText(own.text, own.base)) schedule()
    const online = () => void save()
    // Whoever leaves does not wait for the pause; what does not go any more is on the device.
    const leave = () => {
      if (document.visibilityState === 'hidden') void save()
    }
    addEventListener('online', online)
    document.addEventListener('visibilitychange', leave)
    return () => {
      removeEventListener('online', online)
      document.removeEventListener('visibilitychange', leave)
      clearTimeout(own.timer)
      void save()
    }
  }, [own, save, schedule])
}

function firstState(article: Managed | undefined, isChanged: boolean): SaveState {
  if (isChanged) return { kind: 'changed' }
  return article ? { kind: 'saved', at: article.updatedAt } : { kind: 'untouched' }
}

/** The server has what was sent; what was typed meanwhile goes next. */
function take(own: OwnText, saved: Managed, sent: Text) {
  const isNew = own.id === ''
  if (isNew) forgetKept('')
  own.id = saved.id
  own.revision = saved.revision
  own.known = JSON.stringify(saved.text)
  keepManaged(saved)
  if (isNew) own.made(saved)
  own.base = sent
  own.since = 0
}
