import '#ui/list-row.css'
import { useEffect, useState } from 'react'
import { read } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { showCurrentAgain } from '#shell/navigation/current-screen.ts'
import { getHistoryEntry } from '#shell/navigation/history.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { isServerReachable, loadPage } from '#shell/navigation/page-code.ts'
import { reloadPage } from '#shell/navigation/page-exit.ts'
import { findLoadedScreen } from '#shell/navigation/screens.ts'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { Page } from './page.tsx'

const retryInterval = 10_000

/**
 * Shown when the code of a page fails to load: lists pages that are available, and opens the page as soon as it loads.
 * @param isOnline there is a network, so it is not to blame
 */
export function OfflinePage({ isOnline }: { isOnline: boolean }) {
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    const { path } = getHistoryEntry()
    try {
      await loadPage(path)
      showCurrentAgain()
    } catch {
      // A browser may cache the failed load; a reload clears that.
      if (await isServerReachable()) reloadPage()
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => {
    const check = () => {
      if (navigator.onLine)
        void isServerReachable().then((isReachable) => isReachable && void retryNow())
    }
    const retryNow = () =>
      loadPage(getHistoryEntry().path).then(showCurrentAgain, () => reloadPage())
    const timer = setInterval(check, retryInterval)
    addEventListener('online', check)
    return () => {
      clearInterval(timer)
      removeEventListener('online', check)
    }
  }, [])
  const availablePaths = (read('kept:pages') ?? []).filter(
    (path) => path !== getHistoryEntry().path && findLoadedScreen(path),
  )
  const title = isOnline ? m.shell_failed() : m.shell_offline_title()
  return (
    <Page title={title}>
      <div className="column stack">
        <Card>
          <Empty
            icon={isOnline ? 'warning' : 'offline'}
            title={title}
            action={
              <Button kind="plain" busy={busy} onClick={() => void retry()}>
                {m.shell_retry()}
              </Button>
            }
          >
            {isOnline ? m.shell_page_late() : m.shell_offline_text()}
          </Empty>
        </Card>
        {availablePaths.length > 0 ? (
          <Card title={m.shell_offline_there()}>
            <ul className="row-list">
              {availablePaths.map((path) => (
                <li key={path}>
                  <HrefLink className="list-row" href={path}>
                    {findLoadedScreen(path)?.title()}
                  </HrefLink>
                </li>
              ))}
            </ul>
          </Card>
        ) : null}
      </div>
    </Page>
  )
}
