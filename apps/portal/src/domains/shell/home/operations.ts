import type { Home } from '@atrium/contract/shell/home'
import { read, write } from '#lib/storage.ts'

export type Operation = NonNullable<Home['notices']>[number]

/** Large enough for all notices that are still valid. */
const maxKept = 200

/** Cards left to show in this session; starts with the configured number. */
let left: number | undefined

/**
 * The notice for the card: the newest one neither opened nor dismissed on this device; undefined if enough were shown.
 */
export function nextOperation(
  notices: readonly Operation[],
  times: string | undefined,
): Operation | undefined {
  left ??= /^\d+$/.test(times ?? '') ? Number(times) : 1
  if (left <= 0) return undefined
  const known = read('readedIds') ?? []
  return notices.find(({ id }) => !known.includes(id))
}

/** Marks a notice as opened or dismissed; another session, or a later visit to home, shows the next one. */
export function putAway(id: string) {
  left = (left ?? 1) - 1
  const known = (read('readedIds') ?? []).filter((other) => other !== id)
  write('readedIds', [...known, id].slice(-maxKept))
}
