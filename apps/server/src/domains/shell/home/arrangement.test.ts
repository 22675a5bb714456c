import { home } from '@atrium/contract/shell/home'
import { map } from '@atrium/contract/shell/map'
import { appointments } from '@atrium/contract/work/appointments'
import { dayIn } from '@atrium/rules/day-in'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { arrangeBlocks, parseDefaultBlocks } from './rules.ts'

let app: TestApp
let student: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
})
const arrange = (blocks: [string, boolean][]) =>
  student(home.arrange, {
    body: { blocks: blocks.map(([block, shown]) => ({ block: block as 'news', shown })) },
  })
const shownOnHome = async (caller = student) => (await caller(home.read)).data.blocks

test('home includes only the places of today’s rooms', async () => {
  const teacher = await app.as('teacher')
  const known = (await app.visitor(map.places)).data
  const place = known.find(({ kind }) => kind === 'health') ?? known[0]
  const before = (await teacher(home.read)).data.places
  expect(before).not.toContainEqual(place)
  await teacher(appointments.create, {
    body: {
      uid: '00000000-0000-4000-8000-00000000aa01',
      title: '体检',
      location: `${place?.name} 201`,
      startsLocal: `${dayIn(Date.now(), 'Asia/Shanghai')}T12:00`,
      minutes: 60,
    },
  })
  await app.platform.topics.flushed()
  expect((await teacher(home.read)).data.places).toEqual(expect.arrayContaining([place]))
  expect((await app.visitor(home.read)).data.places).toEqual([])
})

describe('home', () => {
  afterEach(() => student(home.resetArrangement))

  test('shows every block in the default order, also to visitors', async () => {
    const usual = ['quick', 'slides', 'todo', 'cards', 'notices', 'news']
    expect(await shownOnHome()).toEqual(usual)
    expect(await shownOnHome(app.visitor)).toEqual(usual)
    expect((await student(home.arrangement)).data.own).toBe(false)
  })

  test('can be arranged by each member for themselves', async () => {
    const { data } = await arrange([
      ['news', true],
      ['todo', true],
      ['slides', false],
    ])
    expect(data.own).toBe(true)
    expect(await shownOnHome()).toEqual(['news', 'todo', 'quick', 'cards', 'notices'])
    expect((await shownOnHome(await app.as('teacher')))?.[0]).toBe('quick')
    expect((await student(home.resetArrangement)).data.own).toBe(false)
    expect((await shownOnHome())?.[0]).toBe('quick')
  })

  test('rejects duplicate and unknown blocks, an empty list and visitors', async () => {
    expect(
      await arrange([
        ['news', true],
        ['news', false],
      ]),
    ).toMatchObject({ status: 400, error: 'home.block_twice' })
    expect(await arrange([['weather', true]])).toMatchObject({ status: 400 })
    expect(await arrange([])).toMatchObject({ status: 400 })
    expect(await app.visitor(home.arrangement)).toMatchObject({ status: 401 })
  })
})

describe('the arrangement proposed by operators', () => {
  const proposed = parseDefaultBlocks(
    JSON.stringify([
      { block: 'notices', fixed: true },
      { block: 'news' },
      { block: 'weather' },
      { block: 'news', fixed: true },
      'todo',
      { block: 'cards' },
    ]),
  )
  const names = (own?: { blocks: string[]; hidden: string[] }) =>
    arrangeBlocks(proposed, own)
      .filter(({ shown }) => shown)
      .map(({ block }) => block)

  test('ignores invalid and duplicate entries', () => {
    expect(proposed).toEqual([
      { block: 'notices', fixed: true },
      { block: 'news', fixed: false },
      { block: 'cards', fixed: false },
    ])
    expect(parseDefaultBlocks('[]')).toHaveLength(6)
    expect(parseDefaultBlocks('[{"block":"weather"}]')).toHaveLength(6)
  })

  test('is overridden by the member’s choice, except for fixed and removed blocks', () => {
    expect(names()).toEqual(['notices', 'news', 'cards'])
    // Fixed blocks stay, removed ones are dropped, new ones follow their predecessor.
    expect(names({ blocks: ['quick', 'cards', 'notices'], hidden: ['notices', 'cards'] })).toEqual([
      'notices',
      'news',
    ])
    expect(names({ blocks: ['news', 'cards'], hidden: [] })).toEqual(['notices', 'news', 'cards'])
  })
})
