import { services } from '@atrium/contract/services'
import { beforeAll, describe, expect, test } from 'vitest'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { raiseTopic } from '#platform/topics.ts'
import { type TestApp, testApp } from '../../../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

/** A service with this audience, as an operator would add it. */
async function addService(serviceNo: string, rules: Rule[], name = serviceNo) {
  const { db, topics } = app.platform
  const id = await db.transaction().execute(async (db) => {
    const type = await db
      .selectFrom('service_type')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const row = await db
      .insertInto('service')
      .values({
        service_no: serviceNo,
        name,
        type_id: type.id,
        url: 'https://example.edu/',
        audience_id: await audienceFor(db, rules),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await raiseTopic(db, 'services')
    return row.id
  })
  await topics.settled()
  return id
}
const forIdentity = (target: string): Rule[] => [{ effect: 'include', kind: 'identity', target }]

describe('the catalogue', () => {
  test('the services tab comes in one answer, with its first list', async () => {
    const student = await app.as('student')
    const { data } = await student(services.overview)
    expect(data.total).toBeGreaterThan(50)
    expect(data.types.length).toBeGreaterThan(5)
    expect(data.common).toHaveLength(5)
    expect(data.first.list.length).toBe(
      data.types.find((type) => type.id === data.first.typeId)?.count,
    )
  })

  test('a list is counted, and a page size of 9999 is served in at most 200', async () => {
    const student = await app.as('student')
    const { data } = await student(services.list, { query: { pageSize: 9999 } })
    expect(data).toMatchObject({ pageNo: 1, pageSize: 200 })
    expect(data.list).toHaveLength(Math.min(data.total, 200))
    const past = await student(services.list, { query: { pageNo: 90, pageSize: 200 } })
    expect(past.data).toMatchObject({ list: [], total: data.total })
  })

  test('words find by name, pinyin and initials, and a wildcard means itself', async () => {
    const student = await app.as('student')
    const all = await student(services.list, { query: { pageSize: 200 } })
    const one = all.data.list.find((service) => service.serviceName.length >= 3)
    expect(one).toBeDefined()
    const found = await student(services.list, { query: { keyWords: one?.serviceName } })
    expect(found.data.list.map((service) => service.serviceId)).toContain(one?.serviceId)
    expect((await student(services.list, { query: { keyWords: '%' } })).data.total).toBe(0)
  })

  test('what a member may not use is in no list, no search and no read', async () => {
    const id = await addService('T-TEACHERS', forIdentity('T01'), '教师专用服务')
    for (const caller of [await app.as('student'), app.visitor]) {
      expect(
        (await caller(services.list, { query: { keyWords: '教师专用服务' } })).data.total,
      ).toBe(0)
      expect(await caller(services.read, { query: { serviceId: id } })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
      expect(await caller(services.launch, { body: { serviceId: id } })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
    }
    const teacher = await app.as('teacher')
    expect((await teacher(services.read, { query: { serviceId: id } })).data.serviceName).toBe(
      '教师专用服务',
    )
  })

  test('a change reaches a cached list at once on the node that made it', async () => {
    const student = await app.as('student')
    const before = (await student(services.list)).data.total
    await addService('T-EVERYBODY', [{ effect: 'include', kind: 'everybody' }])
    expect((await student(services.list)).data.total).toBe(before + 1)
  })

  test('a cached answer carries an ETag, and costs nothing when it is still right', async () => {
    const first = await app.visitor(services.types)
    const again = await app.app.inject({
      url: services.types.path,
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
  })
})

describe('using services', () => {
  test('launching records the use once and answers how to open it', async () => {
    const student = await app.as('student')
    const id = await addService('T-LAUNCH', [{ effect: 'include', kind: 'everybody' }])
    expect((await student(services.launch, { body: { serviceId: id } })).data).toEqual({
      how: 'webview',
      url: 'https://example.edu/',
    })
    expect((await student(services.lastUsed)).data[0]?.serviceId).toBe(id)
    const teacher = await app.as('teacher')
    expect(
      (await teacher(services.lastUsed)).data.map((service) => service.serviceId),
    ).not.toContain(id)
  })

  test('a favourite twice is one, and racing toggles leave one row', async () => {
    const student = await app.as('student')
    const id = await addService('T-FAVOURITE', [{ effect: 'include', kind: 'everybody' }])
    await Promise.all(
      [1, 2, 3, 4].map(() => student(services.addFavourite, { body: { serviceId: id } })),
    )
    expect((await student(services.favouriteIds)).data.filter((key) => key === id)).toHaveLength(1)
    await student(services.removeFavourite, { body: { serviceId: id } })
    await student(services.removeFavourite, { body: { serviceId: id } })
    expect((await student(services.favouriteIds)).data).not.toContain(id)
  })

  test('a visitor has no favourites and no history', async () => {
    for (const endpoint of [
      services.favouriteIds,
      services.lastUsed,
      services.addFavourite,
      services.recordUse,
    ]) {
      expect(await app.visitor(endpoint, { body: { serviceId: '1' } })).toMatchObject({
        status: 401,
        error: 'session.required',
      })
    }
  })

  test('a hidden service cannot be made a favourite', async () => {
    const id = await addService('T-HIDDEN', forIdentity('T01'))
    const student = await app.as('student')
    expect(await student(services.addFavourite, { body: { serviceId: id } })).toMatchObject({
      status: 404,
    })
    expect(
      await student(services.addFavourite, { body: { serviceId: '1; drop table service' } }),
    ).toMatchObject({
      status: 400,
      error: 'request.invalid',
      fields: { serviceId: expect.any(String) },
    })
  })
})
