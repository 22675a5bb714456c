import type { Home } from '@atrium/contract/shell/home'
import { read, write } from '#lib/storage.ts'

export type Operation = NonNullable<Home['notices']>[number]

/** Enough to know every notice that is still valid. */
const maxKept = 200

/** How many more cards this session may show: as many as the configuration says, counted down. */
let left: number | undefined

/** What the card is about: the newest notice that was neither opened nor put away on this device; nothing when enough were shown. */
export function nextOperation(
  notices: readonly Operation[],
  times: string | undefined,
): Operation | undefined {
  left ??= /^\d+$/.test(times ?? '') ? Number(times) : 1
  if (left <= 0) return undefined
  const known = read('readedIds') ?? []
  return notices.find(({ id }) => !known.includes(id))
}

/** It was opened or put away: another session, or a later look at home, shows the next one. */
export function putAway(id: string) {
  left = (left ?? 1) - 1
  const known = (read('readedIds') ?? []).filter((other) => other !== id)
  write('readedIds', [...known, id].slice(-maxKept))
}
