import { m } from '#paraglide/messages.js'
import { relaunch } from '#shell/navigation/navigation.ts'
import { ChunkLoadError } from '#shell/navigation/page-code.ts'
import { reloadPage } from '#shell/navigation/page-exit.ts'
import { homePath, type Path } from '#shell/navigation/screens.ts'
import { AddressError } from '#shell/navigation/search.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Failed } from '#ui/feedback/failed.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { failureText, isOffline, supportCode } from './failure.ts'
import { OfflinePage } from './offline-page.tsx'
import { Page } from './page.tsx'

const toHome = () => relaunch(homePath() as Path)

/** No screen has this address. */
export function NotFoundPage() {
  return (
    <Page title={m.shell_not_found()}>
      <Empty
        icon="map"
        title={m.shell_not_found_title()}
        action={<Button onClick={toHome}>{m.shell_to_home()}</Button>}
      >
        {m.shell_not_found_text()}
      </Empty>
    </Page>
  )
}

/** A page whose code failed to load, or that threw. */
export function PageError({ error }: { error: unknown }) {
  if (error instanceof AddressError) return <NotFoundPage />
  if (error instanceof ChunkLoadError && error.type !== 'missing')
    return <OfflinePage isOnline={!isOffline(error)} />
  return (
    <Page>
      <Failed text={failureText(error)} code={supportCode(error)} onRetry={reloadPage} />
    </Page>
  )
}

/** A page whose code is loading. */
export function PageLoading() {
  return (
    <main className="page">
      <div className="nav-bar">
        <div className="nav-bar-inside" />
      </div>
      <div className="column">
        <Skeleton rows={6} label={m.shell_loading()} />
      </div>
    </main>
  )
}
