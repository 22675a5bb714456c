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

describe('an audience admits', () => {
  test.each<[string, Rule[], boolean, boolean]>([
    ['nobody without a rule', [], false, false],
    ['every member', [include('everybody')], true, false],
    ['visitors alone', [include('guests')], false, true],
    ['the public', [include('everybody'), include('guests')], true, true],
    ['an identity type', [include('identity', 'S01')], true, false],
    ['another identity type', [include('identity', 'T01')], false, false],
    ['an organisation and all below it', [include('organization', 'CS')], true, false],
    ['the member’s own organisation', [include('organization', 'CS-SE')], true, false],
    ['a sibling organisation', [include('organization', 'CS-AI')], false, false],
    [
      'an organisation whose code only begins alike',
      [include('organization', 'CS-S')],
      false,
      false,
    ],
    ['a group', [include('group', 'choir')], true, false],
    ['a single account', [include('account', '7')], true, false],
    ['all but an account', [include('everybody'), exclude('account', '7')], false, false],
    ['all but a group', [exclude('group', 'class-2'), include('everybody')], true, false],
    ['nobody by excluding alone', [exclude('group', 'class-2')], false, false],
    [
      'exclusion over inclusion, whatever the order',
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

describe('a class', () => {
  test('holds people who see the same', () => {
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

  test('is none for somebody whom a rule names, and only for him', () => {
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

  test('share one row, in any order, doubled, and when many ask at once', async () => {
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
