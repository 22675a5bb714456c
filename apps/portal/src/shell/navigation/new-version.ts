import { getCurrentScreen } from './current-screen.ts'
import { readForm } from './form-restore.ts'
import { isLoadingPage, isServerReachable } from './page-code.ts'
import { reloadForNewVersion, setFormReader } from './page-exit.ts'

/**
 * A page left open during an upgrade requests code of its own version, which the server no longer has. Loads the new
 * version then, keeping the form values.
 */
export function watchVersion() {
  let lastRead = () => {}
  const readCurrentForm = () => {
    const screen = getCurrentScreen()
    // While the loading state is shown the form is gone; it was read right before.
    if (!screen?.loading) lastRead = readForm(screen?.entry.path)
    return lastRead
  }
  setFormReader(readCurrentForm)
  // Vite emits this event for every chunk that fails to load. For page chunks, current-screen.ts does the same.
  const onLoadFailure = async () => {
    if (isLoadingPage()) return
    // Read the values now, before the page crashes and loses them.
    const saveForm = readCurrentForm()
    if (await isServerReachable()) reloadForNewVersion(saveForm)
  }
  addEventListener('vite:preloadError', onLoadFailure)
  return () => removeEventListener('vite:preloadError', onLoadFailure)
}
