import {
  catalogue,
  ownedServices,
  serviceFiles,
} from '@atrium/contract/services/service-catalogue.operator'
import { serviceSynonyms, serviceTypes } from '@atrium/contract/services/service-types.operator'
import { services } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import {
  type Caller,
  declared,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
let student: Caller
/** a services operator for the teacher's part of the institution */
let department: Caller
let own: { id: string; code: string }
let other: { id: string; code: string }
let typeId: string
beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  admin = await app.as('admin')
  student = await app.as('student')
  const organizations = await db
    .selectFrom('organization')
    .select(['id', 'code', 'path'])
    .where(sql<boolean>`cardinality(path) = 2`)
    .orderBy('id')
    .execute()
  ;[own, other] = organizations as unknown as [typeof own, typeof other]
  const teacher = await findAccountByUsername(db, 'teacher')
  await insertGrants(db, teacher?.id ?? '', ['services'], own.id)
  await topics.flushed()
  department = await app.as('teacher')
  typeId = (
    await db.selectFrom('service_type').select('id').orderBy('id').executeTakeFirstOrThrow()
  ).id
})

let serial = 0
const content = (overrides: object = {}) => ({
  serviceNo: `C-${++serial}`,
  serviceName: '宿舍报修',
  serviceUrl: 'https://repair.example.edu/',
  typeId,
  organizationId: own.id,
  audience: [{ kind: 'everybody' }],
  ...overrides,
})
const create = async (overrides: object = {}, by: Caller = admin) => {
  const { status, data, fields } = await by(catalogue.create, { body: content(overrides) })
  expect({ status, fields }).toEqual({ status: 200, fields: undefined })
  return data
}
/** A service as read, converted to an update request. */
const asSent = (service: Awaited<ReturnType<typeof create>>, change: object = {}) =>
  declared(catalogue.update, { ...service, ...change })
const params = (service: { serviceId: string }) => ({ id: service.serviceId })

describe('permissions', () => {
  test('visitors and members are rejected', async () => {
    const tables = { ...catalogue, ...serviceTypes, ...serviceSynonyms, ...serviceFiles }
    const body = {
      ...content(),
      version: 1,
      usernames: [],
      words: ['a', 'b'],
      code: 'c',
      name: 'c',
      text: 'x',
    }
    for (const endpoint of Object.values(tables)) {
      const input = { params: { id: '1' }, query: { version: 1 }, body }
      expect((await app.visitor(endpoint, input)).status, endpoint.path).toBe(401)
      expect((await student(endpoint, input)).status, endpoint.path).toBe(403)
    }
  })

  test('a department’s operator manages only its own services; others are not found', async () => {
    const [mine, theirs, nobodys] = [
      await create({}, department),
      await create({ organizationId: other.id }),
      await create({ organizationId: null }),
    ]
    const seen = await department(catalogue.list, { query: { pageSize: 200 } })
    const numbers = seen.data.list.map(({ serviceNo }) => serviceNo)
    expect(numbers).toContain(mine.serviceNo)
    expect(numbers).not.toContain(theirs.serviceNo)
    expect(numbers).not.toContain(nobodys.serviceNo)
    expect(seen.data.total).toBe(numbers.length)
    for (const hidden of [theirs, nobodys]) {
      const version = { version: hidden.version }
      const guide = { intro: 'x', version: null }
      const calls = [
        [catalogue.read, {}],
        [catalogue.update, { body: asSent(hidden) }],
        [catalogue.publish, { body: version }],
        [catalogue.withdraw, { body: version }],
        [catalogue.remove, { query: version }],
        [catalogue.readGuide, {}],
        [catalogue.saveGuide, { body: guide }],
        [catalogue.removeGuide, { query: version }],
        [catalogue.saveOwners, { body: { usernames: ['student'], ...version } }],
      ] as const
      for (const [endpoint, input] of calls)
        expect(
          await department(endpoint, { ...input, params: params(hidden) }),
          endpoint.path,
        ).toMatchObject({ status: 404, error: 'service.not_found' })
      expect((await admin(catalogue.read, { params: params(hidden) })).data).toEqual(hidden)
    }
    // It cannot be moved out of the department or created for others.
    for (const organizationId of [other.id, null]) {
      expect(
        await department(catalogue.update, {
          params: params(mine),
          body: asSent(mine, { organizationId }),
        }),
      ).toMatchObject({ status: 400, fields: { organizationId: expect.any(String) } })
      expect(
        await department(catalogue.create, { body: content({ organizationId }) }),
      ).toMatchObject({ status: 400, fields: { organizationId: expect.any(String) } })
    }
    // Shared data is for operators of the whole institution.
    expect((await department(serviceTypes.list)).status).toBe(200)
    for (const endpoint of [serviceTypes.create, serviceSynonyms.create, serviceFiles.exportCsv]) {
      const body = { code: 'c', name: 'c', words: ['a', 'b'] }
      expect((await department(endpoint, { body })).status).toBe(403)
    }
  })
})

describe('a service', () => {
  test('can be created, changed, withdrawn and removed, and each step is audited', async () => {
    const service = await create({ tags: ['报修'], desc: '  三天内上门 ', notice: '' })
    expect(service).toMatchObject({ desc: '三天内上门', online: true, version: 1, owners: [] })
    const read = () => student(services.read, { query: { serviceId: service.serviceId } })
    expect((await read()).data).toMatchObject({ serviceName: '宿舍报修', tags: ['报修'] })
    const found = await student(services.list, { query: { keyWords: 'sushebaoxiu' } })
    expect(found.data.list.map(({ serviceId }) => serviceId)).toContain(service.serviceId)

    const changed = await admin(catalogue.update, {
      params: params(service),
      body: asSent(service, { serviceName: '宿舍维修', notice: '周六停机', validFrom: null }),
    })
    expect(changed).toMatchObject({ status: 200, data: { version: 2, notice: '周六停机' } })
    expect((await read()).data).toMatchObject({ serviceName: '宿舍维修', notice: '周六停机' })

    const remove = (version: number) =>
      admin(catalogue.remove, { params: params(service), query: { version } })
    expect(await remove(2)).toMatchObject({ status: 409, error: 'service.still_online' })
    const withdrawn = await admin(catalogue.withdraw, {
      params: params(service),
      body: { version: 2 },
    })
    expect(withdrawn.data).toMatchObject({ online: false, version: 3 })
    expect((await read()).status).toBe(404)
    const back = await admin(catalogue.publish, { params: params(service), body: { version: 3 } })
    expect(back.data).toMatchObject({ online: true, version: 4 })
    expect((await read()).status).toBe(200)
    await admin(catalogue.withdraw, { params: params(service), body: { version: 4 } })
    expect((await remove(5)).status).toBe(200)
    expect((await admin(catalogue.read, { params: params(service) })).status).toBe(404)

    const { db } = app.platform
    const entries = await db
      .selectFrom('audit_entry')
      .select(['action', 'outcome'])
      .where('operator', '=', 'admin')
      .where('action', 'like', '%/services/{id}%')
      .orderBy('id', 'desc')
      .limit(6)
      .execute()
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()).toEqual([
      'PUT /console-api/v1/services/{id} ok',
      'DELETE /console-api/v1/services/{id} service.still_online',
      'POST /console-api/v1/services/{id}/withdraw ok',
      'POST /console-api/v1/services/{id}/publish ok',
      'POST /console-api/v1/services/{id}/withdraw ok',
      'DELETE /console-api/v1/services/{id} ok',
    ])
  })

  test('a stale version is rejected, and only one of two concurrent updates succeeds', async () => {
    const service = await create()
    const update = (serviceName: string) =>
      admin(catalogue.update, { params: params(service), body: asSent(service, { serviceName }) })
    const answers = await Promise.all([update('甲'), update('乙')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const late = answers.find(({ status }) => status === 409)
    expect(late?.error).toBe('service.changed_meanwhile')
    expect(late?.raw).toContain('有人刚刚修改过')
    // Counters updated by a job do not change the version.
    const { db } = app.platform
    const { version } = await db
      .updateTable('service')
      .set({ use_count: 7 })
      .where('id', '=', service.serviceId)
      .returning('version')
      .executeTakeFirstOrThrow()
    expect(version).toBe(2)
  })

  test.each([
    ['java\nscript:alert(1)', '格式'],
    ['https://user:pass@a.example.edu/', '用户名'],
    ['http://2130706433/', 'ATRIUM_OUTBOUND_ALLOW'],
  ])('the address %s is rejected with the reason', async (serviceUrl, words) => {
    const answer = await admin(catalogue.create, { body: content({ serviceUrl }) })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(answer.fields?.serviceUrl).toContain(words)
  })

  test.each([
    ['serviceName', { serviceName: '名\u0000' }],
    ['serviceName', { serviceName: '甲\u202e乙' }],
    ['serviceName', { serviceName: ' ' }],
    ['serviceNo', { serviceNo: '=1+1' }],
    ['typeId', { typeId: '999999999' }],
    ['organizationId', { organizationId: '999999999' }],
    ['audience', { audience: [{ effect: 'exclude', kind: 'guests' }] }],
    ['audience.0.target', { audience: [{ kind: 'group', target: 'nobody-knows' }] }],
    ['validUntil', { validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' }],
    ['miniProgram', { opening: 'miniProgram' }],
    ['tokenAccept.0.tokenKey', { tokenAccept: [{ tokenType: 'cookie', tokenKey: 'atrium_id' }] }],
    ['tags.1', { tags: ['一', '一'] }],
    ['tags.0', { tags: ['一;二'] }],
    ['iconFileId', { iconFileId: '999999999' }],
  ])('an invalid %s is reported by field', async (field, overrides) => {
    const answer = await admin(catalogue.create, { body: content(overrides) })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test('a private file cannot be used for a service', async () => {
    const { db } = app.platform
    const file = await db
      .insertInto('file')
      .values({ sha256: 'c'.repeat(64), media_type: 'image/png', byte_size: 1, is_public: false })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(
      (await admin(catalogue.create, { body: content({ iconFileId: file.id }) })).fields,
    ).toHaveProperty('iconFileId')
    const service = await create()
    const guide = { version: null, attachments: [{ name: '附件', fileId: file.id }] }
    expect(
      (await admin(catalogue.saveGuide, { params: params(service), body: guide })).fields,
    ).toHaveProperty(['attachments.0.fileId'])
  })

  test('numbers are unique, and a service with a relying party cannot be removed', async () => {
    const service = await create()
    const taken = { status: 409, error: 'service.number_taken' }
    const { serviceNo } = service
    expect(await admin(catalogue.create, { body: content({ serviceNo }) })).toMatchObject(taken)
    const second = await create()
    expect(
      await admin(catalogue.update, {
        params: params(second),
        body: asSent(second, { serviceNo }),
      }),
    ).toMatchObject(taken)
    const { db } = app.platform
    await sql`insert into relying_party (code, service_id) values ('c-party', ${service.serviceId})`.execute(
      db,
    )
    await admin(catalogue.withdraw, { params: params(service), body: { version: 1 } })
    expect(
      await admin(catalogue.remove, { params: params(service), query: { version: 2 } }),
    ).toMatchObject({ status: 409, error: 'service.in_use' })
  })

  test('a change is visible on another node within one second', async () => {
    const node = await openNode(app.url)
    try {
      const service = await create()
      const token = await app.tokenOf('student')
      const name = async () =>
        (
          await node.app.inject({
            url: `${services.read.path}?serviceId=${service.serviceId}`,
            headers: { 'x-id-token': token },
          })
        ).json().data.serviceName
      expect(await name()).toBe('宿舍报修')
      await admin(catalogue.update, {
        params: params(service),
        body: asSent(service, { serviceName: '公寓报修' }),
      })
      await vi.waitFor(async () => expect(await name()).toBe('公寓报修'), { timeout: 1000 })
    } finally {
      await node.app.close()
      await node.platform.close()
    }
  })
})

describe('guides', () => {
  test('are saved as a whole and only with the current version', async () => {
    const service = await create()
    const save = (version: number | null, intro: string) =>
      admin(catalogue.saveGuide, {
        params: params(service),
        body: {
          version,
          intro,
          steps: [{ title: '提交申请' }, { title: '上门维修', content: '三个工作日内' }],
          materials: [{ name: '学生证', required: false }],
        },
      })
    const read = () => student(services.guide, { query: { serviceId: service.serviceId } })
    expect((await read()).error).toBe('service.no_guide')
    expect((await admin(catalogue.readGuide, { params: params(service) })).data).toBeNull()
    expect(await save(4, '甲')).toMatchObject({ status: 409, error: 'service.changed_meanwhile' })
    expect(await save(null, '甲')).toMatchObject({ status: 200, data: { version: 1 } })
    expect((await save(null, '乙')).status).toBe(409)
    expect(await save(1, '丙')).toMatchObject({ status: 200, data: { version: 2 } })
    expect((await read()).data).toMatchObject({
      intro: '丙',
      steps: [{ title: '提交申请' }, { title: '上门维修', content: '三个工作日内' }],
      materials: [{ name: '学生证', required: false, copies: 1 }],
    })
    const remove = (version: number) =>
      admin(catalogue.removeGuide, { params: params(service), query: { version } })
    expect((await remove(1)).status).toBe(409)
    expect((await remove(2)).status).toBe(200)
    expect((await remove(2)).error).toBe('service.no_guide')
    expect((await read()).error).toBe('service.no_guide')
  })
})

describe('owners', () => {
  test('can edit only the texts and guides of their own services', async () => {
    const service = await create()
    const stranger = await create()
    const wrong = await admin(catalogue.saveOwners, {
      params: params(service),
      body: { usernames: ['student', 'no-such-account'], version: 1 },
    })
    expect(wrong.fields).toEqual({ 'usernames.1': expect.any(String) })
    const named = await admin(catalogue.saveOwners, {
      params: params(service),
      body: { usernames: ['student'], version: 1 },
    })
    expect(named.data).toMatchObject({ owners: [{ username: 'student' }], version: 2 })
    expect((await student(ownedServices.list)).data.map((one) => one.serviceId)).toEqual([
      service.serviceId,
    ])
    const words = { serviceName: '报修', notice: '今晚维护', version: 2 }
    const beyond = { serviceUrl: 'https://evil.example/', audience: [{ kind: 'guests' }] }
    expect(
      await student(ownedServices.update, {
        params: params(service),
        body: { ...words, ...beyond },
      }),
    ).toMatchObject({
      status: 400,
      fields: { serviceUrl: expect.any(String), audience: expect.any(String) },
    })
    const saved = await student(ownedServices.update, {
      params: params(service),
      // Fields that owners may not change are ignored.
      body: words,
    })
    expect(saved).toMatchObject({
      status: 200,
      data: {
        serviceName: '报修',
        notice: '今晚维护',
        serviceUrl: service.serviceUrl,
        audience: service.audience,
        version: 3,
      },
    })
    expect(
      (await student(ownedServices.update, { params: params(service), body: words })).error,
    ).toBe('service.changed_meanwhile')
    const guide = { intro: '说明', version: null }
    const guided = await student(ownedServices.saveGuide, { params: params(service), body: guide })
    expect(guided.data).toMatchObject({ intro: '说明', version: 1 })
    expect((await student(ownedServices.readGuide, { params: params(service) })).data).toEqual(
      guided.data,
    )
    const { db } = app.platform
    const entries = await db
      .selectFrom('audit_entry')
      .select('action')
      .where('operator', '=', 'student')
      .where('outcome', '=', 'ok')
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'PUT /console-api/v1/owned-services/{id}',
      'PUT /console-api/v1/owned-services/{id}/guide',
    ])

    const hidden = { status: 404, error: 'service.not_found' }
    const staff = await app.as('staff')
    for (const [caller, of] of [
      [student, stranger],
      [staff, service],
    ] as const) {
      const input = { params: params(of) }
      expect(
        await caller(ownedServices.update, { ...input, body: { ...words, version: 3 } }),
      ).toMatchObject(hidden)
      expect(await caller(ownedServices.readGuide, input)).toMatchObject(hidden)
      expect(await caller(ownedServices.saveGuide, { ...input, body: guide })).toMatchObject(hidden)
    }
    for (const endpoint of Object.values(ownedServices))
      expect((await app.visitor(endpoint, { params: { id: '1' }, body: {} })).status).toBe(401)
  })
})

describe('types and synonyms', () => {
  test('a type can be created, changed and removed, but not placed below itself', async () => {
    const created = await admin(serviceTypes.create, { body: { code: 'c-life', name: '生活' } })
    expect(created).toMatchObject({
      status: 200,
      data: { services: 0, version: 1, parentId: null },
    })
    const again = await admin(serviceTypes.create, { body: { code: 'c-life', name: '生活' } })
    expect(again.error).toBe('service.type_taken')
    const below = await admin(serviceTypes.create, {
      body: { code: 'c-dorm', name: '宿舍', parentId: created.data.id },
    })
    const update = (id: string, body: object) =>
      admin(serviceTypes.update, { params: { id }, body })
    const ring = { code: 'c-life', name: '生活', parentId: below.data.id, version: 1 }
    expect((await update(created.data.id, ring)).fields).toHaveProperty('parentId')
    const renamed = await update(created.data.id, { code: 'c-life', name: '生活服务', version: 1 })
    expect(renamed.data).toMatchObject({ name: '生活服务', version: 2 })
    expect((await update(created.data.id, { ...ring, parentId: null })).error).toBe(
      'service.changed_meanwhile',
    )
    expect((await update('999999999', ring)).error).toBe('service.type_not_found')
    const service = await create({ typeId: below.data.id })
    expect((await student(services.types)).data.map(({ code }) => code)).toContain('c-dorm')
    const remove = (id: string, version: number) =>
      admin(serviceTypes.remove, { params: { id }, query: { version } })
    expect((await remove(below.data.id, 1)).error).toBe('service.type_in_use')
    expect((await remove(created.data.id, 2)).error).toBe('service.type_in_use')
    await admin(catalogue.update, { params: params(service), body: asSent(service, { typeId }) })
    expect((await remove(below.data.id, 1)).status).toBe(200)
    expect((await remove(created.data.id, 1)).error).toBe('service.changed_meanwhile')
    expect((await remove(created.data.id, 2)).status).toBe(200)
  })

  test('a synonym and its changes take effect in the search immediately', async () => {
    const service = await create({ serviceName: '一卡通充值' })
    const finds = async () =>
      (await student(services.list, { query: { keyWords: '饭卡丁丁' } })).data.list.some(
        ({ serviceId }) => serviceId === service.serviceId,
      )
    expect(await finds()).toBe(false)
    const group = await admin(serviceSynonyms.create, { body: { words: ['饭卡丁丁', '一卡通'] } })
    expect(await finds()).toBe(true)
    const { id } = group.data
    const twice = await admin(serviceSynonyms.update, {
      params: { id },
      body: { words: ['Card', 'card '], version: 1 },
    })
    expect(twice.fields).toHaveProperty(['words.1'])
    const changed = await admin(serviceSynonyms.update, {
      params: { id },
      body: { words: ['饭卡', '一卡通'], version: 1 },
    })
    expect(changed.data).toMatchObject({ version: 2 })
    expect(await finds()).toBe(false)
    const remove = (version: number) =>
      admin(serviceSynonyms.remove, { params: { id }, query: { version } })
    expect((await remove(1)).error).toBe('service.changed_meanwhile')
    expect((await remove(2)).status).toBe(200)
    expect((await remove(2)).error).toBe('service.synonyms_not_found')
  })
})

describe('catalogue import and export', () => {
  const importing = (text: string, options: object = {}) =>
    admin(serviceFiles.import, { body: { text, ...options } })

  test('exported CSV and JSON are imported again without changes', async () => {
    await create({
      serviceName: '=1+1, "引号"',
      desc: '第一行\n第二行;\t制表',
      contactInformation: '+86 10 0000',
      tags: ['甲', "'乙"],
      audience: [
        { kind: 'identity', target: 'S01' },
        { effect: 'exclude', kind: 'guests' },
        { kind: 'organization', target: own.code },
      ],
      validFrom: '2020-01-01T00:00:00.123Z',
      validUntil: '2099-01-01T00:00:00Z',
      terminals: ['2', '6'],
      marks: ['hot', 'new'],
      opening: 'miniProgram',
      miniProgram: { appId: 'wx1', path: '/p', title: '小程序' },
      tokenAccept: [{ tokenType: 'header', tokenKey: 'X-Token' }],
      position: -3,
    })
    await sql`update service set valid_from = now() - interval '1 day' where service_no = ${`C-${serial}`}`.execute(
      app.platform.db,
    )
    const before = (await admin(catalogue.list, { query: { pageSize: 200 } })).data
    for (const endpoint of [serviceFiles.exportCsv, serviceFiles.exportJson]) {
      const { raw, status } = await admin(endpoint, { body: {} })
      expect(status).toBe(200)
      const { data } = await importing(raw)
      expect(data.issues).toEqual([])
      expect(data).toMatchObject({ added: 0, changed: 0, skipped: 0, written: true })
      expect(data.unchanged).toBe(before.total)
      expect(data.notes).toEqual([])
    }
    expect((await admin(catalogue.list, { query: { pageSize: 200 } })).data).toEqual(before)
  })

  test('a dry run writes nothing, issues name their row, and a second import adds no duplicates', async () => {
    const count = async () => (await admin(catalogue.list)).data.total
    const before = await count()
    const text = [
      'serviceNo,name,typeCode,url,validFrom,validUntil,opening,tokenAccept',
      'c-file-1,图书,library,https://lib.example.edu/,,,,',
      'c-file-2,内网,library,http://10.0.0.8/,,,,',
      'c-file-3,带密码,library,https://a:b@lib.example.edu/,,,,',
      'c-file-4,脚本,library,javascript:alert(1),,,,',
      'c-file-5,时间,library,/x,2026-02-01T00:00:00Z,2026-01-01T00:00:00Z,,',
      'c-file-6,小程序,library,/x,,,miniProgram,',
      'c-file-7,令牌,library,/x,,,,oops',
      'c-file-1,又一次,library,/x,,,,',
    ].join('\n')
    const tried = await importing(text, { dryRun: true })
    expect(tried.data).toMatchObject({ read: 8, added: 1, skipped: 7, written: false })
    expect(await count()).toBe(before)
    const strict = await importing(text, { strict: true })
    expect(strict.data).toMatchObject({ skipped: 7, written: false })
    expect(await count()).toBe(before)
    const { data } = await importing(text)
    expect(data).toMatchObject({ added: 1, skipped: 7, written: true })
    expect(data.issues.map(({ row, sentence }) => `${row} ${sentence}`)).toEqual([
      expect.stringMatching(/^3 url .*ATRIUM_OUTBOUND_ALLOW/),
      expect.stringMatching(/^4 url .*password/),
      expect.stringMatching(/^5 url .*http or https/),
      expect.stringMatching(/^6 validUntil/),
      expect.stringMatching(/^7 opening/),
      expect.stringMatching(/^8 tokenAccept/),
      expect.stringMatching(/^9 serviceNo .*row 2/),
    ])
    expect(await count()).toBe(before + 1)
    expect((await importing(text)).data).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
    // A service is matched by its number.
    const other = await importing(text.replace('图书', '图书馆'))
    expect(other.data).toMatchObject({ added: 0, changed: 1 })
  })

  test('an unreadable file is reported without a path', async () => {
    for (const text of ['serviceNo\n"a', 'a,b\n1,2', '[{]']) {
      const { status, data } = await importing(text)
      expect(status).toBe(200)
      expect(data).toMatchObject({ written: false, issues: [{ row: 0 }] })
      expect(data.issues[0]?.sentence).not.toContain('/')
    }
  })
})
