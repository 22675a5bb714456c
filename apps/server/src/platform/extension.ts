let complete = false
/** Says that every area has provided what it has to: `domains.ts` does. */
export const completeExtensions = () => {
  complete = true
}

/**
 * What an area needs from areas above it, which it must not import. It declares the extension; they provide it in their
 * `area.ts`, once per process, before anything is served.
 */
export function extension<T>() {
  const provided: T[] = []
  return {
    provide: (one: T) => void provided.push(one),
    all(): readonly T[] {
      // Without it a session would end and nobody would be told, without a word.
      if (!complete) throw new Error('an extension is used before domains.ts was imported')
      return provided
    },
  }
}
