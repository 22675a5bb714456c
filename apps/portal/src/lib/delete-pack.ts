/** The IndexedDB database of the day pack, which `pack.ts` fills. */
export const packDatabase = 'atrium-pack'

/**
 * localStorage key that marks that a day pack exists, so that a start without one does not load the code that reads it.
 * Deleted with all keys of the prefix `kept:`.
 */
export const packMark = 'kept:packed'

/** Deletes the day pack with its key, and the stored pictures. */
export function deletePack() {
  try {
    indexedDB.deleteDatabase(packDatabase)
    void caches.delete('pictures').catch(() => {})
  } catch {
    // This browser supports neither.
  }
}
