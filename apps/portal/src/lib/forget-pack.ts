/** The day pack's name among the databases of the browser; `pack.ts` fills it. */
export const packName = 'atrium-pack'

/** Destroys the day pack with its key, and the pictures that were kept. */
export function forgetPack() {
  try {
    indexedDB.deleteDatabase(packName)
    void caches.delete('pictures').catch(() => {})
  } catch {
    // This browser keeps neither.
  }
}
