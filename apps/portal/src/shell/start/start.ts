import { config } from '@atrium/contract/shell/config'
import { q, queryClient } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { read } from '#lib/storage.ts'
import { settingsByKey } from '#shell/config.ts'
import { getHistoryEntry, replace } from '#shell/navigation/history.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { withTimeout } from '#shell/with-timeout.ts'
import { findLastPage } from './last-page.ts'
import type { Credential } from './start-address.ts'
import type { VerifiedMember } from './start-credential.ts'
import { needsNoLogin } from './start-flags.ts'
import {
  beginStart,
  nextStart,
  type StartEvent,
  type StartFacts,
  type StartSettings,
  type StartState,
} from './start-up.ts'

const entryPaths = ['/', '/pages/h5/index']

/**
 * Runs the start-up sequence; when it resolves, the current place is what to show.
 * @param confirmChange whether another member's session may replace the present one
 */
export async function startUp(
  credential: Credential | undefined,
  confirmChange: (newcomer: VerifiedMember) => Promise<boolean>,
) {
  const { href, path, search } = getHistoryEntry()
  const home = homePath()
  const isEntry = entryPaths.includes(path)
  const facts: StartFacts = {
    // The entry page is not a screen of its own: its search fields belong to home.
    href: isEntry ? home + search : href,
    home,
    lastPage: isEntry && search === '' ? await findLastPage() : undefined,
    returning: isBackNavigation(),
    credential: credential?.kind,
    account: getSession()?.accountId,
  }
  let newcomer: VerifiedMember | undefined
  let state = beginStart(facts)
  while (state.step !== 'mounted') state = nextStart(state, await runStep(state), facts)
  if (state.href !== href) replace(state.href)

  async function runStep(current: StartState): Promise<StartEvent> {
    switch (current.step) {
      case 'verifying':
        newcomer =
          credential && (await credentials().then((code) => code.verifyCredential(credential)))
        if (!newcomer) return { type: 'refused' }
        if (!facts.account || facts.account === newcomer.account) await startSession(newcomer)
        return { type: 'verified', account: newcomer.account }
      case 'asking': {
        const change = newcomer !== undefined && (await confirmChange(newcomer))
        if (change && newcomer) await startSession(newcomer)
        return { type: 'answered', change }
      }
      case 'settings': {
        const settings = await findSettings(current.signedIn)
        // Visitors' opening pages are also stored, for when they are turned on.
        if (!current.signedIn && settings.opening && !settings.openingForVisitors)
          void launchPages().then(({ findOpeningPages }) => findOpeningPages(false), noPage)
        return { type: 'settings', settings }
      }
      case 'opening':
        return {
          type: 'opening',
          found: await launchPages().then(
            ({ findOpeningPages }) => findOpeningPages(current.signedIn),
            noPage,
          ),
        }
      default:
        return {
          type: 'diversion',
          found: await launchPages().then(({ findDiversion }) => findDiversion(), noPage),
        }
    }
  }
}

/**
 * The settings last received. On a first start a member's are awaited; a visitor's are not, so that newcomers see the
 * institution first.
 */
async function findSettings(signedIn: boolean): Promise<StartSettings> {
  const settings = signedIn
    ? (read('platFormConfig') ?? (await withTimeout(queryClient.fetchQuery(q(config.detail)))))
    : queryClient.getQueryData(q(config.system).queryKey)?.publicConfig
  const { ENV_OPENING_PAGE, ENV_OPENING_PAGE_TOURIST, ENV_DIVERSION_PAGE } = settingsByKey(
    settings ?? [],
  )
  return {
    // A page that needs no login shows nothing before itself.
    opening: ENV_OPENING_PAGE === '1' && !needsNoLogin,
    openingForVisitors: ENV_OPENING_PAGE_TOURIST === '1',
    diversion: ENV_DIVERSION_PAGE === '1' && !needsNoLogin,
  }
}

/** Most starts bring no credential and do not need this code. */
const credentials = () => import('./start-credential.ts')
const startSession = (newcomer: VerifiedMember) =>
  credentials().then((code) => code.startSession(newcomer))

/** Loaded when a launch page is due; if loading fails, there is none. */
const launchPages = () => import('./start-launch.ts')
const noPage = () => false

const isBackNavigation = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}
