import { pathOf } from '#shell/navigation/page-stack.ts'

/**
 * The start-up sequence of the specification (shell 2) as a pure state machine, so that every branch can be
 * table-tested. `start.ts` performs what a state asks for and reports the outcome as an event.
 */
export type StartFacts = {
  /** The start address without its credential; home's for the entry page. */
  href: string
  /** The path of the home tab. */
  home: string
  /** The page left a short while ago, if the app was started without naming one. */
  lastPage: string | undefined
  /** The browser went back or forward to this page. */
  returning: boolean
  /** The kind of credential in the address. */
  credential: 'token' | 'ticket' | undefined
  /** The account signed in on this device. */
  account: string | undefined
}

/** The launch pages turned on in the configuration. */
export type StartSettings = { opening: boolean; openingForVisitors: boolean; diversion: boolean }

export type StartState =
  /** The server verifies the credential; nothing of it is stored before. */
  | { step: 'verifying' }
  /** Another account is signed in here: the user decides. */
  | { step: 'asking' }
  /** Waits for the settings that say which launch pages are on. */
  | { step: 'settings'; signedIn: boolean }
  | { step: 'opening'; signedIn: boolean; diversion: boolean }
  | { step: 'diversion' }
  /** Final: this address is shown. */
  | { step: 'mounted'; href: string }

export type StartEvent =
  | { type: 'verified'; account: string }
  | { type: 'refused' }
  | { type: 'answered'; change: boolean }
  | { type: 'settings'; settings: StartSettings }
  | { type: 'opening'; found: boolean }
  | { type: 'diversion'; found: boolean }

const openingPath = '/pages/openPage/openPage'
const diversionPath = '/pages/fenliu/fenliu'

export function beginStart(facts: StartFacts): StartState {
  return facts.credential ? { step: 'verifying' } : locate(facts, facts.account !== undefined)
}

/** The next state; an event that does not belong to the state leaves it unchanged. */
export function nextStart(state: StartState, event: StartEvent, facts: StartFacts): StartState {
  if (state.step === 'verifying' && event.type === 'verified') {
    const somebodyElse = facts.account !== undefined && facts.account !== event.account
    return somebodyElse ? { step: 'asking' } : locate(facts, true)
  }
  // A rejected credential changes nothing.
  if (state.step === 'verifying' && event.type === 'refused')
    return locate(facts, facts.account !== undefined)
  if (state.step === 'asking' && event.type === 'answered') return locate(facts, true)
  if (state.step === 'settings' && event.type === 'settings') {
    const { opening, openingForVisitors, diversion } = event.settings
    const { signedIn } = state
    if (opening && (signedIn || openingForVisitors))
      return { step: 'opening', signedIn, diversion: diversion && signedIn }
    return afterOpening(facts, diversion && signedIn)
  }
  if (state.step === 'opening' && event.type === 'opening')
    return event.found ? mounted(openingPath) : afterOpening(facts, state.diversion)
  if (state.step === 'diversion' && event.type === 'diversion')
    return mounted(event.found ? diversionPath : destination(facts))
  return state
}

/** Where the start ends if nothing is shown before. */
const destination = ({ lastPage, href }: StartFacts) => lastPage ?? href

const mounted = (href: string): StartState => ({ step: 'mounted', href })

function locate(facts: StartFacts, signedIn: boolean): StartState {
  const href = destination(facts)
  if (pathOf(href) !== facts.home || facts.returning) return mounted(href)
  return { step: 'settings', signedIn }
}

const afterOpening = (facts: StartFacts, diversion: boolean): StartState =>
  diversion ? { step: 'diversion' } : mounted(destination(facts))
