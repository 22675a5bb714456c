import { getShowing } from './current-screen.ts'
import { readPage } from './form-restore.ts'
import { isFetchingPage, serverAnswers } from './page-code.ts'
import { fetchNewVersion, setScreenReader } from './page-exit.ts'

/**
 * A page that stays open over an upgrade asks for code of its own version, which the server no longer has. The new version is
 * then fetched, and what is filled in waits for it.
 */
export function watchVersion() {
  const readScreen = () => readPage(getShowing()?.place.path)
  setScreenReader(readScreen)
  // Vite says it of every part that does not come. For those that are pages, showing.ts does the same.
  const failed = async () => {
    if (isFetchingPage()) return
    // Before the page breaks on it, and takes what is filled in along.
    const keep = readScreen()
    if (await serverAnswers()) fetchNewVersion(keep)
  }
  addEventListener('vite:preloadError', failed)
  return () => removeEventListener('vite:preloadError', failed)
}
