import { announcementConsole, announcements } from '@atrium/contract/content/announcements'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { admits, audienceFor, type Rule } from '#platform/audience.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { countReaders } from './queries.ts'
import { groupSmallOrganizations, type ReaderCount } from './rules.ts'

let app: TestApp
let editor: Caller
let student: Caller

beforeAll(async () => {
  app = await testApp()
  editor = await app.as('admin')
  student = await app.as('student')
})

/** Publishes an announcement in its own column with this audience. */
async function announce(rules: Rule[], values: object = {}) {
  const { db, topics } = app.platform
  const column = await db
    .insertInto('news_column')
    .values({
      code: `board-${Math.random()}`,
      name: '公告',
      audience_id: await audienceFor(db, rules),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('article')
    .values({
      column_id: column.id,
      title: '放假安排',
      kind: 'announcement',
      needs_confirmation: true,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await topics.flushed()
  return { params: { id } }
}
const everybody: Rule[] = [{ effect: 'include', kind: 'everybody' }]
const school: Rule[] = [{ effect: 'include', kind: 'organization', target: 'CS' }]

describe('confirming an announcement', () => {
  test('keeps the first confirmation when the request is repeated', async () => {
    const one = await announce(everybody)
    expect((await student(announcements.reading, one)).data).toEqual({ confirmedAt: null })
    const first = await student(announcements.confirm, one)
    expect(first).toMatchObject({ status: 200, data: { confirmedAt: expect.any(String) } })
    expect((await student(announcements.confirm, one)).data).toEqual(first.data)
    const both = await Promise.all([1, 2, 3].map(() => student(announcements.confirm, one)))
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await student(announcements.reading, one)).data).toEqual(first.data)
  })

  test('returns 404 for an unreadable article and 409 if no confirmation is requested', async () => {
    const theirs = await announce(school)
    const later = await announce(everybody, { published_at: '2199-01-01T00:00:00Z' })
    const hidden = await announce(everybody, { status: 'withdrawn' })
    const staff = await app.as('staff')
    expect((await student(announcements.confirm, theirs)).status).toBe(200)
    for (const [who, one] of [
      [staff, theirs],
      [student, later],
      [student, hidden],
    ] as const)
      for (const endpoint of [announcements.reading, announcements.confirm])
        expect(await who(endpoint, one)).toMatchObject({ status: 404, error: 'news.not_found' })
    const plain = await announce(everybody, { needs_confirmation: false })
    expect(await student(announcements.confirm, plain)).toMatchObject({
      status: 409,
      error: 'announcement.not_asked',
    })
    expect((await app.visitor(announcements.confirm, theirs)).status).toBe(401)
  })
})

describe('announcement statistics and reminders', () => {
  test('show operators the counts, and allow one reminder a day', async () => {
    const one = await announce(school)
    const before = (await editor(announcementConsole.statistics, one)).data
    expect(before.confirmed).toBe(0)
    await student(announcements.confirm, one)
    const after = (await editor(announcementConsole.statistics, one)).data
    expect(after).toMatchObject({ confirmed: 1, waiting: before.waiting - 1, remindedAt: null })
    const shown = [...after.organizations, ...(after.others ? [after.others] : [])]
    expect(shown.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(after.waiting)
    for (const { confirmed, waiting } of shown) expect(confirmed + waiting).toBeGreaterThan(4)

    const boxes = async (who: Caller) =>
      (await who(messages.apps)).data.find(({ code }) => code === 'atrium-announcements')
    const sent = await editor(announcementConsole.remind, one)
    expect(sent.data).toEqual({ reminded: after.waiting })
    // The teacher of this school has not confirmed, the student has.
    expect(await boxes(await app.as('teacher'))).toMatchObject({ unreadCount: 1 })
    expect(await boxes(student)).toBeUndefined()
    expect(await editor(announcementConsole.remind, one)).toMatchObject({
      status: 429,
      error: 'announcement.reminded_before',
    })
    await app.platform.db
      .updateTable('article')
      .set({ reminded_at: sql`now() - interval '25 hours'` })
      .where('id', '=', one.params.id)
      .execute()
    expect((await editor(announcementConsole.remind, one)).status).toBe(200)
  })

  test('are rejected for visitors, members and operators of another department', async () => {
    const one = await announce(everybody)
    const { db, topics } = app.platform
    const place = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'CS')
      .executeTakeFirstOrThrow()
    const id = (await findAccountByUsername(db, 'teacher'))?.id ?? ''
    await insertGrants(db, id, ['content'], place.id)
    await topics.flushed()
    const teacher = await app.as('teacher')
    for (const endpoint of [announcementConsole.statistics, announcementConsole.remind]) {
      expect((await app.visitor(endpoint, one)).status).toBe(401)
      expect((await student(endpoint, one)).status).toBe(403)
      expect(await teacher(endpoint, one)).toMatchObject({ status: 404, error: 'news.not_found' })
    }
  })
})

test('countReaders counts the accounts that the audience admits', async () => {
  const { db } = app.platform
  const rules: Rule[] = [
    { effect: 'include', kind: 'organization', target: 'CS' },
    { effect: 'include', kind: 'identity', target: 'T01' },
    { effect: 'include', kind: 'guests' },
    { effect: 'exclude', kind: 'organization', target: 'CS01' },
    { effect: 'exclude', kind: 'group', target: 'nobody' },
  ]
  const accounts = await db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select(['account.id', 'account.identity_type_code', 'organization.path'])
    .where('status', '<>', 'disabled')
    .execute()
  const admitted = accounts.filter((account) =>
    admits(rules, {
      accountId: account.id,
      identityTypeCode: account.identity_type_code,
      organizationPath: account.path,
      groups: [],
    }),
  )
  const counts = await countReaders(db, '0', rules)
  expect(admitted.length).toBeGreaterThan(5)
  expect(counts.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(admitted.length)
})

describe('small organizations are grouped', () => {
  const count = (code: string, confirmed: number, waiting: number): ReaderCount => ({
    code,
    name: code,
    nameEn: '',
    confirmed,
    waiting,
  })
  test.each<[string, ReaderCount[], string[], number | null]>([
    ['all large', [count('a', 3, 2), count('b', 0, 9)], ['a', 'b'], null],
    ['several small', [count('a', 5, 5), count('b', 2, 2), count('c', 1, 0)], ['a'], 2],
    // A single small one could be derived from the total, so the smallest of the others joins it.
    [
      'one small, grouped with the next smallest',
      [count('a', 9, 9), count('b', 3, 3), count('c', 1, 1)],
      ['a'],
      2,
    ],
    ['a single small organization', [count('a', 1, 1)], [], 1],
    ['no organizations', [], [], null],
  ])('%s', (_, counts, told, together) => {
    const { organizations, others } = groupSmallOrganizations(counts)
    expect(organizations.map(({ code }) => code)).toEqual(told)
    expect(others?.organizations ?? null).toBe(together)
  })
})
