import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/test-app.ts'
import {
  admits,
  audienceFor,
  evaluateAudiences,
  type Facts,
  type Rule,
  visitorFacts,
} from './audience.ts'

const student: Facts = {
  accountId: '7',
  identityTypeCode: 'S01',
  organizationPath: ['JLU', 'CS', 'CS-SE'],
  groups: ['class-1', 'choir'],
}
const include = (kind: string, target?: string) => ({ effect: 'include', kind, target }) as Rule
const exclude = (kind: string, target?: string) => ({ effect: 'exclude', kind, target }) as Rule

describe('an audience', () => {
  test.each<[string, Rule[], boolean, boolean]>([
    ['without rules admits nobody', [], false, false],
    ['for everybody admits members but no visitors', [include('everybody')], true, false],
    ['for guests admits only visitors', [include('guests')], false, true],
    [
      'for everybody and guests admits members and visitors',
      [include('everybody'), include('guests')],
      true,
      true,
    ],
    ['for an identity type admits its members', [include('identity', 'S01')], true, false],
    [
      'for another identity type does not admit the member',
      [include('identity', 'T01')],
      false,
      false,
    ],
    [
      'for an organisation admits members of its sub-organisations',
      [include('organization', 'CS')],
      true,
      false,
    ],
    [
      'for the member’s own organisation admits the member',
      [include('organization', 'CS-SE')],
      true,
      false,
    ],
    [
      'for a sibling organisation does not admit the member',
      [include('organization', 'CS-AI')],
      false,
      false,
    ],
    [
      'for an organisation whose code is only a prefix does not admit the member',
      [include('organization', 'CS-S')],
      false,
      false,
    ],
    ['for a group admits its members', [include('group', 'choir')], true, false],
    ['for a single account admits that member', [include('account', '7')], true, false],
    [
      'that excludes an account does not admit it',
      [include('everybody'), exclude('account', '7')],
      false,
      false,
    ],
    [
      'that excludes another group admits the member',
      [exclude('group', 'class-2'), include('everybody')],
      true,
      false,
    ],
    ['with only exclusions admits nobody', [exclude('group', 'class-2')], false, false],
    [
      'gives exclusion priority over inclusion in any order',
      [exclude('identity', 'S01'), include('account', '7')],
      false,
      false,
    ],
  ])('%s', (_, rules, member, visitor) => {
    expect(admits(rules, student)).toBe(member)
    expect(admits(rules, visitorFacts)).toBe(visitor)
  })
})

const someRule = fc.oneof(
  fc.record({
    effect: fc.constantFrom('include', 'exclude'),
    kind: fc.constantFrom('everybody', 'guests'),
  }),
  fc.record({
    effect: fc.constantFrom('include', 'exclude'),
    kind: fc.constantFrom('identity', 'organization', 'group'),
    target: fc.constantFrom('a', 'b', 'c'),
  }),
) as fc.Arbitrary<Rule>
const someFacts: fc.Arbitrary<Facts> = fc.record({
  accountId: fc.constantFrom('1', '2', '3'),
  identityTypeCode: fc.constantFrom('a', 'b', 'c'),
  organizationPath: fc.subarray(['a', 'b', 'c']),
  groups: fc.subarray(['a', 'b', 'c']),
})

describe('an audience class', () => {
  test('contains only people admitted by the same audiences', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(someRule, { maxLength: 4 }), { maxLength: 6 }),
        someFacts,
        someFacts,
        (sets, one, other) => {
          const audiences = new Map(sets.map((rules, at) => [at + 1, rules]))
          const [first, second] = [
            evaluateAudiences(audiences, one),
            evaluateAudiences(audiences, other),
          ]
          fc.pre(first.audienceClass === second.audienceClass)
          for (const rules of sets) expect(admits(rules, one)).toBe(admits(rules, other))
        },
      ),
    )
  })

  test('is null for a member named by a rule, and only for that member', () => {
    const audiences = new Map([
      [1, [include('account', '7')]],
      [2, [include('everybody')]],
    ])
    expect(evaluateAudiences(audiences, student)).toEqual({
      audiences: [1, 2],
      audienceClass: null,
    })
    expect(evaluateAudiences(audiences, { ...student, accountId: '8' })).toEqual({
      audiences: [2],
      audienceClass: '2',
    })
  })
})

describe('equal sets of rules', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await testApp()
  })

  test('share one row in any order, with duplicates and under concurrent calls', async () => {
    const rules = [include('group', 'x-1'), exclude('identity', 'G01')]
    const keys = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        audienceFor(app.platform.db, n % 2 ? rules : [...rules].reverse().concat(rules)),
      ),
    )
    expect(new Set(keys).size).toBe(1)
    expect(await audienceFor(app.platform.db, [include('group', 'x-1')])).not.toBe(keys[0])
  })
})
