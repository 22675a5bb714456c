import { pathOf } from '#shell/navigation/page-stack.ts'

/**
 * The start-up sequence of the specification (shell 2) as a state machine: pure, so that every branch has a line in a table.
 * `start.ts` does what a state asks for and tells what came of it.
 */
export type StartFacts = {
  /** The address the app was started with, without its credential; home's for the entry page. */
  href: string
  /** The path of the home tab. */
  home: string
  /** The screen one left a short while ago, where the app was started without naming one. */
  lastPage: string | undefined
  /** The browser went back or forward to this page. */
  returning: boolean
  /** What the address brought along. */
  credential: 'token' | 'ticket' | undefined
  /** The account that is signed in on this device. */
  account: string | undefined
}

/** What the configuration turns on. */
export type StartSettings = { opening: boolean; openingForVisitors: boolean; diversion: boolean }

export type StartState =
  /** The server says whose the credential is; nothing of it is stored before. */
  | { at: 'verifying' }
  /** Somebody else is signed in here: the person decides. */
  | { at: 'asking' }
  /** Which launch pages are on. */
  | { at: 'settings'; signedIn: boolean }
  | { at: 'opening'; signedIn: boolean; diversion: boolean }
  | { at: 'diversion' }
  /** Decided: this address shows. */
  | { at: 'mounted'; href: string }

export type StartEvent =
  | { is: 'verified'; account: string }
  | { is: 'refused' }
  | { is: 'answered'; change: boolean }
  | { is: 'settings'; settings: StartSettings }
  | { is: 'opening'; found: boolean }
  | { is: 'diversion'; found: boolean }

const openingPath = '/pages/openPage/openPage'
const diversionPath = '/pages/fenliu/fenliu'

export function beginStart(facts: StartFacts): StartState {
  return facts.credential ? { at: 'verifying' } : locate(facts, facts.account !== undefined)
}

/** What follows; an event that does not belong to the state leaves it as it is. */
export function nextStart(state: StartState, event: StartEvent, facts: StartFacts): StartState {
  if (state.at === 'verifying' && event.is === 'verified') {
    const somebodyElse = facts.account !== undefined && facts.account !== event.account
    return somebodyElse ? { at: 'asking' } : locate(facts, true)
  }
  // A credential that is worth nothing changes nothing.
  if (state.at === 'verifying' && event.is === 'refused')
    return locate(facts, facts.account !== undefined)
  if (state.at === 'asking' && event.is === 'answered') return locate(facts, true)
  if (state.at === 'settings' && event.is === 'settings') {
    const { opening, openingForVisitors, diversion } = event.settings
    const { signedIn } = state
    if (opening && (signedIn || openingForVisitors))
      return { at: 'opening', signedIn, diversion: diversion && signedIn }
    return afterOpening(facts, diversion && signedIn)
  }
  if (state.at === 'opening' && event.is === 'opening')
    return event.found ? mounted(openingPath) : afterOpening(facts, state.diversion)
  if (state.at === 'diversion' && event.is === 'diversion')
    return mounted(event.found ? diversionPath : destination(facts))
  return state
}

/** Where the start ends when nothing is shown before. */
const destination = ({ lastPage, href }: StartFacts) => lastPage ?? href

const mounted = (href: string): StartState => ({ at: 'mounted', href })

function locate(facts: StartFacts, signedIn: boolean): StartState {
  const href = destination(facts)
  if (pathOf(href) !== facts.home || facts.returning) return mounted(href)
  return { at: 'settings', signedIn }
}

const afterOpening = (facts: StartFacts, diversion: boolean): StartState =>
  diversion ? { at: 'diversion' } : mounted(destination(facts))
