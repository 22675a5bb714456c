import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { account } from '@atrium/contract/identity/account'
import { identity, signInSteps } from '@atrium/contract/identity/identity'
import { memberSessions } from '@atrium/contract/identity/sessions'
import { registry } from '@atrium/contract/sso/registry'
import { XMLParser } from 'fast-xml-parser'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLogouts } from '#domains/sso/registry/logout-worker.ts'
import { deleteOldSessionUses, queueLogoutsOfEnded } from '#domains/sso/registry/single-logout.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { casBrowser, ticketOf, validateTicket } from '../../../../test/cas-browser.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

// A timeout, not a measurement: the machine may be busy.
const soon = { timeout: 20_000 }

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let worker: ReturnType<typeof startLogouts>

// A service that receives logout notices: what was posted, and how it responds.
const posted: { type: string | undefined; fields: Record<string, string> }[] = []
const answers: number[] = []
const site = http.createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const status = answers.shift() ?? 200
  if (status === 302) response.setHeader('location', '/elsewhere')
  posted.push({
    type: request.headers['content-type'],
    fields: Object.fromEntries(new URLSearchParams(body)),
  })
  response.writeHead(status).end()
})
let service = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  service = `http://127.0.0.1:${port}/app`
  app = await testApp()
  node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}` })
  worker = startLogouts(node.platform)
  const admin = await app.as('admin')
  for (const [code, addresses, logoutUrl] of [
    ['site', [service], `${service}/logout?from=portal`],
    ['quiet', ['https://quiet.example.edu.cn/'], ''],
    // This address is not opened for outgoing requests.
    ['inside', ['https://inside.example.edu.cn/'], 'http://127.0.0.1:1/'],
  ] as const) {
    const made = await admin(registry.create, { body: { code, name: code, addresses, logoutUrl } })
    expect(made.status).toBe(200)
  }
})
afterAll(async () => {
  await worker.stop()
  await node.app.close()
  await node.platform.close()
  site.close()
})

/** Signs in at the service. @returns the ticket of its session */
async function visit(browser: ReturnType<typeof casBrowser>, target = service) {
  const ticket = ticketOf(await browser.open({ service: target }))
  expect((await validateTicket(app.app, { service: target, ticket })).user).toBeTruthy()
  return ticket
}
async function signedIn(username = 'student') {
  const browser = casBrowser(app.app)
  await browser.signIn({}, { username })
  return browser
}
const read = ({ fields }: (typeof posted)[number]) => {
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(fields.logoutRequest ?? '')
  return parsed['samlp:LogoutRequest'] as Record<string, unknown>
}
/** Makes failed notifications due now. */
async function retryNow() {
  await sql`update logout_notice set due_at = now()`.execute(app.platform.db)
  await sql`select pg_notify('atrium', '{"kind":"logout","key":""}')`.execute(app.platform.db)
}
const noticesLeft = async () =>
  (await sql`select 1 from logout_notice`.execute(app.platform.db)).rows.length
const told = () => posted.map((post) => read(post)['samlp:SessionIndex'])
const tokenOf = async (browser: ReturnType<typeof casBrowser>) => {
  const own = `${app.platform.origin()}/page/index/index`
  const ticket = ticketOf(await browser.open({ service: own }))
  const { data } = await app.visitor(identity.redeemTicket, { body: { ticket, service: own } })
  return idTokenOf(data)
}

test('a service receives a logout request for its ticket, in the protocol’s format', async () => {
  const browser = await signedIn()
  const ticket = await visit(browser)
  await browser.logout()
  await expect.poll(told, soon).toContain(ticket)
  const post = posted.find((one) => one.fields.logoutRequest?.includes(ticket))
  expect(post?.type).toBe('application/x-www-form-urlencoded')
  expect(Object.keys(post?.fields ?? {})).toEqual(['logoutRequest'])
  expect(read(post as (typeof posted)[number])).toMatchObject({
    '@_Version': '2.0',
    '@_ID': expect.stringMatching(/^LR-[0-9a-f]{32}$/),
    '@_IssueInstant': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'saml:NameID': expect.objectContaining({ '#text': '@NOT_USED@' }),
  })
})

test('a logout notifies once for each session of the member, and for no other', async () => {
  const [student, teacher] = [await signedIn(), await signedIn('teacher')]
  const tickets = [await visit(student), await visit(student)]
  const theirs = await visit(teacher)
  const unused = ticketOf(await student.open({ service }))
  await student.logout()
  await student.logout()
  for (const ticket of tickets) await expect.poll(told, soon).toContain(ticket)
  await teacher.logout()
  await expect.poll(told, soon).toContain(theirs)
  expect(told().filter((ticket) => tickets.includes(String(ticket)))).toHaveLength(2)
  expect(told()).not.toContain(unused)
  const { rows } =
    await sql`select 1 from relying_party_session where session_id is not null`.execute(
      app.platform.db,
    )
  expect(rows).toEqual([])
})

test('portal logout, an operator and a password change end service sessions too', async () => {
  const left = await signedIn()
  const ofLeft = await visit(left)
  await app.withToken(await tokenOf(left))(identity.logout)
  await expect.poll(told, soon).toContain(ofLeft)
  expect(ticketOf(await left.open({ service }))).toBe('')

  const admin = await app.as('admin')
  const ended = await signedIn('teacher')
  const ofEnded = await visit(ended)
  const { data } = await admin(memberSessions.list, { query: { username: 'teacher' } })
  for (const { id } of data) await admin(memberSessions.remove, { params: { id } })
  await expect.poll(told, soon).toContain(ofEnded)

  const [here, elsewhere] = [await signedIn('staff'), await signedIn('staff')]
  const [ofHere, ofElsewhere] = [await visit(here), await visit(elsewhere)]
  const caller = app.withToken(await tokenOf(here))
  await caller(account.confirm, { body: { password: demoPassword } })
  const changed = await caller(account.changePassword, {
    body: { newPassword: 'meadow-violin-73-kettle', endOthers: true },
  })
  expect(changed.status).toBe(200)
  await expect.poll(told, soon).toContain(ofElsewhere)
  expect(told()).not.toContain(ofHere)
})

test('signing in again keeps service sessions; signing in as another member ends them', async () => {
  const browser = await signedIn()
  const ticket = await visit(browser)
  await browser.signIn({ renew: 'true' })
  const second = await visit(browser)
  await browser.signIn({ renew: 'true' }, { username: 'teacher' })
  for (const one of [ticket, second]) await expect.poll(told, soon).toContain(one)
  expect(told().filter((one) => one === ticket)).toHaveLength(1)
})

test('a service is notified of an expired session, and of no other', async () => {
  const { db } = app.platform
  const [over, on] = [await signedIn(), await signedIn('teacher')]
  const [ticket, other] = [await visit(over), await visit(on)]
  await sql`
    update session set expires_at = now() - interval '1 minute'
    where id = (
      select u.session_id from relying_party_session u join session s on s.id = u.session_id
      join account a on a.id = s.account_id where a.username = 'student' order by u.created_at desc limit 1)`.execute(
    db,
  )
  await queueLogoutsOfEnded(db)
  await expect.poll(told, soon).toContain(ticket)
  await queueLogoutsOfEnded(db)
  expect(told()).not.toContain(other)
  expect(told().filter((one) => one === ticket)).toHaveLength(1)
  await on.logout()
  await expect.poll(told, soon).toContain(other)
})

test('signing in again with an additional step keeps service sessions', async () => {
  const { db } = app.platform
  const browser = await signedIn()
  const ticket = await visit(browser)
  const ask = async (version: string) => {
    await db.transaction().execute((db) => updateSetting(db, 'agreementVersion', version))
    await app.platform.topics.flushed()
  }
  await ask('2')
  const asked = await browser.signIn({ service, renew: 'true' }, { rememberMe: 'true' })
  const step = new URLSearchParams(
    new URL(String(asked.headers.location), 'http://x').hash.slice(1),
  )
  expect(step.get('due')).toBe('agreement')
  // Abandoning the step has no consequences.
  expect(ticketOf(await browser.open({ service }))).toMatch(/^ST-/)
  const agreed = await browser.send({
    method: 'POST',
    url: signInSteps.agreement.path,
    type: 'application/json',
    payload: JSON.stringify({ state: step.get('state'), version: '2' }),
  })
  await ask('')
  expect(agreed.json()).toMatchObject({ code: 0 })
  const cookie = agreed.cookies.find(({ name }) => name.includes('TGC'))
  expect(cookie?.maxAge).toBe(14 * 86_400)
  const second = await visit(browser)
  expect(told()).not.toContain(ticket)
  await browser.logout()
  for (const one of [ticket, second]) await expect.poll(told, soon).toContain(one)
})

test('a failed notification is retried, and redirects are not followed', async () => {
  answers.push(500, 302, 200)
  const browser = await signedIn()
  const ticket = await visit(browser)
  await browser.logout()
  const again = async () => {
    await retryNow()
    return told().filter((one) => one === ticket).length
  }
  await expect.poll(again, { ...soon, interval: 300 }).toBe(3)
  await expect.poll(noticesLeft, soon).toBe(0)
})

test('a notification that keeps failing is given up after five attempts', async () => {
  await expect.poll(noticesLeft, soon).toBe(0)
  answers.push(...Array<number>(20).fill(500))
  const browser = await signedIn()
  const ticket = await visit(browser)
  await browser.logout()
  const left = async () => {
    await retryNow()
    return noticesLeft()
  }
  await expect.poll(left, { ...soon, interval: 300 }).toBe(0)
  answers.length = 0
  expect(told().filter((one) => one === ticket)).toHaveLength(5)
})

test('only the latest fifty tickets of one sign-in are kept', async () => {
  const { db, secret } = app.platform
  await sql`delete from relying_party_session`.execute(db)
  const browser = await signedIn()
  await visit(browser)
  const last = await visit(browser)
  await sql`
    update relying_party_session set created_at = now() - interval '1 hour'`.execute(db)
  await sql`
    insert into relying_party_session (session_id, relying_party_id, protocol, sealed_key, created_at)
    select session_id, relying_party_id, protocol, ${secret.encrypt(last)}, now() - interval '30 minutes'
    from relying_party_session, generate_series(1, 60) where session_id is not null limit 60`.execute(
    db,
  )
  await deleteOldSessionUses(db)
  const { rows } = await sql<{ sealed_key: string }>`
    select sealed_key from relying_party_session`.execute(db)
  expect(rows).toHaveLength(50)
  expect(new Set(rows.map((row) => secret.decrypt(row.sealed_key)))).toEqual(new Set([last]))
  await sql`delete from relying_party_session`.execute(db)
  await browser.logout()
})

test('the record of a used ticket is kept for five minutes', async () => {
  const { db } = app.platform
  const browser = await signedIn()
  await sql`delete from relying_party_session`.execute(db)
  await visit(browser, 'https://quiet.example.edu.cn/')
  const forget = async () => {
    await deleteOldSessionUses(db)
    return (await db.selectFrom('relying_party_session').select('session_id').execute()).length
  }
  expect(await forget()).toBe(1)
  await sql`update relying_party_session set created_at = now() - interval '4 minutes'`.execute(db)
  expect(await forget()).toBe(1)
  await sql`update relying_party_session set created_at = now() - interval '6 minutes'`.execute(db)
  expect(await forget()).toBe(0)
})

test('sessions of a deleted account are notified, those of a deleted service ignored', async () => {
  const { db, secret } = app.platform
  const key = secret.encrypt('ST-of-somebody-who-is-gone')
  await sql`
    insert into relying_party_session (session_id, relying_party_id, protocol, sealed_key)
    select gen_random_uuid(), id, 'cas', ${key} from relying_party where code = 'site'
    union all select gen_random_uuid(), 99999, 'cas', ${key}`.execute(db)
  await queueLogoutsOfEnded(db)
  await expect.poll(told, soon).toContain('ST-of-somebody-who-is-gone')
  expect(told().filter((one) => one === 'ST-of-somebody-who-is-gone')).toHaveLength(1)
})

test('stored session records do not contain the ticket', async () => {
  const browser = await signedIn()
  const ticket = await visit(browser)
  const { rows } = await sql<{ row: string }>`
    select row_to_json(relying_party_session)::text as row from relying_party_session`.execute(
    app.platform.db,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(ticket)
  await browser.logout()
  await expect.poll(told, soon).toContain(ticket)
})

test('services without logout address are ignored, blocked addresses given up', async () => {
  const browser = await signedIn()
  await visit(browser, 'https://quiet.example.edu.cn/')
  await visit(browser, 'https://inside.example.edu.cn/')
  const { rows } = await sql<{ code: string }>`
    select p.code from relying_party_session s join relying_party p on p.id = s.relying_party_id
    where p.code <> 'site' and s.session_id is not null`.execute(app.platform.db)
  expect(rows.map(({ code }) => code)).toEqual(['inside'])
  await browser.logout()
  const tries = async () => {
    const left = await sql<{ tries: number }>`
      update logout_notice set due_at = now() returning tries`.execute(app.platform.db)
    await sql`select pg_notify('atrium', '{"kind":"logout","key":""}')`.execute(app.platform.db)
    return left.rows[0]?.tries ?? 'given up'
  }
  await expect.poll(tries, { ...soon, interval: 200 }).toBe('given up')
})
