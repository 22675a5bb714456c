import { config } from '@atrium/contract/shell/config'
import { q, queryClient } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { read } from '#lib/storage.ts'
import { byKey } from '#shell/config.ts'
import { getHistoryEntry, replace } from '#shell/navigation/history.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { withTimeout } from '#shell/with-timeout.ts'
import { findLastPage } from './last-page.ts'
import type { Credential } from './start-address.ts'
import type { Newcomer } from './start-credential.ts'
import { needsNoLogin } from './start-flags.ts'
import {
  beginStart,
  nextStart,
  type StartEvent,
  type StartFacts,
  type StartSettings,
  type StartState,
} from './start-up.ts'

const entries = ['/', '/pages/h5/index']

/**
 * Runs the start-up sequence; when it resolves, the current place is what to show.
 * @param ask whether another member's session may replace the present one
 */
export async function startUp(
  credential: Credential | undefined,
  ask: (newcomer: Newcomer) => Promise<boolean>,
) {
  const { href, path, search } = getHistoryEntry()
  const home = homePath()
  const isEntry = entries.includes(path)
  const facts: StartFacts = {
    // The entry page is not a screen of its own: its search fields belong to home.
    href: isEntry ? home + search : href,
    home,
    lastPage: isEntry && search === '' ? await findLastPage() : undefined,
    returning: wentBack(),
    credential: credential?.kind,
    account: getSession()?.accountId,
  }
  let newcomer: Newcomer | undefined
  let state = beginStart(facts)
  while (state.at !== 'mounted') state = nextStart(state, await happen(state), facts)
  if (state.href !== href) replace(state.href)

  async function happen(at: StartState): Promise<StartEvent> {
    switch (at.at) {
      case 'verifying':
        newcomer = credential && (await credentials().then((code) => code.verify(credential)))
        if (!newcomer) return { is: 'refused' }
        if (!facts.account || facts.account === newcomer.account) await enter(newcomer)
        return { is: 'verified', account: newcomer.account }
      case 'asking': {
        const change = newcomer !== undefined && (await ask(newcomer))
        if (change && newcomer) await enter(newcomer)
        return { is: 'answered', change }
      }
      case 'settings': {
        const settings = await findSettings(at.signedIn)
        // Visitors' opening pages are also stored, for when they are turned on.
        if (!at.signedIn && settings.opening && !settings.openingForVisitors)
          void launchPages().then(({ findOpeningPages }) => findOpeningPages(false), none)
        return { is: 'settings', settings }
      }
      case 'opening':
        return {
          is: 'opening',
          found: await launchPages().then(
            ({ findOpeningPages }) => findOpeningPages(at.signedIn),
            none,
          ),
        }
      default:
        return {
          is: 'diversion',
          found: await launchPages().then(({ findDiversion }) => findDiversion(), none),
        }
    }
  }
}

/**
 * The settings last received. On a first start a member's are awaited; a visitor's are not, so that newcomers see the
 * institution first.
 */
async function findSettings(signedIn: boolean): Promise<StartSettings> {
  const known = signedIn
    ? (read('platFormConfig') ?? (await withTimeout(queryClient.fetchQuery(q(config.detail)))))
    : queryClient.getQueryData(q(config.system).queryKey)?.publicConfig
  const { ENV_OPENING_PAGE, ENV_OPENING_PAGE_TOURIST, ENV_DIVERSION_PAGE } = byKey(known ?? [])
  return {
    // A page that needs no login shows nothing before itself.
    opening: ENV_OPENING_PAGE === '1' && !needsNoLogin,
    openingForVisitors: ENV_OPENING_PAGE_TOURIST === '1',
    diversion: ENV_DIVERSION_PAGE === '1' && !needsNoLogin,
  }
}

/** Most starts bring no credential and do not need this code. */
const credentials = () => import('./start-credential.ts')
const enter = (newcomer: Newcomer) => credentials().then((code) => code.enter(newcomer))

/** Loaded when a launch page is due; if loading fails, there is none. */
const launchPages = () => import('./start-launch.ts')
const none = () => false

const wentBack = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}
