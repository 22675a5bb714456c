import type { SourceKind } from '@atrium/contract/member/personal-source'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import { home } from '@atrium/contract/shell/home'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPersonalSystem } from '../../../../test/personal-system.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
let system: Awaited<ReturnType<typeof openPersonalSystem>>
let numberOf: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, admin] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('admin'),
  ])
  system = await openPersonalSystem()
  app.platform.env.ATRIUM_OUTBOUND_ALLOW = system.allow
  const rows = await app.platform.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.external_key as number'])
    .where('account.username', 'in', ['student', 'teacher'])
    .execute()
  numberOf = Object.fromEntries(rows.map(({ username, number }) => [username, number ?? '']))
})
afterAll(() => system.close())
beforeEach(async () => {
  system.asked.length = 0
  await sql`delete from personal_source`.execute(app.platform.db)
})

let minutes = 10
/** Every card differs, so that one circuit breaker does not affect the next test. */
const card = (more: object = {}, http: object = {}) => ({
  keepMinutes: ++minutes,
  way: 'http',
  http: {
    address: `${system.origin}/cards/{/number}`,
    owner: '/data/id',
    fields: { balance: '/data/money', cardNo: '/data/card' },
    lists: {
      transactions: {
        items: '/data/flow',
        fields: { at: '/t', amount: '/a', place: '/p', placeEn: '/pe' },
      },
    },
    ...http,
  },
  ...more,
})
const connect = async (kind: SourceKind, connector: object, secret?: string) => {
  const answer = await admin(personalSourceSettings.connect, {
    params: { kind },
    body: { connector: connector as never, ...(secret && { secret }) },
  })
  expect(answer).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
  return answer.data
}
const healthOf = async (kind: SourceKind) =>
  (await admin(personalSourceSettings.list)).data.find((one) => one.kind === kind)
const forget = () => sql`delete from personal_card`.execute(app.platform.db)
const age = () =>
  sql`update personal_card set updated_at = updated_at - interval '1 day'`.execute(app.platform.db)
/** The card system's answer for the student. */
const answerCards = (more: object = {}) =>
  system.hold(`/cards/${numberOf.student}`, () => ({
    data: {
      id: numberOf.student,
      money: 12.5,
      card: '6222000012345678',
      flow: [
        { t: '2026-11-02 12:00', a: -8.5, p: '第一食堂', pe: 'Canteen 1' },
        { t: '2026-11-02 18:00', a: '-1.50', p: '超市' },
        { t: '2026-10-30 18:00', a: 100, p: '充值' },
      ],
      ...more,
    },
  }))

describe('a system queried over HTTP', () => {
  test('is queried on access and again only when the stored data is old', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    const { data } = await student(personalSources.eCard)
    expect(data).toMatchObject({ balance: '12.50', cardNo: '5678', status: 'active', stale: false })
    await student(personalSources.eCard)
    await student(personalSources.eCardData)
    expect(system.asked).toHaveLength(1)
    await age()
    await student(personalSources.eCard)
    expect(system.asked).toHaveLength(2)
    expect(await healthOf('ecard')).toMatchObject({ state: 'good', failures: 0, members: 1 })
  })

  test('provides the days and sums of a month of the card', async () => {
    const { data } = await student(personalSources.eCardData, { query: { month: '2026-11' } })
    expect(data).toMatchObject({
      month: '2026-11',
      months: [
        { month: '2026-11', spent: '10.00', added: '0.00' },
        { month: '2026-10', spent: '0.00', added: '100.00' },
      ],
      days: [{ day: '2026-11-02', spent: '10.00' }],
    })
    expect(data?.list.map(({ place, placeEn }) => [place, placeEn])).toEqual([
      ['超市', ''],
      ['第一食堂', 'Canteen 1'],
    ])
  })

  test('is queried once for concurrent requests', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    await Promise.all(Array.from({ length: 8 }, () => student(personalSources.eCard)))
    expect(system.asked).toHaveLength(1)
  })

  test('does not replace the answer to a later request of another node', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    await student(personalSources.eCard)
    await age()
    system.answers.set(`/cards/${numberOf.student}`, async (_, reply) => {
      await sql`update personal_card set value = value || '{"balance": "99.00"}', updated_at = now()`.execute(
        app.platform.db,
      )
      reply.end(
        JSON.stringify({ data: { id: numberOf.student, money: 1, card: '5678', flow: [] } }),
      )
    })
    expect((await student(personalSources.eCard)).data).toMatchObject({
      balance: '99.00',
      stale: false,
    })
  })

  test('is ignored if it answers for another person, and the stored data stays', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    await student(personalSources.eCard)
    await age()
    answerCards({ id: numberOf.teacher, money: 9999 })
    const { data } = await student(personalSources.eCard)
    expect(data).toMatchObject({ balance: '12.50', stale: true })
    expect(await healthOf('ecard')).toMatchObject({ state: 'failing', refused: 1 })
    await forget()
    expect(await student(personalSources.eCard)).toMatchObject({
      status: 503,
      error: 'personal.source_down',
    })
  })

  const fullWidth = (text: string) =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  test.each<[string, () => unknown]>([
    ['without an owner', () => undefined],
    ['about another member', () => numberOf.teacher],
    ['about a number with a zero before it', () => `0${numberOf.student}`],
    ['about a number with a digit more', () => `${numberOf.student}0`],
    ['about a number with a digit less', () => numberOf.student?.slice(0, -1)],
    ['about the number in full-width digits', () => fullWidth(numberOf.student ?? '')],
    ['about the number and another one', () => [numberOf.student, numberOf.teacher]],
  ])('has its response %s rejected', async (_, owner) => {
    await forget()
    answerCards({ id: owner() })
    await connect('ecard', card())
    expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
    expect((await sql`select from personal_card`.execute(app.platform.db)).rows).toEqual([])
    answerCards()
    await connect('ecard', card())
    expect(await student(personalSources.eCard)).toMatchObject({ status: 200 })
  })

  test('is not queried again for a member it does not know', async () => {
    await forget()
    await connect('ecard', card())
    expect(await teacher(personalSources.eCard)).toMatchObject({ status: 200, data: null })
    await teacher(personalSources.eCard)
    expect(system.asked).toHaveLength(1)
  })

  test('is not queried again after five failures, and old data is marked as stale', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    await student(personalSources.eCard)
    await age()
    system.hold(`/cards/${numberOf.student}`, () => ({}), 500)
    for (let n = 0; n < 8; n++)
      expect((await student(personalSources.eCard)).data).toMatchObject({
        balance: '12.50',
        stale: true,
      })
    expect(system.asked).toHaveLength(1 + 5)
    expect(await healthOf('ecard')).toMatchObject({
      state: 'failing',
      failures: 5,
      error: 'it answered with status 500',
    })
  })

  test.each([
    ['a missing field', { money: undefined }, 'balance is missing'],
    ['an invalid amount', { money: 'viel' }, 'balance cannot be read as money'],
  ])('has %s reported to operators', async (_, more, issue) => {
    await forget()
    answerCards(more)
    await connect('ecard', card())
    expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
    expect((await healthOf('ecard'))?.error).toContain(issue)
  })

  test('is cut off if its response is larger than 2 MB', async () => {
    await forget()
    system.answers.set(`/cards/${numberOf.student}`, (_, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' })
      const piece = Buffer.alloc(1_000_000, 32)
      const write = (left: number): unknown =>
        left === 0 || reply.destroyed ? reply.end() : reply.write(piece, () => write(left - 1))
      write(50)
    })
    await connect('ecard', card())
    expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
    expect((await healthOf('ecard'))?.error).toContain('larger than 2 MB')
  })

  test('does not delay home if it is slow; home reports it as pending', async () => {
    await forget()
    system.answers.set(`/cards/${numberOf.student}`, async (_, reply) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      reply.end('{}')
    })
    await connect('ecard', card({ timeoutSeconds: 1 }))
    const start = performance.now()
    const { data } = await student(home.read)
    expect(performance.now() - start).toBeLessThan(1000)
    expect(data.cards).toMatchObject({ eCard: null, pending: ['eCard'] })
    expect(system.asked).toHaveLength(0)
    expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
    expect((await healthOf('ecard'))?.error).toContain('did not answer within 1 s')
    expect(await student(personalSources.eCard, { query: { wait: '0' } })).toMatchObject({
      status: 200,
      data: null,
    })
  })

  test('can provide lists at another address', async () => {
    await forget()
    system.hold('/loans', ({ url }) => ({ reader: url.searchParams.get('id'), n: 1 }))
    system.hold('/history', ({ url }) => ({
      reader: url.searchParams.get('id'),
      rows: [{ t: '乡土中国', d: '2026/10/01' }, { d: '2026-10-02' }],
    }))
    const ask = (path: string) => ({
      address: `${system.origin}${path}`,
      query: { id: '{/number}' },
    })
    await connect('books', {
      way: 'http',
      http: {
        ...ask('/loans'),
        owner: '/reader',
        lists: {
          history: {
            ask: ask('/history'),
            items: '/rows',
            fields: { title: '/t', returnedOn: '/d' },
          },
        },
      },
    })
    const { data } = await student(personalSources.books)
    expect(data).toMatchObject({
      borrowed: 0,
      history: [{ title: '乡土中国', returnedOn: '2026-10-01' }],
    })
  })

  test('renews a loan by a signed call, only for the member’s own loans', async () => {
    await forget()
    const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
    const due = new Map([['L1', '2026-12-01']])
    system.hold('/loans', ({ url }) => ({
      reader: url.searchParams.get('id'),
      rows: [...due].map(([id, day]) => ({ id, title: '算法导论', due: day })),
    }))
    system.hold('/renew', ({ body, headers }) => {
      const { loan } = new Webhook(secret).verify(body, headers as never) as { loan: string }
      due.set(loan, '2026-12-31')
      return { ok: true }
    })
    await connect(
      'books',
      {
        way: 'http',
        http: {
          address: `${system.origin}/loans`,
          query: { id: '{/number}' },
          owner: '/reader',
          lists: {
            list: { items: '/rows', fields: { id: '/id', title: '/title', dueOn: '/due' } },
          },
          actions: { renew: { address: `${system.origin}/renew` } },
        },
      },
      secret,
    )
    expect((await student(personalSources.books)).data?.list).toMatchObject([
      { id: 'L1', dueOn: '2026-12-01' },
    ])
    expect(await student(personalSources.renew, { body: { id: 'L2' } })).toMatchObject({
      status: 409,
      error: 'personal.source_refused',
    })
    const { data } = await student(personalSources.renew, { body: { id: 'L1' } })
    expect(data?.list).toMatchObject([{ dueOn: '2026-12-31' }])
    system.hold('/renew', () => ({ ok: false }))
    expect(await student(personalSources.renew, { body: { id: 'L1' } })).toMatchObject({
      error: 'personal.source_refused',
    })
  })
})

describe('operators', () => {
  test('are the only ones who can manage systems', async () => {
    const body = { connector: card() as never }
    for (const caller of [student, app.visitor])
      for (const answer of [
        await caller(personalSourceSettings.list),
        await caller(personalSourceSettings.connect, { params: { kind: 'ecard' }, body }),
        await caller(personalSourceSettings.try, {
          params: { kind: 'ecard' },
          body: { username: 'student', ...body },
        }),
        await caller(personalSourceSettings.disconnect, { params: { kind: 'ecard' } }),
      ])
        expect(answer.status).toBe(caller === student ? 403 : 401)
  })

  test('test a connector on one member without storing anything', async () => {
    await forget()
    answerCards({ flow: [{ t: 'gestern', a: -1 }] })
    const attempt = (username: string) =>
      admin(personalSourceSettings.try, {
        params: { kind: 'ecard' },
        body: { username, connector: card() as never },
      })
    expect((await attempt('student')).data).toMatchObject({
      issue: '',
      known: true,
      value: { balance: '12.50', transactions: [] },
      problems: [{ field: '/transactions/0/at', text: 'cannot be read as time' }],
    })
    expect((await attempt('teacher')).data).toMatchObject({ issue: '', known: false })
    expect(await attempt('nobody')).toMatchObject({ error: 'personal.member_unknown' })
    expect((await student(personalSources.eCard)).data).toBeNull()
  })

  test.each([
    [
      'an unknown field',
      () => card({}, { fields: { balance: '/a', cardNo: '/b', pin: '/c' } }),
      'connector.http.fields.pin',
    ],
    [
      'a missing field',
      () => card({}, { fields: { cardNo: '/b' } }),
      'connector.http.fields.balance',
    ],
    [
      'an address without a member placeholder',
      () => card({}, { address: 'https://cards.example/all' }),
      'connector.http.address',
    ],
    [
      'a secret in the headers',
      () => card({}, { headers: { Authorization: 'x' } }),
      'connector.http.headers.Authorization',
    ],
    ['missing settings for the chosen way', () => ({ way: 'sql' }), 'connector.sql'],
    [
      'IMAP for a card',
      () => ({ way: 'imap', imap: { host: 'm', port: 993, login: '{/username}' } }),
      'connector.way',
    ],
  ])('get an error for %s', async (_, describe, field) => {
    const answer = await admin(personalSourceSettings.connect, {
      params: { kind: 'ecard' },
      body: { connector: describe() as never, secret: 'x' },
    })
    expect(answer).toMatchObject({ status: 400 })
    expect(Object.keys(answer.fields ?? {})).toContain(field)
  })

  test('never see the secret, and must enter it again for another host', async () => {
    const bearer = { authentication: { kind: 'bearer' } }
    answerCards()
    await connect('ecard', card({}, bearer), 'hidden-secret')
    await connect('ecard', card({}, bearer))
    const read = await admin(personalSourceSettings.read, { params: { kind: 'ecard' } })
    expect(read.data.hasSecret).toBe(true)
    expect(read.raw).not.toContain('hidden-secret')
    await forget()
    await student(personalSources.eCard)
    expect(system.asked.at(-1)?.headers.authorization).toBe('Bearer hidden-secret')
    const elsewhere = card({}, { ...bearer, address: 'https://elsewhere.example/{/number}' })
    expect(
      await admin(personalSourceSettings.connect, {
        params: { kind: 'ecard' },
        body: { connector: elsewhere as never },
      }),
    ).toMatchObject({ status: 400, fields: { secret: expect.any(String) } })
  })

  test('delete the data of a system by disconnecting it', async () => {
    await forget()
    answerCards()
    await connect('ecard', card())
    await student(personalSources.eCard)
    expect(
      await admin(personalSourceSettings.disconnect, { params: { kind: 'ecard' } }),
    ).toMatchObject({ status: 200 })
    await app.platform.topics.flushed()
    expect((await student(personalSources.eCard)).data).toBeNull()
    expect(
      await admin(personalSourceSettings.disconnect, { params: { kind: 'ecard' } }),
    ).toMatchObject({ error: 'personal.source_unknown' })
  })
})
