import { type ArticleText, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { useCallback, useEffect, useRef, useState } from 'react'
import { changed, keepManaged, type Managed } from '#domains/content/editorial/workbench-queries.ts'
import { ApiError, call } from '#lib/api.ts'
import { invalidate } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { readText, remove, writeText } from '#lib/storage.ts'

export type Text = Static<typeof ArticleText>
export type SaveState =
  | { kind: 'saved'; at: string }
  | { kind: 'untouched' | 'changed' | 'saving' | 'untitled' | 'offline' }
  | { kind: 'refused'; message: string; fields: Record<string, string> }
  /** saved by someone else concurrently; nothing is sent until one version is chosen */
  | { kind: 'conflict'; theirs: Managed }

/** Milliseconds after the last key; while typing continues, at most the longer one. */
const pause = 1200
const longest = 8000
const retryAfter = 8000

type Kept = { revision: number; text: Text; at: number }
const keyOf = (id: string) => `kept:writing:${getSession()?.accountId ?? ''}:${id || 'new'}`

/** The text stored on this device that did not reach the server. */
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
  /** the editor's initial text */
  before: Text
  /** the text stored on this device, and the revision it is based on */
  begun: { revision: number; text: Text } | undefined
  created: (made: Managed) => void
  /** someone else saved and nothing was changed here: restart with their text */
  newer: () => void
}

/** The local state of the text, kept across renders; replaced by someone else's version if nothing was changed here. */
function useOwnText({ article, before, begun, created, newer }: Options) {
  const now = useRef({
    id: article?.id ?? '',
    // An older base revision, so that saving detects a concurrent change.
    revision: begun?.revision ?? article?.revision ?? 0,
    base: before,
    text: begun?.text ?? before,
    running: undefined as Promise<boolean> | undefined,
    since: 0,
    timer: 0,
    stopped: false,
    /** the text as last received from the server */
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
    // A workflow step (submitted, published) raises the revision and leaves the text unchanged.
    if (JSON.stringify(article.text) === own.known) own.revision = article.revision
    // Take someone else's text if nothing was changed here; otherwise saving reports the conflict.
    else if (sameText(own.text, own.base)) own.newer()
  }, [article])
  return now.current
}
type OwnText = ReturnType<typeof useOwnText>

/**
 * Saves a text while it is written: on the device immediately, on the server after a pause. One call at a time; later
 * input goes with the next one. Stops with a conflict if someone else saved first.
 */
export function useAutosave({ article, before, begun, created, newer }: Options) {
  const [state, setState] = useState(firstState(article, begun !== undefined))
  const [text, setText] = useState(begun?.text ?? before)
  const own = useOwnText({ article, before, begun, created, newer })

  /** @returns whether the server has everything written */
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
          invalidate(...changed)
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

  /** Resolves a conflict; the other text remains as a version. @returns the article afterwards */
  const choose = useCallback(
    async (mine: boolean, theirs: Managed) => {
      const chosen = await chooseText(own, mine, theirs)
      own.stopped = false
      own.revision = chosen.revision
      own.known = JSON.stringify(chosen.text)
      own.base = own.text
      forgetKept(own.id)
      keepManaged(chosen)
      invalidate(...changed)
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

/** Saves both texts as versions, the chosen one last. */
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
    // Save immediately when the page is hidden; what cannot be sent is still on the device.
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

/** Stores the result of a save; text typed since then goes with the next one. */
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
