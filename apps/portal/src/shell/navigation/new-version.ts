import { getCurrentScreen } from './current-screen.ts'
import { readPage } from './form-restore.ts'
import { isLoadingPage, isServerReachable } from './page-code.ts'
import { fetchNewVersion, setScreenReader } from './page-exit.ts'

/**
 * A page left open during an upgrade requests code of its own version, which the server no longer has. Loads the new
 * version then, keeping the form values.
 */
export function watchVersion() {
  const readScreen = () => readPage(getCurrentScreen()?.entry.path)
  setScreenReader(readScreen)
  // Vite emits this event for every chunk that fails to load. For page chunks, current-screen.ts does the same.
  const failed = async () => {
    if (isLoadingPage()) return
    // Read the values now, before the page crashes and loses them.
    const keep = readScreen()
    if (await isServerReachable()) fetchNewVersion(keep)
  }
  addEventListener('vite:preloadError', failed)
  return () => removeEventListener('vite:preloadError', failed)
}
