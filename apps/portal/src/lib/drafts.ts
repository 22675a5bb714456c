import { type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { getSession } from './session.ts'
import { draftPrefix, keysWith, readText, remove, writeText } from './storage.ts'

/*
 * Drafts stored on the device per account. Deleted when the session ends, when the draft is sent, and 30 days after the
 * last change. Beyond `maxDrafts`, the oldest are deleted.
 */
const keptFor = 30 * 24 * 3_600_000
const maxDrafts = 40

type Kept = { at: number; draft: unknown }

const keyOf = (name: string) => `${draftPrefix}${getSession()?.accountId ?? ''}:${name}`

export function readDraft(name: string): unknown {
  const kept = parse(keyOf(name))
  if (kept && Date.now() - kept.at < keptFor) return kept.draft
  remove(keyOf(name))
  return undefined
}

export function writeDraft(name: string, draft: unknown) {
  writeText(keyOf(name), JSON.stringify({ at: Date.now(), draft }))
  tell(name, 'kept')
  const keys = keysWith(draftPrefix)
  if (keys.length <= maxDrafts) return
  const oldest = keys.sort((a, b) => (parse(a)?.at ?? 0) - (parse(b)?.at ?? 0))
  for (const key of oldest.slice(0, keys.length - maxDrafts)) remove(key)
}

export type DraftEvent = 'kept' | 'sent' | 'discarded'
const listeners = new Set<(name: string, event: DraftEvent) => void>()
/** Notified of events of the draft with this name and of its parts (`name#part`). */
export function onDraft(name: string, listener: (event: DraftEvent) => void) {
  const hear = (of: string, event: DraftEvent) => {
    if (of === name || of.startsWith(`${name}#`) || name.startsWith(`${of}#`)) listener(event)
  }
  listeners.add(hear)
  return () => void listeners.delete(hear)
}
const tell = (name: string, event: DraftEvent) => {
  for (const listener of listeners) listener(name, event)
}

/** Deletes a draft and its parts, because it was sent or discarded. */
export function dropDraft(name: string, why: 'sent' | 'discarded' = 'sent') {
  tell(name, why)
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
  const [begun] = useState(() => initial)
  const [value, setValue] = useState<T>(() => merged(begun, readDraft(name)))
  const now = useRef(value)
  const set = useCallback(
    (next: SetStateAction<T>) => {
      now.current = typeof next === 'function' ? (next as (now: T) => T)(now.current) : next
      writeDraft(name, changesOf(begun, now.current))
      setValue(now.current)
    },
    [name, begun],
  )
  useEffect(
    () =>
      onDraft(name, (event) => {
        if (event !== 'discarded') return
        now.current = begun
        setValue(begun)
      }),
    [name, begun],
  )
  return [value, set] as const
}

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function changesOf(before: unknown, now: unknown) {
  if (!isPlain(before) || !isPlain(now)) return now
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !isEqual(value, before[key])),
  )
}
function merged<T>(initial: T, kept: unknown): T {
  if (isPlain(initial)) return isPlain(kept) ? { ...initial, ...kept } : initial
  return typeof kept === typeof initial && Array.isArray(kept) === Array.isArray(initial)
    ? (kept as T)
    : initial
}
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function parse(key: string): Kept | undefined {
  try {
    const kept: Kept = JSON.parse(readText(key) ?? '')
    return typeof kept.at === 'number' ? kept : undefined
  } catch {
    return undefined
  }
}
