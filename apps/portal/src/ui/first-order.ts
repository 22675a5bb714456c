import { useRef } from 'react'

/**
 * Keeps items in the order in which they were first given, so that a refresh does not move rows under a reader; new
 * ones come last.
 */
export function useFirstOrder<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const places = useRef(new Map<string, number>())
  const placeOf = (item: T) => places.current.get(keyOf(item)) ?? 0
  for (const item of items)
    if (!places.current.has(keyOf(item))) places.current.set(keyOf(item), places.current.size)
  return [...items].sort((a, b) => placeOf(a) - placeOf(b))
}
