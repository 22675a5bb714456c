import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { health, maintenance, serviceHealth } from '@atrium/contract/services/health'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { probeNow, probeServices } from './probe.ts'
import { deleteOldReports } from './queries.ts'

let app: TestApp
/** A node that may probe the site below. */
let node: Awaited<ReturnType<typeof openNode>>
let admin: Caller

/** A third-party site: its answers, and the requests it received. */
const site = { status: 200, seen: [] as string[], origin: '', atOnce: 0, maxAtOnce: 0, delay: 0 }
const server = http.createServer((request, response) => {
  site.seen.push(`${request.method} ${request.url}`)
  site.atOnce += 1
  site.maxAtOnce = Math.max(site.maxAtOnce, site.atOnce)
  setTimeout(() => {
    site.atOnce -= 1
    if (site.status === 0) return request.socket.destroy()
    const path = request.url ?? ''
    if (path.startsWith('/no-head') && request.method === 'HEAD')
      return response.writeHead(405).end()
    if (path.startsWith('/login')) return response.writeHead(302, { location: '/never' }).end()
    response.writeHead(path.startsWith('/gone') ? 404 : site.status).end('x')
  }, site.delay)
})

const everybody: Rule[] = [{ effect: 'include', kind: 'everybody' }]

async function addService(serviceNo: string, url: string, rules: Rule[] = everybody) {
  const { db, topics } = app.platform
  const id = await db.transaction().execute(async (db) => {
    const type = await db.selectFrom('service_type').select('id').executeTakeFirstOrThrow()
    const row = await db
      .insertInto('service')
      .values({
        service_no: serviceNo,
        name: serviceNo,
        type_id: type.id,
        url,
        audience_id: await audienceFor(db, rules),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await invalidate(db, 'services')
    return row.id
  })
  await topics.flushed()
  return id
}

/** Moves the last probe back in time. */
const pass = () =>
  sql`update service_host set checked_at = checked_at - interval '1 hour'`.execute(app.platform.db)
async function probe(id: string, times = 1) {
  for (let time = 0; time < times; time++) {
    await pass()
    await probeNow(node.platform, id)
  }
  await app.platform.topics.flushed()
}
const outage = async (id: string) =>
  (await (await app.as('student'))(services.read, { query: { serviceId: id } })).data.outage

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  site.origin = `http://127.0.0.1:${port}`
  app = await testApp()
  node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}` })
  admin = await app.as('admin')
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  server.closeAllConnections()
  server.close()
})

describe('probing', () => {
  test('an outage is shown since its first failure and ends when the service recovers', async () => {
    const id = await addService('H-DOWN', `${site.origin}/app?token=secret`)
    await probe(id)
    expect(await outage(id)).toBeUndefined()
    // Without the query, which may be personal.
    expect(site.seen.at(-1)).toBe('HEAD /app')
    site.status = 503
    await probe(id, 2)
    expect(await outage(id)).toBeUndefined()
    await probe(id)
    const seen = await outage(id)
    expect(seen).toMatchObject({ kind: 'down', until: null, text: '', alternative: null })
    expect(Math.abs(Date.now() - Date.parse(seen?.since ?? ''))).toBeLessThan(60_000)
    expect(seen?.since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { data } = await admin(serviceHealth.list, { query: { pageSize: 200 } })
    expect(data.list.find(({ serviceId }) => serviceId === id)).toMatchObject({
      state: 'down',
      status: 503,
      issue: 'The service answered with status 503.',
    })
    // It still opens for members who insist.
    const student = await app.as('student')
    expect((await student(serviceOpening.launch, { body: { serviceId: id } })).data).toMatchObject({
      how: 'outage',
      url: '',
      outage: { kind: 'down' },
    })
    expect((await student(services.lastUsed)).data[0]?.serviceId).not.toBe(id)
    expect(
      (await student(serviceOpening.launch, { body: { serviceId: id, anyway: true } })).data.how,
    ).toBe('webview')
    expect((await student(services.lastUsed)).data[0]?.serviceId).toBe(id)
    site.status = 200
    await probe(id)
    expect(await outage(id)).toBeUndefined()
  })

  test('a host with many services gets one request at a time, with a pause', async () => {
    const ids = []
    for (const path of ['a', 'no-head', 'login', 'gone'])
      ids.push(await addService(`H-MANY-${path}`, `${site.origin}/${path}`))
    const { db } = app.platform
    await db.transaction().execute((db) => updateSetting(db, 'serviceProbeMinutes', '5'))
    await node.platform.topics.flushed()
    await sql`delete from service_host`.execute(db)
    await sql`update service set online = false where url not like ${`${site.origin}%`}`.execute(db)
    site.seen = []
    site.maxAtOnce = 0
    site.delay = 50
    // First probes of new hosts are spread, so none is due immediately.
    await probeServices(node.platform)
    const due = () =>
      sql`update service_host set next_at = now(), checked_at = checked_at - interval '1 hour'`.execute(
        db,
      )
    await due()
    await Promise.all([
      probeServices(node.platform),
      probeServices(node.platform),
      ...ids.map((id) => probeNow(node.platform, id)),
    ])
    site.delay = 0
    expect(site.maxAtOnce).toBe(1)
    expect(site.seen.filter((line) => line.startsWith('HEAD'))).toHaveLength(1)
    await probeServices(node.platform)
    expect(site.seen.filter((line) => line.startsWith('HEAD'))).toHaveLength(1)
    // Successive runs probe each address in turn.
    for (let turn = 0; turn < 5; turn++) {
      await due()
      await probeServices(node.platform)
    }
    expect(new Set(site.seen)).toEqual(
      new Set([
        'HEAD /app',
        'HEAD /a',
        'HEAD /no-head',
        'GET /no-head',
        'HEAD /login',
        'HEAD /gone',
        'GET /gone',
      ]),
    )
    const { data } = await admin(serviceHealth.list, { query: { pageSize: 200 } })
    expect(data.list).toEqual([
      expect.objectContaining({ serviceNo: 'H-MANY-gone', state: 'dead', status: 404 }),
    ])
    await sql`update service set online = true`.execute(db)
  })

  test('internal addresses are not probed and have the state unknown', async () => {
    const id = await addService('H-INSIDE', 'http://127.0.0.1:9/')
    const { data } = await admin(serviceHealth.check, { params: { serviceId: id } })
    expect(data).toMatchObject({
      state: 'unknown',
      issue: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW'),
    })
    expect(await outage(id)).toBeUndefined()
    const screen = await addService('H-SCREEN', '/pages/tab/schedule/schedule')
    expect(await admin(serviceHealth.check, { params: { serviceId: screen } })).toMatchObject({
      status: 409,
      error: 'health.not_probed',
    })
  })

  test('a host that drops connections is down, and unwatched services show no outage', async () => {
    const id = await addService('H-AWAY', `${site.origin}/away`)
    site.status = 0
    await probe(id, 3)
    site.status = 200
    expect(await outage(id)).toMatchObject({ kind: 'down' })
    const library = await addService('H-OTHER', '/pages/tab/index/index')
    const change = (body: object) =>
      admin(serviceHealth.change, { params: { serviceId: id }, body })
    await change({ text: '请使用备用入口', textEn: 'Use the other door', alternative: library })
    expect(await outage(id)).toMatchObject({ text: '请使用备用入口', alternative: library })
    await change({ watched: false })
    expect(await outage(id)).toBeUndefined()
    expect(await change({ alternative: id })).toMatchObject({
      status: 400,
      fields: { alternative: expect.any(String) },
    })
    await probe(id)
  })
})

describe('maintenance', () => {
  const hour = 3600_000
  const fromNow = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
  const announce = (caller: Caller, serviceId: string, body: object = {}) =>
    caller(maintenance.create, {
      body: { serviceId, startsAt: fromNow(-1), endsAt: fromNow(1), ...body },
    })

  test('is shown while it lasts and a day before, and ends by itself', async () => {
    const id = await addService('H-MAINTAINED', `${site.origin}/maintained`)
    const { data } = await announce(admin, id, { text: '<b>升级</b>', textEn: 'Upgrade' })
    expect(await outage(id)).toEqual({
      kind: 'maintenance',
      since: data.startsAt,
      until: data.endsAt,
      text: '<b>升级</b>',
      textEn: 'Upgrade',
      alternative: null,
    })
    const student = await app.as('student')
    const { list } = (await student(services.list, { query: { keyWords: 'H-MAINTAINED' } })).data
    expect(list[0]?.outage?.kind).toBe('maintenance')
    const move = (startsAt: string, endsAt: string) =>
      admin(maintenance.update, {
        params: { id: data.id },
        body: { serviceId: id, startsAt, endsAt },
      })
    await move(fromNow(2), fromNow(3))
    expect(await outage(id)).toMatchObject({ since: expect.any(String), text: '' })
    await move(fromNow(48), fromNow(49))
    expect(await outage(id)).toBeUndefined()
    // It ends by itself: nothing is invalidated then, and cached answers are at most a minute old.
    await move(fromNow(-2), fromNow(1))
    const { db } = app.platform
    expect(await outage(id)).toBeDefined()
    await sql`update service_maintenance set ends_at = now() - interval '1 second' where id = ${data.id}`.execute(
      db,
    )
    const rows = await db
      .selectFrom('service_maintenance')
      .select('id')
      .where('id', '=', data.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect((await admin(maintenance.list, { query: { serviceId: id } })).data).toEqual([])
    await admin(maintenance.remove, { params: { id: data.id } })
    expect(await outage(id)).toBeUndefined()
  })

  test('with an invalid window, alternative or service is rejected', async () => {
    const id = await addService('H-BAD', '/pages/tab/index/index')
    expect(await announce(admin, id, { endsAt: fromNow(-3) })).toMatchObject({
      status: 400,
      fields: { endsAt: expect.any(String) },
    })
    expect(await announce(admin, id, { alternative: '999999' })).toMatchObject({ status: 400 })
    expect(await announce(admin, '999999')).toMatchObject({
      status: 404,
      error: 'service.not_found',
    })
    const params = { id: '999999' }
    expect(await admin(maintenance.remove, { params })).toMatchObject({
      status: 404,
      error: 'health.maintenance_not_found',
    })
  })

  test('is managed by operators of the service, not by members or other departments', async () => {
    const { db, topics } = app.platform
    const [own, foreign] = await db
      .selectFrom('organization')
      .select('id')
      .where('code', 'in', ['O03', 'O05'])
      .orderBy('code')
      .execute()
    const mine = await addService('H-OWN', '/pages/tab/index/index')
    const theirs = await addService('H-THEIRS', '/pages/tab/index/index')
    await db
      .updateTable('service')
      .set({ organization_id: own?.id ?? '' })
      .where('id', '=', mine)
      .execute()
    await db
      .updateTable('service')
      .set({ organization_id: foreign?.id ?? '' })
      .where('id', '=', theirs)
      .execute()
    const account = await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'staff')
      .executeTakeFirstOrThrow()
    await insertGrants(db, account.id, ['services'], own?.id ?? null)
    await topics.flushed()
    const staff = await app.as('staff')
    const { data } = await announce(staff, mine)
    expect(await announce(staff, theirs)).toMatchObject({ status: 404 })
    expect(
      await staff(serviceHealth.change, { params: { serviceId: theirs }, body: {} }),
    ).toMatchObject({ status: 404 })
    expect(await staff(serviceHealth.check, { params: { serviceId: theirs } })).toMatchObject({
      status: 404,
    })
    const foreignWindow = (await announce(admin, theirs)).data.id
    const listed = (await staff(maintenance.list)).data.map(({ id }) => id)
    expect(listed).toContain(data.id)
    expect(listed).not.toContain(foreignWindow)
    const params = { id: foreignWindow }
    expect(await staff(maintenance.remove, { params })).toMatchObject({ status: 404 })
    expect(await announce(await app.as('student'), mine)).toMatchObject({ status: 403 })
    expect(await announce(app.visitor, mine)).toMatchObject({ status: 401 })
    expect(await (await app.as('student'))(serviceHealth.list)).toMatchObject({ status: 403 })
  })
})

describe('an outage report', () => {
  test('counts once per member and day, for visible services only', async () => {
    const id = await addService('H-REPORTED', '/pages/tab/index/index')
    const hidden = await addService('H-HIDDEN', '/pages/tab/index/index', [
      { effect: 'include', kind: 'identity', target: 'T01' },
    ])
    const student = await app.as('student')
    const say = (serviceId: string, caller = student) =>
      caller(health.report, { body: { serviceId } })
    expect((await say(id)).data).toEqual({ counted: true })
    expect((await say(id)).data).toEqual({ counted: false })
    await say(id, await app.as('teacher'))
    expect(await say(hidden)).toMatchObject({ status: 404, error: 'service.not_found' })
    expect(await say(id, app.visitor)).toMatchObject({ status: 401 })
    const { data } = await admin(serviceHealth.list, { query: { pageSize: 200 } })
    expect(data.list[0]).toMatchObject({ serviceId: id, reports: 2 })
    const { db } = app.platform
    await sql`update service_report set reported_at = now() - interval '25 hours'`.execute(db)
    expect((await say(id)).data).toEqual({ counted: true })
    await sql`update service_report set reported_at = now() - interval '15 days'`.execute(db)
    await deleteOldReports(db)
    expect(await db.selectFrom('service_report').selectAll().execute()).toEqual([])
  })
})
