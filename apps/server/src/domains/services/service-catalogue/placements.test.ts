import { favourites } from '@atrium/contract/member/favourites'
import { aggregation } from '@atrium/contract/services/aggregation'
import { catalogue } from '@atrium/contract/services/service-catalogue.operator'
import { servicePlacements, serviceThemes } from '@atrium/contract/services/service-themes.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
let student: Caller
/** a services operator for the student's faculty */
let department: Caller
let faculty: { id: string; code: string }
let other: { id: string; code: string }
let serviceIds: string[]
beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  admin = await app.as('admin')
  student = await app.as('student')
  const { rows } = await sql<typeof faculty & { own: boolean }>`
    select o.id, o.code, s.path @> array[o.code] as own from organization o,
      (select o.path from organization o join account a on a.organization_id = o.id where a.username = 'student') s
    where cardinality(o.path) = 2 order by o.id`.execute(db)
  faculty = rows.find(({ own }) => own) as never
  other = rows.find(({ own }) => !own) as never
  const teacher = await findAccountByUsername(db, 'teacher')
  await insertGrants(db, teacher?.id ?? '', ['services'], faculty.id)
  await topics.flushed()
  department = await app.as('teacher')
  const { list } = (await student(favourites.services)).data
  const taken = new Set(list.map(({ serviceId }) => serviceId))
  const all = await admin(catalogue.list, { query: { pageSize: 200, online: true } })
  serviceIds = all.data.list
    .filter(({ serviceId, audience }) => audience[0]?.kind === 'everybody' && !taken.has(serviceId))
    .map(({ serviceId }) => serviceId)
})

test('visitors and members are rejected', async () => {
  for (const endpoint of [...Object.values(serviceThemes), ...Object.values(servicePlacements)]) {
    const input = {
      params: { id: '1' },
      query: { version: 1 },
      body: { ...theme(), serviceId: '1', version: 1 },
    }
    expect((await app.visitor(endpoint, input)).status, endpoint.path).toBe(401)
    expect((await student(endpoint, input)).status, endpoint.path).toBe(403)
  }
})

const theme = (overrides: object = {}) => ({
  code: 'freshers',
  name: '新生报到',
  desc: ' 从这里开始 ',
  icon: { glyph: 'star', tone: 'green' },
  audience: [{ kind: 'everybody' }],
  serviceIds: serviceIds.slice(0, 3),
  ...overrides,
})

describe('themes', () => {
  const shown = async () => (await student(aggregation.list)).data.map(({ code }) => code)
  const remove = (id: string, version: number) =>
    admin(serviceThemes.remove, { params: { id }, query: { version } })

  test('can be created with services, changed and removed, with immediate effect', async () => {
    const created = await admin(serviceThemes.create, { body: theme() })
    expect(created).toMatchObject({
      status: 200,
      data: { desc: '从这里开始', online: true, version: 1 },
    })
    const { id } = created.data
    expect(created.data.services.map(({ serviceId }) => serviceId)).toEqual(serviceIds.slice(0, 3))
    expect(await shown()).toContain('freshers')
    const read = async () =>
      (await student(aggregation.read, { query: { id } })).data.services.map(
        ({ serviceId }) => serviceId,
      )
    expect(await read()).toEqual(serviceIds.slice(0, 3))
    expect((await admin(serviceThemes.create, { body: theme() })).error).toBe('service.theme_taken')

    const update = (body: object) => admin(serviceThemes.update, { params: { id }, body })
    const turned = theme({ serviceIds: serviceIds.slice(0, 2).reverse(), version: 1 })
    expect(await update(turned)).toMatchObject({ status: 200, data: { version: 2 } })
    expect(await read()).toEqual(serviceIds.slice(0, 2).reverse())
    expect((await update(turned)).error).toBe('service.changed_meanwhile')
    expect((await update(theme({ online: false, version: 2 }))).status).toBe(200)
    expect(await shown()).not.toContain('freshers')
    const listed = (await admin(serviceThemes.list)).data.find((one) => one.id === id)
    expect(listed).toMatchObject({ online: false, version: 3 })

    expect((await remove(id, 2)).error).toBe('service.changed_meanwhile')
    expect((await remove(id, 3)).status).toBe(200)
    expect(await remove(id, 3)).toMatchObject({ status: 404, error: 'service.theme_not_found' })
    const { rows } = await sql<{ action: string; outcome: string }>`
      select action, outcome from audit_entry where action like '%service-themes%' and outcome = 'ok' order by id`.execute(
      app.platform.db,
    )
    expect(rows.map(({ action }) => action.split(' ')[0])).toEqual(['POST', 'PUT', 'PUT', 'DELETE'])
  })

  test.each([
    ['serviceIds.1', { serviceIds: ['1', '999999999'] }],
    ['audience.0.target', { audience: [{ kind: 'organization', target: 'nowhere' }] }],
    ['audience', { audience: [{ effect: 'exclude', kind: 'guests' }] }],
    ['name', { name: '甲\u202e乙' }],
    ['code', { code: ' ' }],
  ])('an invalid %s is reported by field', async (field, overrides) => {
    const answer = await admin(serviceThemes.create, {
      body: theme({ code: 'wrong', ...overrides }),
    })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test('cannot be managed by a department', async () => {
    expect((await department(serviceThemes.list)).status).toBe(403)
    expect((await department(serviceThemes.create, { body: theme() })).status).toBe(403)
  })
})

describe('placements', () => {
  const placement = (overrides: object = {}) => ({
    serviceId: serviceIds[5],
    organizationId: faculty.id,
    audience: [{ kind: 'organization', target: faculty.code }],
    ...overrides,
  })
  const managed = async () =>
    (await student(favourites.services)).data.list.filter((line) => line.managed)
  const isManaged = async () =>
    (await managed()).some(({ serviceId }) => serviceId === serviceIds[5])
  const remove = (caller: Caller, id: string, version: number) =>
    caller(servicePlacements.remove, { params: { id }, query: { version } })

  test('of a department are favourites of its members until it or the member removes them', async () => {
    const created = await department(servicePlacements.create, { body: placement() })
    expect(created).toMatchObject({
      status: 200,
      data: { serviceId: serviceIds[5], organizationId: faculty.id, version: 1 },
    })
    expect(await isManaged()).toBe(true)
    expect((await department(servicePlacements.create, { body: placement() })).error).toBe(
      'service.placed_already',
    )
    // Placed by two operators, it is shown once; a member who removes it removes it for both.
    const second = await admin(servicePlacements.create, {
      body: placement({ organizationId: null, audience: [{ kind: 'everybody' }], position: 9 }),
    })
    expect(second.status).toBe(200)
    expect((await managed()).filter(({ serviceId }) => serviceId === serviceIds[5])).toHaveLength(1)
    const body = { serviceId: serviceIds[5] }
    expect((await student(favourites.cancelManaged, { body })).status).toBe(200)
    expect(await isManaged()).toBe(false)
    await student(favourites.addService, { body })
    expect(await isManaged()).toBe(true)

    const { id } = created.data
    const update = (overrides: object) =>
      department(servicePlacements.update, { params: { id }, body: placement(overrides) })
    expect((await update({ position: 3, version: 1 })).data).toMatchObject({
      position: 3,
      version: 2,
    })
    expect((await update({ version: 1 })).error).toBe('service.changed_meanwhile')
    expect((await remove(department, id, 2)).status).toBe(200)
    expect(await isManaged()).toBe(true)
    expect((await remove(admin, second.data.id, 1)).status).toBe(200)
    expect(await isManaged()).toBe(false)
    const { rows } = await sql<{ operator: string }>`
      select operator from audit_entry where action like '%service-placements%' and outcome = 'ok' order by id`.execute(
      app.platform.db,
    )
    expect(rows.map(({ operator }) => operator)).toEqual([
      'teacher',
      'admin',
      'teacher',
      'teacher',
      'admin',
    ])
  })

  test('of other departments are not found, and wider audiences than the department are rejected', async () => {
    const theirs = await admin(servicePlacements.create, {
      body: placement({ serviceId: serviceIds[6], organizationId: other.id }),
    })
    const nobodys = await admin(servicePlacements.create, {
      body: placement({ serviceId: serviceIds[6], organizationId: null }),
    })
    const seen = (await department(servicePlacements.list, { query: { pageSize: 200 } })).data
    const all = (await admin(servicePlacements.list, { query: { serviceId: serviceIds[6] } })).data
    expect(all).toMatchObject({ total: 2 })
    expect(seen.total).toBe(seen.list.length)
    for (const { data } of [theirs, nobodys]) {
      expect(seen.list.map(({ id }) => id)).not.toContain(data.id)
      const hidden = { status: 404, error: 'service.placement_not_found' }
      expect(await remove(department, data.id, 1)).toMatchObject(hidden)
      expect(
        await department(servicePlacements.update, {
          params: { id: data.id },
          body: placement({ version: 1 }),
        }),
      ).toMatchObject(hidden)
    }
    const refused = async (overrides: object) => {
      const answer = await department(servicePlacements.create, { body: placement(overrides) })
      expect(answer.status).toBe(400)
      return Object.keys(answer.fields ?? {})
    }
    expect(await refused({ organizationId: other.id })).toEqual(['organizationId'])
    expect(await refused({ organizationId: null })).toEqual(['organizationId'])
    expect(await refused({ serviceId: '999999999' })).toEqual(['serviceId'])
    expect(await refused({ audience: [{ kind: 'everybody' }] })).toEqual(['audience.0.target'])
    expect(await refused({ audience: [{ kind: 'organization', target: other.code }] })).toEqual([
      'audience.0.target',
    ])
    // Exclusions may name anybody.
    const narrowed = await department(servicePlacements.create, {
      body: placement({
        audience: [
          { kind: 'organization', target: faculty.code },
          { effect: 'exclude', kind: 'identity', target: 'T01' },
        ],
      }),
    })
    expect(narrowed.status).toBe(200)
  })
})
