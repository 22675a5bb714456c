/** The day pack's name among the databases of the browser; `pack.ts` fills it. */
export const packName = 'atrium-pack'

/** Says in localStorage that there is one: a start without does not fetch the code that reads it. Gone with all that is kept. */
export const packMark = 'kept:packed'

/** Destroys the day pack with its key, and the pictures that were kept. */
export function forgetPack() {
  try {
    indexedDB.deleteDatabase(packName)
    void caches.delete('pictures').catch(() => {})
  } catch {
    // This browser keeps neither.
  }
}
