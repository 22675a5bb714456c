import { read, remove, write } from '#lib/storage.ts'

const key = 'kept:serviceSearches'
const maxSearches = 12

/** Search terms used on this device, newest first. */
export const readSearches = () => read(key) ?? []

export function rememberSearch(words: string) {
  const now = words.trim()
  if (now) write(key, [now, ...readSearches().filter((past) => past !== now)].slice(0, maxSearches))
}

export const clearSearches = () => remove(key)
