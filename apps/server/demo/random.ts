/** Seed of the whole demo institution: changing it changes every generated name, number and time. */
const seed = 20260901

export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** An integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number
  /** True with this probability (0 to 1). */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** A random entry, by weight. */
  weighted<T>(entries: readonly (readonly [T, number])[]): T
  /** A shuffled copy of the list. */
  shuffle<T>(list: readonly T[]): T[]
  sample<T>(list: readonly T[], count: number): T[]
}

/** A separate random stream per name, so that a new use in one area does not change the others. */
export function random(name: string): Random {
  const next = sfc32(hash(`${seed}:${name}`))
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T
  function shuffle<T>(list: readonly T[]) {
    const result = [...list]
    for (let last = result.length - 1; last > 0; last--) {
      const other = int(0, last)
      const kept = result[last] as T
      result[last] = result[other] as T
      result[other] = kept
    }
    return result
  }
  return {
    next,
    int,
    pick,
    shuffle,
    chance: (share) => next() < share,
    sample: (list, count) => shuffle(list).slice(0, count),
    weighted(entries) {
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of entries) {
        left -= weight
        if (left < 0) return value
      }
      return (entries[entries.length - 1] as (typeof entries)[number])[0]
    },
  }
}

/** sfc32: Small Fast Counter (Chris Doty-Humphrey, PractRand), 32-bit. */
function sfc32([a, b, c]: [number, number, number]) {
  let counter = 1
  const step = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4294967296
  }
  // Discard the first values, which are correlated for similar seeds.
  for (let round = 0; round < 12; round++) step()
  return step
}

/** Three seed words of a text (FNV-1a with three start values). */
function hash(text: string): [number, number, number] {
  const word = (start: number) => {
    let value = start
    for (let at = 0; at < text.length; at++) {
      value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
    }
    return value
  }
  return [word(0x811c9dc5), word(0x9e3779b9), word(0x7f4a7c15)]
}
