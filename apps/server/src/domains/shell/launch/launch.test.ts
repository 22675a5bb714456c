import { launch } from '@atrium/contract/shell/launch'
import { beforeAll, expect, test, vi } from 'vitest'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import type { Kind } from './queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.platform.db.deleteFrom('launch_item').execute()
})

const everybody: Rule = { effect: 'include', kind: 'everybody' }
const guests: Rule = { effect: 'include', kind: 'guests' }
const students: Rule = { effect: 'include', kind: 'identity', target: 'S01' }
const teachers: Rule = { effect: 'include', kind: 'identity', target: 'T01' }

/** Replaces all rows of a kind directly, past the API's checks. */
async function store(
  kind: Kind,
  ...items: { content: unknown; rules: Rule[]; position?: number; online?: boolean }[]
) {
  const { db, topics } = app.platform
  await db.transaction().execute(async (db) => {
    await db.deleteFrom('launch_item').where('kind', '=', kind).execute()
    for (const { content, rules, ...row } of items) {
      await db
        .insertInto('launch_item')
        .values({
          kind,
          content: JSON.stringify(content),
          audience_id: await audienceFor(db, rules),
          ...row,
        })
        .execute()
    }
    await invalidate(db, 'launch')
  })
  await topics.flushed()
}

const page = (title: string, differs = {}) => ({
  title,
  contentUrl: `/files/1/${title}.webp`,
  ...differs,
})

test('members and visitors get the opening pages of their audience', async () => {
  await store(
    'opening_page',
    { content: page('second'), rules: [everybody], position: 2 },
    { content: page('students'), rules: [students], position: 1 },
    { content: page('teachers'), rules: [teachers] },
    { content: page('visitors'), rules: [guests] },
    { content: page('off'), rules: [everybody, guests], online: false },
  )
  const titles = (data: { title: string }[]) => data.map(({ title }) => title)
  const student = await app.as('student')
  expect(titles((await student(launch.openingPages)).data)).toEqual(['students', 'second'])
  expect(titles((await (await app.as('staff'))(launch.openingPages)).data)).toEqual(['second'])
  expect(await app.visitor(launch.openingPages)).toMatchObject({
    status: 401,
    error: 'session.required',
  })
  for (const caller of [app.visitor, student])
    expect(titles((await caller(launch.visitorOpeningPages)).data)).toEqual(['visitors'])
})

test('an opening page has every field, with defaults', async () => {
  await store('opening_page', { content: page('plain', { old: 'field' }), rules: [everybody] })
  expect((await (await app.as('student'))(launch.openingPages)).data).toEqual([
    {
      id: expect.any(String),
      title: 'plain',
      titleEn: '',
      terminals: ['6'],
      contentUrl: '/files/1/plain.webp',
      link: '',
      seconds: 5,
      frequencyType: 'unlimited',
      frequency: 1,
      validDateType: 'permanent',
      customValidDateType: 'include',
      customValidStartDate: '',
      customValidEndDate: '',
    },
  ])
})

test('diversion pages are filtered by terminal, by default H5', async () => {
  const diversion = (title: string, terminals: string[]) => ({
    content: {
      title,
      terminals,
      destinations: [{ title: 'Hub', link: '/pages/tab/service/index' }],
    },
    rules: [everybody],
  })
  await store(
    'diversion',
    diversion('H5', ['6']),
    diversion('app', ['2']),
    diversion('both', ['2', '6']),
  )
  const student = await app.as('student')
  const titles = async (query: object) =>
    (await student(launch.diversions, { query })).data.map(({ title }) => title)
  expect(await titles({ terminal: 6 })).toEqual(['H5', 'both'])
  expect(await titles({})).toEqual(['H5', 'both'])
  expect(await titles({ terminal: 2 })).toEqual(['app', 'both'])
  expect(await student(launch.diversions, { query: { terminal: '9' } })).toMatchObject({
    status: 400,
    fields: { terminal: expect.any(String) },
  })
  expect((await app.visitor(launch.diversions)).status).toBe(401)
})

const theme = (name: string, ...validLists: object[]) => ({
  content: {
    name,
    validLists,
    footTabs: [
      { name: '春', iconPath: '/files/2', backgroundUrl: '/files/3' },
      { iconPath: 'gift' },
    ],
  },
  rules: [everybody],
})
const permanent = { validTimeType: 'permanent' }
const span = (customValidTimeType: string, fromDays: number, toDays: number) => ({
  validTimeType: 'custom',
  customValidTimeType,
  customValidStartTime: new Date(Date.now() + fromDays * 86_400_000).toISOString(),
  customValidEndTime: new Date(Date.now() + toDays * 86_400_000).toISOString(),
})

test('the theme is the first currently valid one for the caller’s audience', async () => {
  await store(
    'theme',
    theme('over', span('include', -3, -1)),
    theme('not now', span('exclude', -1, 1)),
    { ...theme('others', permanent), rules: [teachers] },
    theme('now', span('include', -3, -1), span('include', -1, 1)),
    theme('always', permanent),
  )
  const student = await app.as('student')
  const tab = (differs: object) => ({
    text: '',
    textEn: '',
    name: '',
    iconPath: '',
    selectedIconPath: '',
    backgroundUrl: '',
    ...differs,
  })
  expect((await student(launch.theme)).data).toMatchObject({
    name: 'now',
    isValidForNow: true,
    backgroundUrl: '/files/3',
    footTabs: [
      tab({ text: '春', name: '春', iconPath: '/files/2', backgroundUrl: '/files/3' }),
      tab({ iconPath: 'gift' }),
    ],
  })
  expect((await (await app.as('teacher'))(launch.theme)).data).toMatchObject({ name: 'others' })
  expect(await app.visitor(launch.theme)).toMatchObject({ status: 200, data: null })
})

test('slides are the currently valid ones in the operators’ order', async () => {
  const slide = (
    title: string,
    position: number,
    startsAt: number | null,
    endsAt: number | null,
  ) => {
    const at = (days: number | null) =>
      days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString()
    return {
      content: { title, imageUrl: '/files/4', startsAt: at(startsAt), endsAt: at(endsAt) },
      rules: [everybody, guests],
      position,
    }
  }
  await store(
    'slide',
    slide('last', 9, null, null),
    slide('over', 1, -3, -1),
    slide('later', 1, 1, 2),
    slide('first', 1, -1, 1),
    slide('open', 5, -1, null),
    { ...slide('teachers', 0, null, null), rules: [teachers] },
  )
  for (const caller of [app.visitor, await app.as('student')]) {
    const { data } = await caller(launch.slides)
    expect(data.map(({ title, order }) => [title, order])).toEqual([
      ['first', 1],
      ['open', 5],
      ['last', 9],
    ])
  }
  expect((await (await app.as('teacher'))(launch.slides)).data[0]?.title).toBe('teachers')
})

test('external images are served through the image service, videos are not', async () => {
  const elsewhere = 'https://img.example.edu/a.png?v=2'
  const through = (box: string) =>
    `/thumbor/unsafe/fit-in/${box}/https%3A%2F%2Fimg.example.edu%2Fa.png%3Fv%3D2`
  const film = 'https://img.example.edu/a.mp4'
  await store(
    'opening_page',
    { content: page('picture', { contentUrl: elsewhere }), rules: [everybody] },
    { content: page('film', { contentUrl: film }), rules: [everybody] },
  )
  await store('slide', { content: { title: 'x', imageUrl: elsewhere }, rules: [everybody] })
  const tab = { iconPath: elsewhere, selectedIconPath: 'gift', backgroundUrl: elsewhere }
  await store('theme', {
    content: { name: 'x', footTabs: [tab], validLists: [permanent] },
    rules: [everybody],
  })
  const student = await app.as('student')
  const pages = (await student(launch.openingPages)).data.map(({ contentUrl }) => contentUrl)
  expect(pages).toEqual([through('1080x0'), film])
  expect((await student(launch.slides)).data[0]?.imageUrl).toBe(through('1080x0'))
  expect((await student(launch.theme)).data).toMatchObject({
    backgroundUrl: through('1080x0'),
    footTabs: [{ iconPath: through('200x200'), selectedIconPath: 'gift' }],
  })
})

test('stored items with wrong types are ignored and logged', async () => {
  const { log } = app.platform
  log.level = 'warn'
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const good = theme('good', permanent)
  await store(
    'theme',
    { content: null, rules: [everybody] },
    { content: 'a theme', rules: [everybody] },
    { content: [], rules: [everybody] },
    { content: { ...good.content, footTabs: [{ iconPath: 7 }] }, rules: [everybody] },
    { content: { ...good.content, footTabs: '[]' }, rules: [everybody] },
    { content: { ...good.content, validLists: [{ validTimeType: 1 }] }, rules: [everybody] },
    {
      content: { ...good.content, footTabs: [{ backgroundUrl: 'javascript:alert(1)' }] },
      rules: [everybody],
    },
    good,
  )
  expect((await (await app.as('student'))(launch.theme)).data).toMatchObject({ name: 'good' })
  expect(warn.mock.calls.map(([about]) => about)).toMatchObject([
    { kind: 'theme', field: 'the whole' },
    { field: 'the whole' },
    { field: 'the whole' },
    { field: 'footTabs.0.iconPath' },
    { field: 'footTabs' },
    { field: 'validLists.0.validTimeType' },
    { field: 'footTabs.0.backgroundUrl' },
  ])
  warn.mockRestore()
  log.level = 'fatal'
})
