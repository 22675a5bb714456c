import '#ui/tokens.css'
import '#ui/base.css'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { figures } from '@atrium/rules/figures'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { earlyAnswersArrived } from '#lib/early-answers.ts'
import { environment } from '#lib/environment.ts'
import { recordEvent } from '#lib/events.ts'
import { clearAnswers, clearStoredAnswers, q, queryClient } from '#lib/queries.ts'
import { startRenewal } from '#lib/renewal.ts'
import { getSession, ignoreSession, onSession } from '#lib/session.ts'
import { keysWith, outboxPrefix } from '#lib/storage.ts'
import { savesData, whenIdle } from '#lib/when-idle.ts'
import { App } from '#shell/app.tsx'
import { AppError } from '#shell/app-boundary.tsx'
import { startRouting } from '#shell/navigation/current-screen.ts'
import { getHistoryEntry, insertHomeBelow } from '#shell/navigation/history.ts'
import { watchExit } from '#shell/navigation/page-exit.ts'
import { homePath, loadRouteMap, registerScreens } from '#shell/navigation/screens.ts'
import { saveScroll } from '#shell/navigation/scroll.ts'
import { AddressError } from '#shell/navigation/search.ts'
import { logFailure } from '#shell/page/failure.ts'
import { applyPreferences } from '#shell/preferences.ts'
import { restoreSavedForm } from '#shell/sign-in/sign-in.ts'
import { trackLastPage } from '#shell/start/last-page.ts'
import { startUp } from '#shell/start/start.ts'
import { takeCredential } from '#shell/start/start-address.ts'
import type { VerifiedMember } from '#shell/start/start-credential.ts'
import { needsNoLogin } from '#shell/start/start-flags.ts'
import { withTimeout } from '#shell/with-timeout.ts'
import { first } from './routes/first.ts'
// Most starts end on home, so its code is bundled with the shell.
import '#domains/shell/home/home-page.tsx'

// First of all, before anything is loaded that could read it.
const credential = takeCredential()
applyPreferences()
registerScreens(first, () => import('./routes.ts').then(({ screens }) => screens))
if (needsNoLogin) ignoreSession()
else startRenewal()

let account = getSession()?.accountId
onSession(() => {
  const now = getSession()?.accountId
  if (now !== account) clearAnswers()
  account = now
})

// Requests for this start begin before anything is rendered, but only if it is known for which member.
const prefetchOptions = {
  // A copy stored by an earlier start is not up to date; what the early script has received is.
  staleTime: ({ state }: { state: { dataUpdatedAt: number } }) =>
    state.dataUpdatedAt >= performance.timeOrigin ? 30_000 : 0,
}
let homeAnswer: Promise<unknown> = Promise.resolve()
const systemAnswer = queryClient.prefetchQuery({ ...q(config.system), ...prefetchOptions })
if (!credential) {
  if (getSession()) void queryClient.prefetchQuery({ ...q(config.detail), ...prefetchOptions })
  if (['/', homePath()].includes(location.pathname))
    homeAnswer = queryClient.prefetchQuery({ ...q(home.read), ...prefetchOptions })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
/**
 * The server has painted the page (early/painted.ts, early/paint-tab.ts); its replacement must be just as complete. A tab
 * is painted while the app is loading.
 */
const isPainted = () => root.querySelector('.painted') !== null

const rootElement = createRoot(root, {
  // An incomplete address has its own page and is not an error to report.
  onCaughtError: (error) => error instanceof AddressError || logFailure(error),
})

async function confirmMemberChange(newcomer: VerifiedMember) {
  const { StartQuestion, findNames } = await import('#shell/start/start-question.tsx')
  const names = await findNames(newcomer)
  return new Promise<boolean>((resolve) =>
    rootElement.render(<StartQuestion {...names} onAnswer={resolve} />),
  )
}

void startUp(credential, confirmMemberChange)
  .then(() => {
    trackLastPage()
    restoreSavedForm()
    watchExit()
    // A host app handles the history below by itself.
    if (!environment.isSuperApp && environment.miniProgram === null) insertHomeBelow(homePath())
    // Its code is loaded after the first screen.
    setTimeout(() => recordEvent('visitPortal'), 2000)
    // The splash stays until the first page's code has loaded, for 1.5 s at most.
    return startRouting(1500)
  })
  // Wait briefly for home's data: a skeleton would not appear earlier anyway.
  .then(() => {
    const isHome = getHistoryEntry().path === homePath()
    if (!isPainted()) return isHome ? withTimeout(homeAnswer, figures.loadingDelay) : undefined
    // Replacing it by a skeleton or an error would remove what is being read.
    return isHome
      ? withTimeout(Promise.all([homeAnswer, systemAnswer]), 10_000)
      : withTimeout(earlyAnswersArrived(), 2000)
  })
  .then(() => {
    // A reader who has already scrolled keeps the position.
    if (isPainted() && scrollY > 0) saveScroll(getHistoryEntry())
  })
  .then(
    () => {
      // In slices, so that the browser can respond to scrolling and taps on the painted page.
      if (isPainted()) startTransition(() => rootElement.render(<App />))
      else rootElement.render(<App />)
    },
    (error) => {
      clearStoredAnswers(error)
      logFailure(error)
      rootElement.render(<AppError error={error} />)
    },
  )
  // The rest of the route map is loaded when the browser is idle after the first screen, or when a link is touched.
  .then(() => setTimeout(() => savesData() || whenIdle(loadInBackground), 1500))
  .then(() => setTimeout(sendWaiting, 2000))
  // Data for a day offline is loaded last.
  .then(() => setTimeout(startDayPack, 5000))

function loadInBackground() {
  void loadRouteMap().catch(() => {})
  void import('#ui/feedback/dialog.tsx').then(({ loadDialogs }) => loadDialogs()).catch(() => {})
}

function startDayPack() {
  if (needsNoLogin) return
  import('#domains/shell/offline/day-pack.ts').then(
    ({ startDayPack }) => startDayPack(),
    () => {},
  )
}

/** Sends stored actions, even if their page is not opened. */
function sendWaiting() {
  if (keysWith(outboxPrefix).length > 0) import('#shell/outbox.ts').catch(() => {})
}
addEventListener('online', sendWaiting)
