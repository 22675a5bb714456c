import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { environment } from '#lib/environment.ts'
import { useLanguage } from '#lib/language.ts'
import { queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { Toasts } from '#ui/feedback/toast.tsx'
import { keepFocusInLists } from '#ui/kept-focus.ts'
import { AppBoundary } from './app-boundary.tsx'
import { ConfigLoader } from './config.ts'
import { Frame } from './frame.tsx'

/** Loaded after the first screen: nothing waits for it, and the app works without it. */
const ContainerIntegration = lazy(() =>
  waitUntilIdle()
    .then(() => import('./container/container-integration.tsx'))
    .catch(() => ({ default: () => null })),
)
const PcOffer = lazy(() =>
  waitUntilIdle()
    .then(() => import('./start/pc-offer.tsx'))
    .then(({ PcOffer }) => ({ default: PcOffer }))
    .catch(() => ({ default: () => null })),
)
/**
 * In a plain browser it waits, so that the first screen's pictures load first; in a host app it starts immediately,
 * because sign-in depends on it.
 */
const waitUntilIdle = () =>
  new Promise((resolve) => {
    const requestIdle = () => {
      // Safari has no requestIdleCallback.
      if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 4000 })
      else setTimeout(resolve, 500)
    }
    if (environment.container === 'browser') setTimeout(requestIdle, 1500)
    else requestIdle()
  })

/** Changing the language or the member remounts the tree, so no text or state of the previous one remains. */
export function App() {
  const language = useLanguage()
  const account = useSession()?.accountId ?? ''
  useEffect(keepFocusInLists, [])
  return (
    <QueryClientProvider client={queryClient}>
      <AppBoundary>
        <ConfigLoader key={`config ${account}`} />
        <Frame key={`${language} ${account}`} />
        <Toasts />
        {environment.isDesktop ? (
          <Suspense>
            <PcOffer />
          </Suspense>
        ) : null}
        <Suspense>
          <ContainerIntegration />
        </Suspense>
      </AppBoundary>
    </QueryClientProvider>
  )
}
