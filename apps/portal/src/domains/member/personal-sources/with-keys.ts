/** Adds a unique key to entries of another system, which have none and may be duplicated. */
export function withKeys<T>(list: readonly T[], textOf: (entry: T) => string) {
  const seen = new Map<string, number>()
  return list.map((entry) => {
    const text = textOf(entry)
    const times = (seen.get(text) ?? 0) + 1
    seen.set(text, times)
    return { ...entry, key: `${text} ${times}` }
  })
}
