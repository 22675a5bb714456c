import { type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { getSession } from './session.ts'
import { draftPrefix, keysWith, readText, remove, writeText } from './storage.ts'

/*
 * Drafts stored on the device per account. Deleted when the session ends, when the draft is sent, and 30 days after the
 * last change. Beyond `maxDrafts`, the oldest are deleted.
 */
const draftLifetime = 30 * 24 * 3_600_000
const maxDrafts = 40

type StoredDraft = { at: number; draft: unknown }

const keyOf = (name: string) => `${draftPrefix}${getSession()?.accountId ?? ''}:${name}`

export function readDraft(name: string): unknown {
  const stored = parse(keyOf(name))
  if (stored && Date.now() - stored.at < draftLifetime) return stored.draft
  remove(keyOf(name))
  return undefined
}

export function writeDraft(name: string, draft: unknown) {
  writeText(keyOf(name), JSON.stringify({ at: Date.now(), draft }))
  notifyListeners(name, 'stored')
  const keys = keysWith(draftPrefix)
  if (keys.length <= maxDrafts) return
  const oldest = keys.sort((a, b) => (parse(a)?.at ?? 0) - (parse(b)?.at ?? 0))
  for (const key of oldest.slice(0, keys.length - maxDrafts)) remove(key)
}

export type DraftEvent = 'stored' | 'sent' | 'discarded'
const listeners = new Set<(name: string, event: DraftEvent) => void>()
/** Notified of events of the draft with this name and of its parts (`name#part`). */
export function onDraft(name: string, listener: (event: DraftEvent) => void) {
  const handleEvent = (of: string, event: DraftEvent) => {
    if (of === name || of.startsWith(`${name}#`) || name.startsWith(`${of}#`)) listener(event)
  }
  listeners.add(handleEvent)
  return () => void listeners.delete(handleEvent)
}
const notifyListeners = (name: string, event: DraftEvent) => {
  for (const listener of listeners) listener(name, event)
}

/** Deletes a draft and its parts, because it was sent or discarded. */
export function deleteDraft(name: string, reason: 'sent' | 'discarded' = 'sent') {
  notifyListeners(name, reason)
  for (const key of keysWith(keyOf(name)))
    if (key === keyOf(name) || key.startsWith(keyOf(`${name}#`))) remove(key)
}

export const hasDraft = (name: string) => keysWith(keyOf(name)).length > 0

/**
 * `useState` for a part of a form that its controls do not hold themselves: added rows, an audience, people. Of an
 * object only the fields that differ from `initial` are stored, so that a draft never reverts concurrent changes by
 * others.
 * @param name of the form's draft, followed by `#` and the part
 */
export function useDraftState<T>(name: string, initial: T) {
  const [initialValue] = useState(() => initial)
  const [value, setValue] = useState<T>(() => merged(initialValue, readDraft(name)))
  const latest = useRef(value)
  const set = useCallback(
    (next: SetStateAction<T>) => {
      latest.current =
        typeof next === 'function' ? (next as (latest: T) => T)(latest.current) : next
      writeDraft(name, changesOf(initialValue, latest.current))
      setValue(latest.current)
    },
    [name, initialValue],
  )
  useEffect(
    () =>
      onDraft(name, (event) => {
        if (event !== 'discarded') return
        latest.current = initialValue
        setValue(initialValue)
      }),
    [name, initialValue],
  )
  return [value, set] as const
}

type PlainObject = Record<string, unknown>
const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function changesOf(before: unknown, now: unknown) {
  if (!isPlainObject(before) || !isPlainObject(now)) return now
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !isEqual(value, before[key])),
  )
}
function merged<T>(initial: T, stored: unknown): T {
  if (isPlainObject(initial)) return isPlainObject(stored) ? { ...initial, ...stored } : initial
  return typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial)
    ? (stored as T)
    : initial
}
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function parse(key: string): StoredDraft | undefined {
  try {
    const stored: StoredDraft = JSON.parse(readText(key) ?? '')
    return typeof stored.at === 'number' ? stored : undefined
  } catch {
    return undefined
  }
}
