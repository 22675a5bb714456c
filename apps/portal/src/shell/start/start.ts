import { identity } from '@atrium/contract/identity/identity'
import { config } from '@atrium/contract/shell/config'
import { ApiError, call } from '#lib/api.ts'
import { recordEvent, recordFailedSignIn } from '#lib/events.ts'
import { q, queryClient } from '#lib/queries.ts'
import { getSession, parseToken, setSession } from '#lib/session.ts'
import { read } from '#lib/storage.ts'
import { byKey } from '#shell/config.ts'
import { getPlace, replace } from '#shell/navigation/history.ts'
import { leaveFor } from '#shell/navigation/page-exit.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { inTime } from '#shell/with-timeout.ts'
import { findLastPage } from './last-page.ts'
import type { Credential } from './start-address.ts'
import { needsNoLogin } from './start-flags.ts'
import {
  beginStart,
  nextStart,
  type StartEvent,
  type StartFacts,
  type StartSettings,
  type StartState,
} from './start-up.ts'

/** Who an address wants to sign in, as the server says. */
export type Newcomer = {
  token: string
  account: string
  name: string
  username: string
  /** By a ticket of the central login, rather than a token in the address. */
  byTicket: boolean
}

const entries = ['/', '/pages/h5/index']

/**
 * Goes through the start-up sequence; once it resolves, the current place is what to show.
 * @param ask whether somebody else's session may take the place of the one that is there
 */
export async function startUp(
  credential: Credential | undefined,
  ask: (newcomer: Newcomer) => Promise<boolean>,
) {
  const { href, path, search } = getPlace()
  const home = homePath()
  const isEntry = entries.includes(path)
  const facts: StartFacts = {
    // The entry page is no place of its own: its fields are home's.
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
        newcomer =
          credential &&
          (await verify(credential).catch((failure) => {
            recordFailedSignIn(credential.kind === 'ticket' ? 'h5Login' : 'tokenLogin', failure)
            return undefined
          }))
        if (!newcomer) return { is: 'refused' }
        if (!facts.account || facts.account === newcomer.account) enter(newcomer)
        return { is: 'verified', account: newcomer.account }
      case 'asking': {
        const change = newcomer !== undefined && (await ask(newcomer))
        if (change && newcomer) enter(newcomer)
        return { is: 'answered', change }
      }
      case 'settings': {
        const settings = await findSettings(at.signedIn)
        // Visitors' opening pages are kept for when they are shown, too.
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

/** The session first: what is recorded is recorded in its name. */
function enter({ token, byTicket }: Newcomer) {
  setSession(token)
  recordEvent(byTicket ? 'h5Login' : 'tokenLogin')
}

async function verify({ kind, value, service }: Credential): Promise<Newcomer | undefined> {
  if (kind === 'token') {
    const { accountId, name, username } = await call(identity.verify, { body: { token: value } })
    return { token: value, account: accountId, name, username, byTicket: false }
  }
  const answer = await call(identity.redeemTicket, { body: { ticket: value, service } }).catch(
    (error) => finishElsewhere(service, problemOf(error)),
  )
  if ('nonce' in answer) return finishElsewhere(service, { nonce: answer.nonce })
  if ('due' in answer) return finishElsewhere(service, { state: answer.state })
  const { idToken } = answer
  const session = parseToken(idToken)
  if (!session) return undefined
  const { accountId, name, username } = session
  return { token: idToken, account: accountId, name, username, byTicket: true }
}

/** What went wrong with the login of an outside server has its own page; with our own, the return page says so. */
function problemOf(error: unknown) {
  if (error instanceof ApiError && error.code.startsWith('federation.'))
    return { problem: error.code }
  throw error
}

/** A sign-in that is not through by its ticket alone goes on where one signs in: this start ends here. */
function finishElsewhere(
  service: string,
  fields: { nonce: string } | { problem: string } | { state: string },
): Promise<never> {
  const page = 'state' in fields ? '/pages/login/login' : '/pages/login/bindAccount'
  const returnTarget = new URL(service).searchParams.get('returnTarget') ?? ''
  leaveFor(`${page}${joinSearch({ returnTarget })}#${new URLSearchParams(fields)}`)
  return new Promise(() => {})
}

/**
 * The settings as last heard. A member's are waited for on a first start; a visitor's are not: whoever comes for the first
 * time sees the institution before anything else.
 */
async function findSettings(signedIn: boolean): Promise<StartSettings> {
  const known = signedIn
    ? (read('platFormConfig') ?? (await inTime(queryClient.fetchQuery(q(config.detail)))))
    : queryClient.getQueryData(q(config.system).queryKey)?.publicConfig
  const { ENV_OPENING_PAGE, ENV_OPENING_PAGE_TOURIST, ENV_DIVERSION_PAGE } = byKey(known ?? [])
  return {
    // A page that needs no login shows nothing before itself.
    opening: ENV_OPENING_PAGE === '1' && !needsNoLogin,
    openingForVisitors: ENV_OPENING_PAGE_TOURIST === '1',
    diversion: ENV_DIVERSION_PAGE === '1' && !needsNoLogin,
  }
}

/** The code of the launch pages comes when one is looked for; without it there is none. */
const launchPages = () => import('./start-launch.ts')
const none = () => false

const wentBack = () => {
  const [navigation] = performance.getEntriesByType('navigation')
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}
