import { type ArticleText, newsConsole } from '@atrium/contract/content/editorial.operator'
import type { Static } from '@atrium/contract/define'
import { useCallback, useEffect, useRef, useState } from 'react'
import {
  cacheManaged,
  changed,
  type Managed,
} from '#domains/content/editorial/workbench-queries.ts'
import { ApiError, call } from '#lib/api.ts'
import { invalidate } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { keysWith, readText, remove, writeText, writingPrefix } from '#lib/storage.ts'

export type Text = Static<typeof ArticleText>
export type SaveState =
  | { kind: 'saved'; at: string }
  | { kind: 'untouched' | 'changed' | 'saving' | 'untitled' | 'offline' }
  | { kind: 'refused'; message: string; fields: Record<string, string> }
  /** saved by someone else concurrently; nothing is sent until one version is chosen */
  | { kind: 'conflict'; theirs: Managed }

/** Milliseconds after the last key; while typing continues, at most the longer one. */
const saveDelay = 1200
const maxSaveDelay = 8000
const retryDelay = 8000

type StoredText = { revision: number; text: Text; at: number }
const keyOf = (id: string) => `${writingPrefix}${getSession()?.accountId ?? ''}:${id || 'new'}`

// Older versions stored the texts among the answers, which are deleted when a page crashes.
for (const oldKey of keysWith(`kept:${writingPrefix}`)) {
  const key = oldKey.slice('kept:'.length)
  if (readText(key) === null) writeText(key, readText(oldKey) ?? '')
  remove(oldKey)
}

/** The text stored on this device that did not reach the server. */
export function readStoredText(id: string): StoredText | undefined {
  try {
    const stored = JSON.parse(readText(keyOf(id)) ?? 'null')
    return typeof stored?.revision === 'number' && typeof stored.text?.title === 'string'
      ? stored
      : undefined
  } catch {
    return undefined
  }
}
function storeText({ id, revision, text }: LocalText) {
  const entry: StoredText = { revision, text, at: Date.now() }
  writeText(keyOf(id), JSON.stringify(entry))
}
export const deleteStoredText = (id: string) => remove(keyOf(id))

export const sameText = (one: Text, other: Text) => JSON.stringify(one) === JSON.stringify(other)

type Options = {
  article: Managed | undefined
  /** the editor's initial text */
  initial: Text
  /** the text stored on this device, and the revision it is based on */
  stored: { revision: number; text: Text } | undefined
  created: (made: Managed) => void
  /** someone else saved and nothing was changed here: restart with their text */
  newer: () => void
}

/** The local state of the text, kept across renders; replaced by someone else's version if nothing was changed here. */
function useLocalText({ article, initial, stored, created, newer }: Options) {
  const now = useRef({
    id: article?.id ?? '',
    // An older base revision, so that saving detects a concurrent change.
    revision: stored?.revision ?? article?.revision ?? 0,
    base: initial,
    text: stored?.text ?? initial,
    running: undefined as Promise<boolean> | undefined,
    since: 0,
    timer: 0,
    stopped: false,
    /** the text as last received from the server */
    serverText: JSON.stringify(article?.text),
    onCreated: created,
    newer,
    schedule: () => {},
  })
  now.current.onCreated = created
  now.current.newer = newer
  useEffect(() => {
    const local = now.current
    if (!article || article.id !== local.id || local.running || article.revision <= local.revision)
      return
    // A workflow step (submitted, published) raises the revision and leaves the text unchanged.
    if (JSON.stringify(article.text) === local.serverText) local.revision = article.revision
    // Take someone else's text if nothing was changed here; otherwise saving reports the conflict.
    else if (sameText(local.text, local.base)) local.newer()
  }, [article])
  return now.current
}
type LocalText = ReturnType<typeof useLocalText>

/**
 * Saves a text while it is written: on the device immediately, on the server after a pause. One call at a time; later
 * input goes with the next one. Stops with a conflict if someone else saved first.
 */
export function useAutosave({ article, initial, stored, created, newer }: Options) {
  const [state, setState] = useState(firstState(article, stored !== undefined))
  const [text, setText] = useState(stored?.text ?? initial)
  const local = useLocalText({ article, initial, stored, created, newer })

  /** @returns whether the server has everything written */
  const save = useCallback(
    async (asVersion = false): Promise<boolean> => {
      clearTimeout(local.timer)
      local.timer = 0
      // Another save may have started while this one waited: two would create the article twice.
      while (local.running) await local.running
      if (local.stopped) return false
      if (!asVersion && sameText(local.text, local.base)) return local.id !== ''
      if (!local.text.title.trim()) {
        setState({ kind: 'untitled' })
        return false
      }
      const sent = local.text
      const run = async () => {
        setState({ kind: 'saving' })
        try {
          const saved = await sendText(local, asVersion)
          applySaved(local, saved, sent)
          if (sameText(local.text, sent)) {
            deleteStoredText(local.id)
            setState({ kind: 'saved', at: saved.updatedAt })
          } else setState({ kind: 'changed' })
          invalidate(...changed)
          return sameText(local.text, sent)
        } catch (error) {
          await failed(error)
          return false
        }
      }
      const failed = async (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        const isConflict = error.code === 'news.changed_meanwhile' && local.id !== ''
        if (!error.isTransient && !isConflict)
          return setState({ kind: 'refused', message: error.message, fields: error.fields })
        const theirs = isConflict ? await findTheirs(local.id) : undefined
        if (theirs) {
          local.stopped = true
          return setState({ kind: 'conflict', theirs })
        }
        setState({ kind: 'offline' })
        local.timer = window.setTimeout(() => {
          local.timer = 0
          void save()
        }, retryDelay)
      }
      local.running = run()
      try {
        return await local.running
      } finally {
        local.running = undefined
        local.since = 0
        // Only what was typed since: a refused text would be refused again.
        if (!local.stopped && !sameText(local.text, sent) && local.timer === 0) local.schedule()
      }
    },
    [local],
  )

  const schedule = useCallback(() => {
    clearTimeout(local.timer)
    local.since ||= Date.now()
    const wait = Math.max(0, Math.min(saveDelay, local.since + maxSaveDelay - Date.now()))
    local.timer = window.setTimeout(() => {
      local.timer = 0
      // A running save schedules the next one when it ends.
      if (!local.running) void save()
    }, wait)
  }, [local, save])

  local.schedule = schedule

  const set = useCallback(
    (part: Partial<Text>) => {
      local.text = { ...local.text, ...part }
      setText(local.text)
      if (sameText(local.text, local.base)) return
      storeText(local)
      if (local.stopped) return
      setState((current) => (current.kind === 'offline' ? current : { kind: 'changed' }))
      schedule()
    },
    [local, schedule],
  )

  useSavingOnLeave(local, save, schedule)

  /** Resolves a conflict; the other text remains as a version. @returns the article afterwards */
  const choose = useCallback(
    async (mine: boolean, theirs: Managed) => {
      const chosen = await chooseText(local, mine, theirs)
      applyChosen(local, chosen)
      invalidate(...changed)
      setState({ kind: 'saved', at: chosen.updatedAt })
      return chosen
    },
    [local],
  )

  return { text, set, state, save, choose }
}

const sendText = ({ id, text, revision }: LocalText, asVersion: boolean) =>
  id
    ? call(newsConsole.save, {
        params: { id },
        body: { ...text, revision, autosave: !asVersion },
      })
    : call(newsConsole.create, { body: text })

/** Someone else's version of the text; undefined if it cannot be read now. */
async function findTheirs(id: string) {
  const theirs = await call(newsConsole.read, { params: { id } }).catch(() => undefined)
  if (theirs) cacheManaged(theirs)
  return theirs
}

/** Saves both texts as versions, the chosen one last. */
async function chooseText(local: LocalText, keepMine: boolean, theirs: Managed) {
  const saved = await call(newsConsole.save, {
    params: { id: local.id },
    body: { ...local.text, revision: theirs.revision, autosave: false },
  })
  return keepMine
    ? saved
    : await call(newsConsole.restore, {
        params: { id: local.id, number: theirs.version },
        body: { revision: saved.revision },
      })
}

function useSavingOnLeave(local: LocalText, save: () => Promise<boolean>, schedule: () => void) {
  useEffect(() => {
    if (!sameText(local.text, local.base)) schedule()
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
      clearTimeout(local.timer)
      void save()
    }
  }, [local, save, schedule])
}

function firstState(article: Managed | undefined, isChanged: boolean): SaveState {
  if (isChanged) return { kind: 'changed' }
  return article ? { kind: 'saved', at: article.updatedAt } : { kind: 'untouched' }
}

/** Stores the result of a save; text typed since then goes with the next one. */
function applySaved(local: LocalText, saved: Managed, sent: Text) {
  const isNew = local.id === ''
  if (isNew) deleteStoredText('')
  local.id = saved.id
  local.revision = saved.revision
  local.serverText = JSON.stringify(saved.text)
  cacheManaged(saved)
  if (isNew) local.onCreated(saved)
  local.base = sent
}

function applyChosen(local: LocalText, chosen: Managed) {
  local.stopped = false
  local.revision = chosen.revision
  local.serverText = JSON.stringify(chosen.text)
  local.base = local.text
  deleteStoredText(local.id)
  cacheManaged(chosen)
}
