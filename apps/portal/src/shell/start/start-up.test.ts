import { describe, expect, test } from 'vitest'
import {
  beginStart,
  nextStart,
  type StartEvent,
  type StartFacts,
  type StartSettings,
  type StartState,
} from './start-up.ts'

const home = '/pages/tab/index/index'
const detail = '/pagesA/news/detail?id=7'
const opening = { step: 'mounted', href: '/pages/openPage/openPage' }
const diversion = { step: 'mounted', href: '/pages/fenliu/fenliu' }
const at = (href: string) => ({ step: 'mounted', href })

const facts = (given: Partial<StartFacts>): StartFacts => ({
  href: home,
  home,
  lastPage: undefined,
  returning: false,
  credential: undefined,
  account: undefined,
  ...given,
})
const member = { account: '1' }
const off: StartSettings = { opening: false, openingForVisitors: false, diversion: false }
const settings = (given: Partial<StartSettings>): StartEvent => ({
  type: 'settings',
  settings: { ...off, ...given },
})
const all = settings({ opening: true, openingForVisitors: true, diversion: true })

/** Every state that the start goes through. */
function run(given: StartFacts, events: StartEvent[]): StartState[] {
  const states = [beginStart(given)]
  for (const event of events) states.push(nextStart(states.at(-1) as StartState, event, given))
  return states
}

describe('without a credential in the address', () => {
  test.each<[string, Partial<StartFacts>, StartEvent[], unknown]>([
    ['stays on a page other than home', { ...member, href: detail }, [], at(detail)],
    [
      'shows home without loading settings when returning to it',
      { ...member, returning: true },
      [],
      at(home),
    ],
    ['shows home if there is no last page', {}, [settings({})], at(home)],
    ['reopens the last page', { ...member, lastPage: detail }, [], at(detail)],
    [
      'shows an opening page if the last page was home',
      { ...member, lastPage: home },
      [settings({ opening: true }), { type: 'opening', found: true }],
      opening,
    ],
    [
      'keeps the query of home',
      { ...member, href: `${home}?isHideTabbar=1` },
      [settings({})],
      at(`${home}?isHideTabbar=1`),
    ],
    [
      'shows an opening page before a diversion page',
      member,
      [all, { type: 'opening', found: true }],
      opening,
    ],
    [
      'shows a diversion page if no opening page is eligible',
      member,
      [all, { type: 'opening', found: false }, { type: 'diversion', found: true }],
      diversion,
    ],
    [
      'shows home if neither page is found',
      member,
      [all, { type: 'opening', found: false }, { type: 'diversion', found: false }],
      at(home),
    ],
    [
      'shows a diversion page if only that is enabled',
      member,
      [settings({ diversion: true }), { type: 'diversion', found: true }],
      diversion,
    ],
    ['shows home if nothing is enabled', member, [settings({})], at(home)],
    [
      'shows no opening page for members to a visitor',
      {},
      [settings({ opening: true, diversion: true })],
      at(home),
    ],
    [
      'shows no diversion page to a visitor',
      {},
      [all, { type: 'opening', found: false }],
      at(home),
    ],
    [
      'shows an opening page for visitors to a visitor',
      {},
      [settings({ opening: true, openingForVisitors: true }), { type: 'opening', found: true }],
      opening,
    ],
    [
      'shows no opening page to a visitor if opening pages are disabled',
      {},
      [settings({ openingForVisitors: true })],
      at(home),
    ],
  ])('%s', (_, given, events, end) => {
    expect(run(facts(given), events).at(-1)).toEqual(end)
  })
})

describe('with a credential in the address', () => {
  const token = { credential: 'token' } as const
  const verified: StartEvent = { type: 'verified', account: '2' }

  test.each<[string, Partial<StartFacts>, StartEvent[], unknown]>([
    ['verifies a token first', token, [], { step: 'verifying' }],
    ['verifies a ticket first', { credential: 'ticket' }, [], { step: 'verifying' }],
    ['signs in a visitor', token, [verified], { step: 'settings', signedIn: true }],
    [
      'continues if the same member is signed in',
      { ...token, account: '2' },
      [verified],
      { step: 'settings', signedIn: true },
    ],
    [
      'asks if another member is signed in',
      { ...token, ...member },
      [verified],
      { step: 'asking' },
    ],
    [
      'continues after the question is answered',
      { ...token, ...member, href: detail },
      [verified, { type: 'answered', change: false }],
      at(detail),
    ],
    [
      'keeps a visitor signed out if the credential is refused',
      token,
      [{ type: 'refused' }],
      { step: 'settings', signedIn: false },
    ],
    [
      'keeps a member signed in if the credential is refused',
      { ...token, ...member },
      [{ type: 'refused' }],
      { step: 'settings', signedIn: true },
    ],
    ['shows the page of the address', { ...token, href: detail }, [verified], at(detail)],
  ])('%s', (_, given, events, end) => {
    expect(run(facts(given), events).at(-1)).toEqual(end)
  })
})

test('an event of another state is ignored', () => {
  const given = facts(member)
  const states: StartState[] = [
    { step: 'verifying' },
    { step: 'asking' },
    { step: 'settings', signedIn: true },
    { step: 'opening', signedIn: true, diversion: true },
    { step: 'diversion' },
    at(home) as StartState,
  ]
  const expectedEvents = ['verified refused', 'answered', 'settings', 'opening', 'diversion', '']
  const events: StartEvent[] = [
    { type: 'verified', account: '1' },
    { type: 'refused' },
    { type: 'answered', change: true },
    all,
    { type: 'opening', found: true },
    { type: 'diversion', found: true },
  ]
  states.forEach((state, index) => {
    for (const event of events) {
      if (expectedEvents[index]?.includes(event.type))
        expect(nextStart(state, event, given)).not.toBe(state)
      else expect(nextStart(state, event, given)).toBe(state)
    }
  })
})
