import type { Topic } from '@atrium/contract/define'
import type { Platform } from './platform.ts'

type Open<T> = (platform: Platform) => T
type Close<T> = (state: T, platform: Platform) => unknown

/** The state that areas attach to a platform. */
export type AreaStates = {
  get: <T>(key: symbol, open: () => T, close?: (state: T) => unknown) => T
  close: () => Promise<void>
}

export function openAreaStates(): AreaStates {
  const states = new Map<symbol, { state: unknown; close?: () => unknown }>()
  return {
    get<T>(key: symbol, open: () => T, close?: (state: T) => unknown) {
      const known = states.get(key)
      if (known) return known.state as T
      const state = open()
      states.set(key, { state, ...(close && { close: () => close(state) }) })
      return state
    },
    async close() {
      for (const { close } of [...states.values()].reverse()) await close?.()
      states.clear()
    },
  }
}

/** Defines state of an area: created on first use, once per platform, and closed before the database. */
export function defineState<T>(open: Open<T>, close?: Close<T>): (platform: Platform) => T {
  const key = Symbol()
  return (platform) =>
    platform.states.get(key, () => open(platform), close && ((state: T) => close(state, platform)))
}

/**
 * Caches the result of a read until one of its topics is invalidated. While this node receives no invalidations, it
 * reads each time. Failed reads are not cached.
 * @param key anything else the result depends on
 */
export function cachedRead<T>(
  topics: readonly Topic[],
  read: (platform: Platform) => Promise<T>,
  key: (platform: Platform) => string = () => '',
): (platform: Platform) => Promise<T> {
  const memoryOf = defineState<{ stamp?: string; result?: Promise<T> }>(() => ({}))
  return (platform) => {
    const memory = memoryOf(platform)
    const stamp = `${platform.topics.stamp(topics)} ${key(platform)}`
    if (memory.result && memory.stamp === stamp && platform.topics.connected()) return memory.result
    const result = read(platform)
    Object.assign(memory, { stamp, result })
    result.catch(() => {
      if (memory.result === result) delete memory.result
    })
    return result
  }
}
