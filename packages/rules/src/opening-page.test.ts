import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentKind, eligibleOpeningPages, type OpeningRules } from './opening-page.ts'

const zone = 'Asia/Shanghai'
const page = (differs: Partial<OpeningRules> = {}): OpeningRules => ({
  id: '7',
  terminals: ['2', '6'],
  frequencyType: 'unlimited',
  frequency: 0,
  validDateType: 'permanent',
  customValidDateType: '',
  customValidStartDate: '',
  customValidEndDate: '',
  ...differs,
})
const range = (customValidDateType: string, differs: Partial<OpeningRules> = {}) =>
  page({
    validDateType: 'custom',
    customValidDateType,
    customValidStartDate: '2026-11-20',
    customValidEndDate: '2026-11-23',
    ...differs,
  })
const shownAt = (
  item: OpeningRules,
  { now = '2026-11-23T10:00:00+08:00', shown = [] as string[], terminal = '6' } = {},
) => eligibleOpeningPages([item], { shown, now: new Date(now), zone, terminal }).length === 1

test('is eligible only on the terminals it lists', () => {
  expect(shownAt(page())).toBe(true)
  expect(shownAt(page({ terminals: ['1', '2'] }))).toBe(false)
  expect(shownAt(page({ terminals: [] }))).toBe(false)
  expect(shownAt(page({ terminals: ['1', '2'] }), { terminal: '2' })).toBe(true)
})

test.each([
  ['limited', 2, [], true],
  ['limited', 2, ['7'], true],
  ['limited', 2, ['7', '7'], false],
  ['limited', 2, ['7', '7', '7'], false],
  ['limited', 2, ['7', '8', '8', '77'], true],
  ['limited', 0, [], false],
  ['unlimited', 1, ['7', '7', '7'], true],
  ['', 1, ['7'], true],
])(
  'frequency type %s with limit %i, already shown %j: eligible is %s',
  (frequencyType, frequency, shown, eligible) => {
    expect(shownAt(page({ frequencyType, frequency }), { shown })).toBe(eligible)
  },
)

test.each([
  // the range is inclusive, from the start of the first day to the end of the last in the institution's zone
  ['2026-11-19T23:59:59.999+08:00', false],
  ['2026-11-20T00:00:00+08:00', true],
  ['2026-11-21T12:00:00+08:00', true],
  ['2026-11-23T23:59:59.999+08:00', true],
  ['2026-11-24T00:00:00+08:00', false],
  ['2026-11-23T16:00:00Z', false],
])('at %s the date range includes now: %s', (now, inside) => {
  expect(shownAt(range('include'), { now })).toBe(inside)
  expect(shownAt(range('exclude'), { now })).toBe(!inside)
})

test.each<[string, OpeningRules, boolean]>([
  [
    'is eligible within a range of one day',
    range('include', { customValidStartDate: '2026-11-23' }),
    true,
  ],
  [
    'is eligible on the last day if the dates have a time of day',
    range('include', { customValidEndDate: '2026-11-23 00:00:00' }),
    true,
  ],
  // midnight of the 24th in the institution's zone
  [
    'is not eligible on an excluded day given in UTC',
    range('exclude', { customValidEndDate: '2026-11-22T16:00:00.000Z' }),
    false,
  ],
  [
    'is not eligible with an unreadable date',
    range('include', { customValidStartDate: 'Friday' }),
    false,
  ],
  [
    'is not eligible with a range without dates',
    range('exclude', { customValidStartDate: '', customValidEndDate: '' }),
    false,
  ],
  ['is not eligible with an unknown range type', range('sometimes'), false],
  [
    'is not eligible within its range if the limit is reached',
    range('include', { frequencyType: 'limited' }),
    false,
  ],
])('%s', (_, item, eligible) => {
  expect(shownAt(item)).toBe(eligible)
})

test('a permanent page ignores its dates but not its limit', () => {
  expect(shownAt(page({ customValidStartDate: 'x' }))).toBe(true)
  expect(shownAt(page({ frequencyType: 'limited', frequency: 1 }), { shown: ['7'] })).toBe(false)
})

test('the order of the server is kept', () => {
  const items = ['3', '1', '2'].map((id) => page({ id }))
  const context = { shown: [], now: new Date(), zone, terminal: '6' }
  expect(eligibleOpeningPages(items, context)).toEqual(items)
})

test('every moment is either included or excluded by a range', () => {
  const moments = fc.date({
    min: new Date('2026-11-01'),
    max: new Date('2026-12-15'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, (date) => {
      const now = date.toISOString()
      expect(shownAt(range('include'), { now })).toBe(!shownAt(range('exclude'), { now }))
    }),
  )
})

test.each([
  ['https://img.example.edu/a.gif', 'image'],
  ['https://img.example.edu/a.PNG?v=2#top', 'image'],
  ['/files/12/spring.jpg', 'image'],
  ['/files/12/spring.jpeg', 'image'],
  ['/files/12/spring.webp', 'image'],
  ['/files/12/spring.avif', 'image'],
  ['/files/12/spring.mp4', 'video'],
  ['/thumbor/unsafe/fit-in/1080x0/https%3A%2F%2Fimg.example.edu%2Fa.png%3Fv%3D2', 'image'],
  ['/files/12', 'video'],
  ['https://img.example.edu/film?poster=a.png', 'video'],
  ['https://img.example.edu/png', 'video'],
  ['', 'video'],
] as const)('content at %s is shown as %s', (url, kind) => {
  expect(contentKind(url)).toBe(kind)
})
