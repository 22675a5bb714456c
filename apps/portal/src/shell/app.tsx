import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { environment } from '#lib/environment.ts'
import { useLanguage } from '#lib/language.ts'
import { queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { Toasts } from '#ui/feedback/toast.tsx'
import { AppBoundary } from './app-boundary.tsx'
import { ReadConfig } from './config.ts'
import { Frame } from './frame.tsx'

/** Nothing of the first screen waits for what goes on around the app, and nothing breaks without it. */
const Surroundings = lazy(() =>
  idle()
    .then(() => import('./container/surroundings.tsx'))
    .catch(() => ({ default: () => null })),
)
const PcOffer = lazy(() =>
  idle()
    .then(() => import('./start/pc-offer.tsx'))
    .then(({ PcOffer }) => ({ default: PcOffer }))
    .catch(() => ({ default: () => null })),
)
/** A browser has nothing to say for itself, and the first screen's pictures go first; a host app is waited for by its member. */
const idle = () =>
  new Promise((resolve) => {
    const soon = () => {
      // Safari has no such call.
      if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 4000 })
      else setTimeout(resolve, 500)
    }
    if (environment.container === 'browser') setTimeout(soon, 1500)
    else soon()
  })

/** Another language or another member begins with a fresh tree: no text and no state of the one before stays behind. */
export function App() {
  const language = useLanguage()
  const account = useSession()?.accountId ?? ''
  return (
    <QueryClientProvider client={queryClient}>
      <AppBoundary>
        <ReadConfig key={`config ${account}`} />
        <Frame key={`${language} ${account}`} />
        <Toasts />
        {environment.isDesktop ? (
          <Suspense>
            <PcOffer />
          </Suspense>
        ) : null}
        <Suspense>
          <Surroundings />
        </Suspense>
      </AppBoundary>
    </QueryClientProvider>
  )
}
