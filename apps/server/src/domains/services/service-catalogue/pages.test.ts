import { search } from '@atrium/contract/discovery/search'
import { catalogue } from '@atrium/contract/services/service-catalogue.operator'
import { servicePages } from '@atrium/contract/services/service-pages.operator'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
let student: Caller
/** a services operator for one department */
let department: Caller
let serviceId: string
beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  admin = await app.as('admin')
  student = await app.as('student')
  const { rows } = await sql<{ id: string }>`
    select id from organization where cardinality(path) = 2 order by id limit 2`.execute(db)
  const [own, other] = rows
  const staff = await findAccountByUsername(db, 'staff')
  await insertGrants(db, staff?.id ?? '', ['services'], other?.id ?? '')
  await topics.flushed()
  department = await app.as('staff')
  const type = await db.selectFrom('service_type').select('id').executeTakeFirstOrThrow()
  const { data, raw } = await admin(catalogue.create, {
    body: {
      serviceNo: 'PAGES-1',
      serviceName: '档案馆',
      serviceUrl: 'https://archive.example.edu/',
      typeId: type.id,
      organizationId: own?.id ?? '',
      audience: [{ kind: 'identity', target: 'S01' }],
    },
  })
  expect(data, raw).not.toBeNull()
  serviceId = data.serviceId
  await admin(catalogue.publish, { params: { id: serviceId }, body: { version: data.version } })
})

const page = (overrides: object = {}) => ({
  name: '卷宗查阅',
  nameEn: 'Case files',
  words: ['案卷', ' '],
  url: 'https://archive.example.edu/files?q={keyWords}',
  fieldName: '卷宗号',
  fieldNameEn: 'File number',
  ...overrides,
})
const searchFor = async (by: Caller, keyWords: string) => {
  const { data } = await by(search.find, { query: { keyWords } })
  return {
    answer: data.answer,
    titles: data.groups.flatMap(({ list }) => list.map(({ title }) => title)),
  }
}

test('pages can be created, changed and removed, and are found only with access to the service', async () => {
  const created = await admin(servicePages.create, { params: { serviceId }, body: page() })
  expect(created.data, created.raw).toMatchObject({ name: '卷宗查阅', words: ['案卷'], version: 1 })
  const { id, version } = created.data
  expect((await admin(servicePages.list, { params: { serviceId } })).data).toEqual([created.data])

  await expect.poll(async () => (await searchFor(student, '案卷')).titles).toContain('卷宗查阅')
  expect((await searchFor(student, '卷宗查阅 A12')).answer).toMatchObject({
    kind: 'page',
    field: {
      name: '卷宗号',
      value: 'a12',
      to: 'https://archive.example.edu/files?q={keyWords}',
    },
  })
  const teacher = await searchFor(await app.as('teacher'), '卷宗查阅')
  expect(teacher.titles).not.toContain('卷宗查阅')
  expect(teacher.answer).toBeNull()

  const changed = {
    ...page({ name: '卷宗借阅', url: 'https://archive.example.edu/loans' }),
    version,
  }
  const { data } = await admin(servicePages.update, { params: { id }, body: changed })
  // A field without a placeholder in the address is dropped.
  expect(data).toMatchObject({ name: '卷宗借阅', fieldName: '', version: version + 1 })
  expect(await admin(servicePages.update, { params: { id }, body: changed })).toMatchObject({
    status: 409,
    error: 'service.changed_meanwhile',
  })
  await expect.poll(async () => (await searchFor(student, '卷宗借阅')).titles).toContain('卷宗借阅')
  await admin(servicePages.remove, { params: { id }, query: { version: version + 1 } })
  await expect
    .poll(async () => (await searchFor(student, '卷宗借阅')).titles)
    .not.toContain('卷宗借阅')
})

test('pages must be on the site of their service and name their field', async () => {
  const make = (overrides: object) =>
    admin(servicePages.create, { params: { serviceId }, body: page(overrides) })
  for (const url of ['https://elsewhere.example.edu/a', 'https://archive.example.edu:8443/a'])
    expect(await make({ url })).toMatchObject({ status: 400, error: 'service.page_elsewhere' })
  expect(await make({ url: 'javascript:alert(1)' })).toMatchObject({
    status: 400,
    fields: { url: expect.any(String) },
  })
  expect(await make({ fieldName: ' ' })).toMatchObject({
    status: 400,
    fields: { fieldName: expect.any(String) },
  })
})

test('pages cannot be managed by members or other departments', async () => {
  const { data } = await admin(servicePages.create, { params: { serviceId }, body: page() })
  const { id, version } = data
  const calls = [
    (by: Caller) => by(servicePages.list, { params: { serviceId } }),
    (by: Caller) => by(servicePages.create, { params: { serviceId }, body: page() }),
    (by: Caller) => by(servicePages.update, { params: { id }, body: { ...page(), version } }),
    (by: Caller) => by(servicePages.remove, { params: { id }, query: { version } }),
  ]
  for (const call of calls) {
    expect((await call(app.visitor)).status).toBe(401)
    expect((await call(student)).status).toBe(403)
    expect(await call(department)).toMatchObject({ status: 404, error: 'service.not_found' })
  }
  expect((await admin(servicePages.list, { params: { serviceId } })).data).toHaveLength(1)
})
