import type { Home } from '@atrium/contract/shell/home'
import { read, write } from '#lib/storage.ts'

export type Operation = NonNullable<Home['notices']>[number]

/** Large enough for all notices that are still valid. */
const maxReadIds = 200

/** Cards left to show in this session; starts with the configured number. */
let cardsLeft: number | undefined

/**
 * The notice for the card: the newest one neither opened nor dismissed on this device; undefined if enough were shown.
 */
export function nextOperation(
  notices: readonly Operation[],
  times: string | undefined,
): Operation | undefined {
  cardsLeft ??= /^\d+$/.test(times ?? '') ? Number(times) : 1
  if (cardsLeft <= 0) return undefined
  const readIds = read('readedIds') ?? []
  return notices.find(({ id }) => !readIds.includes(id))
}

/** Marks a notice as opened or dismissed; another session, or a later visit to home, shows the next one. */
export function markAsSeen(id: string) {
  cardsLeft = (cardsLeft ?? 1) - 1
  const readIds = (read('readedIds') ?? []).filter((other) => other !== id)
  write('readedIds', [...readIds, id].slice(-maxReadIds))
}
