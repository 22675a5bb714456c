import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { eCard, payCodes } from '@atrium/contract/member/e-card'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import { registry } from '@atrium/contract/sso/registry'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPersonalSystem } from '../../../../test/personal-system.ts'
import { systemCaller } from '../../../../test/system-caller.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let admin: Caller
let terminal: ReturnType<typeof systemCaller>

beforeAll(async () => {
  app = await testApp()
  ;[student, admin] = await Promise.all([app.as('student'), app.as('admin')])
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.app.server.address() as { port: number }
  const origin = `http://localhost:${address.port}`
  app.platform.origin = () => origin
  terminal = systemCaller({ origin, platform: app.platform, admin })
  for (const [code, integrations] of [
    ['canteen', ['personal']],
    ['other', ['message']],
  ] as const)
    expect(
      await admin(registry.create, {
        body: {
          code,
          name: `${code} 终端`,
          nameEn: `${code} terminal`,
          redirectUris: [],
          integrations,
        },
      }),
    ).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
})
beforeEach(() => sql`update personal_card set value = value - 'status'`.execute(app.platform.db))

const verify = (code: string | undefined, more: object = {}, system = 'canteen') =>
  terminal.call(system, payCodes.verify, { body: { code, ...more } })
const firstCode = async (caller = student) => (await caller(eCard.codes)).data.codes[0]?.code

test('a code identifies the member once, and the member sees where it was used', async () => {
  const code = await firstCode()
  expect(await verify(code, { purpose: 'pay', place: '第一食堂 3 号窗口' })).toMatchObject({
    status: 200,
    data: {
      username: 'student',
      name: '林知夏',
      identityType: 'S01',
      cardNo: expect.stringMatching(/\d/),
    },
  })
  expect(await verify(code)).toMatchObject({ status: 409, error: 'ecard.code_used' })
  expect((await student(eCard.uses)).data[0]).toMatchObject({
    purpose: 'pay',
    system: 'canteen 终端',
    systemEn: 'canteen terminal',
    place: '第一食堂 3 号窗口',
  })
  expect((await admin(eCard.uses)).data).toEqual([])
})

test('concurrent verifications of one code succeed only once', async () => {
  const code = await firstCode()
  const answers = await Promise.all(Array.from({ length: 6 }, () => verify(code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('identification without payment does not return the card number', async () => {
  expect(await verify(await firstCode())).toMatchObject({ status: 200, data: { cardNo: '' } })
})

test('a code that is expired, of another system, invented or not yet valid is rejected', async () => {
  const { codes } = (await student(eCard.codes)).data
  expect(await verify(codes[5]?.code)).toMatchObject({ status: 404, error: 'ecard.code_unknown' })
  expect(await verify('860000000000000000')).toMatchObject({ error: 'ecard.code_unknown' })
  expect(await verify('110000000000000000')).toMatchObject({ error: 'ecard.code_unknown' })
  expect(await verify('8600')).toMatchObject({ status: 400 })
  await sql`update pay_code set expires_at = now() - interval '1 second'`.execute(app.platform.db)
  expect(await verify(codes[0]?.code)).toMatchObject({ error: 'ecard.code_unknown' })
})

test('the example terminal accepts a code once', async () => {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../../../../../../examples/pay-code/verify.mjs'), 'Canteen 1'],
    {
      env: {
        PORTAL: app.platform.origin(),
        CLIENT_ID: 'canteen',
        CLIENT_SECRET: await terminal.secretOf('canteen'),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const code = await firstCode()
  child.stdin.end(`${code}\nnothing\n${code}\n`)
  const said = (await text(child.stdout)).trim().split('\n')
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ ok: true, username: 'student' })
  expect(said[1]).toBe('This is no code of the portal.')
  expect(JSON.parse(said[2] ?? '')).toMatchObject({ ok: false, error: 'ecard.code_used' })
})

test('only a system with the personal integration can verify codes', async () => {
  await expect(verify(await firstCode(), {}, 'other')).resolves.toMatchObject({ status: 401 })
  expect(await student(payCodes.verify, { body: { code: await firstCode() } })).toMatchObject({
    status: 401,
  })
  expect(await app.visitor(eCard.codes)).toMatchObject({ status: 401 })
})

test('codes become invalid when their session is revoked', async () => {
  const code = await firstCode()
  await sql`update session set revoked_at = now() where id in (select session_id from pay_code)`.execute(
    app.platform.db,
  )
  expect(await verify(code)).toMatchObject({ error: 'ecard.code_unknown' })
  await sql`update session set revoked_at = null`.execute(app.platform.db)
})

test('codes become invalid when their session expires', async () => {
  const code = await firstCode()
  const own = sql`where id in (select session_id from pay_code)`
  const { db } = app.platform
  await sql`update session set expires_at = expires_at - interval '1 year' ${own}`.execute(db)
  expect(await verify(code)).toMatchObject({ error: 'ecard.code_unknown' })
  await sql`update session set expires_at = expires_at + interval '1 year' ${own}`.execute(db)
  expect(await verify(code)).toMatchObject({ status: 200 })
})

/** Connects a card system whose card can be frozen; `card` is the card as the system knows it. */
async function connectCardSystem() {
  const system = await openPersonalSystem()
  onTestFinished(() => system.close())
  app.platform.env.ATRIUM_OUTBOUND_ALLOW = system.allow
  const secret = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`
  const card = { status: 'active' }
  system.hold('/card', ({ url }) => ({
    id: url.searchParams.get('id'),
    money: 5,
    no: '1234',
    ...card,
  }))
  for (const action of ['freeze', 'unfreeze'])
    system.hold(`/${action}`, ({ body, headers }) => {
      const received = new Webhook(secret).verify(body, headers as never) as { action: string }
      card.status = received.action === 'freeze' ? 'frozen' : 'active'
      return { ok: true }
    })
  expect(
    await admin(personalSourceSettings.connect, {
      params: { kind: 'ecard' },
      body: {
        secret,
        connector: {
          way: 'http',
          http: {
            address: `${system.origin}/card`,
            query: { id: '{/number}' },
            owner: '/id',
            fields: { balance: '/money', cardNo: '/no', status: '/status' },
            actions: {
              freeze: { address: `${system.origin}/freeze` },
              unfreeze: { address: `${system.origin}/unfreeze` },
            },
          },
        } as never,
      },
    }),
  ).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
  await sql`delete from personal_card`.execute(app.platform.db)
  await sql`update session set confirmed_at = now()`.execute(app.platform.db)
  return { system, card }
}
const freeze = (frozen: boolean) => student(eCard.freeze, { body: { frozen } })
const storedCard = async () => (await student(personalSources.eCard, { query: { wait: '0' } })).data

test('freezing calls the card system and invalidates codes; unfreezing needs a confirmation', async () => {
  expect(await freeze(true)).toMatchObject({ error: 'personal.source_cannot' })
  const { card } = await connectCardSystem()
  expect((await student(personalSources.eCard)).data).toMatchObject({ mayFreeze: true })
  const code = await firstCode()
  expect((await freeze(true)).data).toMatchObject({ status: 'frozen' })
  expect(await verify(code)).toMatchObject({ error: 'ecard.code_unknown' })
  expect(await student(eCard.codes)).toMatchObject({ status: 409, error: 'ecard.frozen' })
  // The confirmation has expired.
  await sql`update session set confirmed_at = now() - interval '11 minutes'`.execute(
    app.platform.db,
  )
  expect(await freeze(false)).toMatchObject({ status: 403, error: 'session.confirmation_due' })
  expect(card.status).toBe('frozen')
  await sql`update session set confirmed_at = now()`.execute(app.platform.db)
  expect((await freeze(false)).data).toMatchObject({ status: 'active' })
  expect(await firstCode()).toMatch(/^86/)
})

test('a request that began before freezing does not make the card active again', async () => {
  const { system, card } = await connectCardSystem()
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  system.answers.set('/card', async ({ url }, reply) => {
    const body = { id: url.searchParams.get('id'), money: 5, no: '1234', status: card.status }
    asked.resolve()
    await released.promise
    reply.end(JSON.stringify(body))
  })
  const reading = student(personalSources.eCard)
  await asked.promise
  const freezing = freeze(true)
  await expect.poll(() => card.status, { timeout: 10_000 }).toBe('frozen')
  // Until the server has begun to read the card again.
  await new Promise((resolve) => setTimeout(resolve, 300))
  released.resolve()
  await reading
  expect((await freezing).data).toMatchObject({ status: 'frozen', stale: false })
  expect(await storedCard()).toMatchObject({ status: 'frozen' })
  expect(await student(eCard.codes)).toMatchObject({ status: 409, error: 'ecard.frozen' })
})

test('the new status is stored even if the card cannot be read again', async () => {
  const { system } = await connectCardSystem()
  await student(personalSources.eCard)
  const code = await firstCode()
  system.hold('/card', () => ({}), 500)
  expect((await freeze(true)).data).toMatchObject({ status: 'frozen', stale: true })
  expect(await storedCard()).toMatchObject({ status: 'frozen', balance: '5.00' })
  expect(await verify(code)).toMatchObject({ error: 'ecard.code_unknown' })
  expect(await student(eCard.codes)).toMatchObject({ status: 409, error: 'ecard.frozen' })
  expect((await freeze(false)).data).toMatchObject({ status: 'active' })
  expect(await storedCard()).toMatchObject({ status: 'active' })
  expect(await firstCode()).toMatch(/^86/)
})
