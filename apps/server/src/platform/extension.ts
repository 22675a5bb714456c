let complete = false
/** Called by `domains.ts` once all areas have provided their extensions. */
export const completeExtensions = () => {
  complete = true
}

/**
 * An extension point for code from higher areas, which an area must not import. The area declares the extension; higher
 * areas provide it in their `area.ts`, once per process, before anything is served.
 */
export function extension<T>() {
  const provided: T[] = []
  return {
    provide: (one: T) => void provided.push(one),
    all(): readonly T[] {
      // Otherwise listeners would be skipped silently, for example when a session ends.
      if (!complete) throw new Error('an extension is used before domains.ts was imported')
      return provided
    },
  }
}
