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
    ['a page that is not home stays', { ...member, href: detail }, [], at(detail)],
    ['going back to home asks for nothing', { ...member, returning: true }, [], at(home)],
    ['nothing left behind: home', {}, [settings({})], at(home)],
    ['the page one left', { ...member, lastPage: detail }, [], at(detail)],
    [
      'the page one left may be home',
      { ...member, lastPage: home },
      [settings({ opening: true }), { type: 'opening', found: true }],
      opening,
    ],
    [
      'home keeps its fields',
      { ...member, href: `${home}?isHideTabbar=1` },
      [settings({})],
      at(`${home}?isHideTabbar=1`),
    ],
    ['an opening page comes first', member, [all, { type: 'opening', found: true }], opening],
    [
      'without an eligible one the diversion page is looked for',
      member,
      [all, { type: 'opening', found: false }, { type: 'diversion', found: true }],
      diversion,
    ],
    [
      'without either home shows',
      member,
      [all, { type: 'opening', found: false }, { type: 'diversion', found: false }],
      at(home),
    ],
    [
      'the diversion page alone',
      member,
      [settings({ diversion: true }), { type: 'diversion', found: true }],
      diversion,
    ],
    ['nothing is on', member, [settings({})], at(home)],
    [
      'a visitor sees no opening page of members',
      {},
      [settings({ opening: true, diversion: true })],
      at(home),
    ],
    [
      'a visitor sees those for visitors, and never a diversion page',
      {},
      [all, { type: 'opening', found: false }],
      at(home),
    ],
    [
      'an opening page for visitors',
      {},
      [settings({ opening: true, openingForVisitors: true }), { type: 'opening', found: true }],
      opening,
    ],
    [
      'opening pages for visitors are off with opening pages',
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
    ['it is verified first', token, [], { step: 'verifying' }],
    ['a ticket too', { credential: 'ticket' }, [], { step: 'verifying' }],
    ['a visitor is signed in', token, [verified], { step: 'settings', signedIn: true }],
    [
      'the same member goes on',
      { ...token, account: '2' },
      [verified],
      { step: 'settings', signedIn: true },
    ],
    ['another member is asked', { ...token, ...member }, [verified], { step: 'asking' }],
    [
      'and goes on as whoever was chosen',
      { ...token, ...member, href: detail },
      [verified, { type: 'answered', change: false }],
      at(detail),
    ],
    [
      'a refused one leaves a visitor a visitor',
      token,
      [{ type: 'refused' }],
      { step: 'settings', signedIn: false },
    ],
    [
      'and a member a member',
      { ...token, ...member },
      [{ type: 'refused' }],
      { step: 'settings', signedIn: true },
    ],
    ['the page it came with shows', { ...token, href: detail }, [verified], at(detail)],
  ])('%s', (_, given, events, end) => {
    expect(run(facts(given), events).at(-1)).toEqual(end)
  })
})

test('an event that belongs to another state changes nothing', () => {
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
