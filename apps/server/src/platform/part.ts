import type { Topic } from '@atrium/contract/define'
import type { Platform } from './platform.ts'

type Open<T> = (platform: Platform) => T
type Close<T> = (part: T, platform: Platform) => unknown

/** The state that areas attach to a platform. */
export type Parts = {
  get: <T>(key: symbol, open: () => T, close?: (part: T) => unknown) => T
  close: () => Promise<void>
}

export function openParts(): Parts {
  const parts = new Map<symbol, { part: unknown; close?: () => unknown }>()
  return {
    get<T>(key: symbol, open: () => T, close?: (part: T) => unknown) {
      const known = parts.get(key)
      if (known) return known.part as T
      const part = open()
      parts.set(key, { part, ...(close && { close: () => close(part) }) })
      return part
    },
    async close() {
      for (const { close } of [...parts.values()].reverse()) await close?.()
      parts.clear()
    },
  }
}

/** Defines state of an area: created on first use, once per platform, and closed before the database. */
export function definePart<T>(open: Open<T>, close?: Close<T>): (platform: Platform) => T {
  const key = Symbol()
  return (platform) =>
    platform.parts.get(key, () => open(platform), close && ((part: T) => close(part, platform)))
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
  const memoryOf = definePart<{ stamp?: string; result?: Promise<T> }>(() => ({}))
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
