import { launch } from '@atrium/contract/shell/launch'
import { diversions, openingPages, slides, themes } from '@atrium/contract/shell/launch.operator'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { deleteGrants, insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let operator: Caller
beforeAll(async () => {
  app = await testApp()
  await app.platform.db.deleteFrom('launch_item').execute()
  operator = await app.as('admin')
})

const everybody = [{ kind: 'everybody' }]
const page = { title: '校庆', contentUrl: '/files/1/day.png', audience: everybody }
const slide = { title: '选课', imageUrl: 'https://img.example.edu/a.png', audience: everybody }
const theme = {
  name: '春节',
  footTabs: [{ text: '首页', iconPath: 'home', selectedIconPath: '/files/1' }],
  validLists: [{ validTimeType: 'permanent' }],
  audience: everybody,
}
const diversion = {
  title: '去哪里',
  destinations: [{ title: '服务大厅', link: '/pages/tab/service/index' }],
  audience: everybody,
}

describe('permissions', () => {
  test.each(Object.entries({ themes, openingPages, diversions, slides }))(
    '%s require the content permission',
    async (_, table) => {
      const calls = [
        [table.list, {}],
        [table.create, { body: { ...page, ...slide, ...theme, ...diversion } }],
        [
          table.update,
          { params: { id: '1' }, body: { ...page, ...slide, ...theme, ...diversion } },
        ],
        [table.remove, { params: { id: '1' } }],
      ] as const
      for (const [endpoint, input] of calls) {
        expect(await app.visitor(endpoint, input)).toMatchObject({
          status: 401,
          error: 'session.required',
        })
        for (const who of ['student', 'staff'] as const)
          expect(await (await app.as(who))(endpoint, input)).toMatchObject({
            status: 403,
            error: 'session.forbidden',
          })
      }
    },
  )

  test('other permissions are not enough, and a revocation takes effect immediately', async () => {
    const { db, topics } = app.platform
    const teacher = await app.as('teacher')
    const { id = '' } = (await findAccountByUsername(db, 'teacher')) ?? {}
    const status = async () => {
      await topics.flushed()
      return (await teacher(slides.list)).status
    }
    await insertGrants(db, id, ['system', 'services', 'messages', 'identity'])
    expect(await status()).toBe(403)
    await insertGrants(db, id, ['content'])
    expect(await status()).toBe(200)
    await deleteGrants(db, id, ['content'])
    expect(await status()).toBe(403)
  })
})

describe('an item', () => {
  test('is created, changed, taken offline and removed, which members see immediately', async () => {
    const student = await app.as('student')
    const seen = async () => (await student(launch.slides)).data.map(({ title }) => title)
    const made = await operator(slides.create, { body: slide })
    expect(made).toMatchObject({
      status: 200,
      data: {
        id: expect.any(String),
        title: '选课',
        titleEn: '',
        link: '',
        startsAt: null,
        audience: [{ effect: 'include', kind: 'everybody', target: '' }],
        position: 0,
        online: true,
        updatedAt: expect.any(String),
      },
    })
    const { id } = made.data
    expect(await seen()).toEqual(['选课'])
    const changed = { ...slide, title: '抢课', position: 3 }
    await operator(slides.update, { params: { id }, body: changed })
    expect(await seen()).toEqual(['抢课'])
    expect((await operator(slides.list)).data).toMatchObject([{ id, title: '抢课', position: 3 }])
    await operator(slides.update, { params: { id }, body: { ...changed, online: false } })
    expect(await seen()).toEqual([])
    expect((await operator(slides.list)).data).toMatchObject([{ id, online: false }])
    expect(await operator(slides.remove, { params: { id } })).toMatchObject({ status: 200 })
    expect((await operator(slides.list)).data).toEqual([])
  })

  test('of another kind or with an unknown id returns 404', async () => {
    const { id } = (await operator(slides.create, { body: slide })).data
    for (const key of [id, '999999']) {
      expect(
        await operator(diversions.update, { params: { id: key }, body: diversion }),
      ).toMatchObject({ status: 404, error: 'launch.not_found' })
      expect(await operator(themes.remove, { params: { id: key } })).toMatchObject({
        status: 404,
        error: 'launch.not_found',
      })
    }
    await operator(slides.remove, { params: { id } })
  })

  test('accepts and stores only the fields of its kind', async () => {
    const body = {
      ...theme,
      evil: '<script>',
      footTabs: [{ ...theme.footTabs[0], constructor: 'x' }],
    }
    expect(await operator(themes.create, { body })).toMatchObject({
      status: 400,
      fields: { evil: expect.any(String), 'footTabs.0.constructor': expect.any(String) },
    })
    const { data } = await operator(themes.create, { body: theme })
    const row = await app.platform.db
      .selectFrom('launch_item')
      .select('content')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row.content)).not.toMatch(/evil|constructor|audience/)
    await operator(themes.remove, { params: { id: data.id } })
  })

  test('is visible only to its audience', async () => {
    const audience = [
      { effect: 'include', kind: 'organization', target: 'CS' },
      { effect: 'exclude', kind: 'identity', target: 'T01' },
    ]
    const { data } = await operator(openingPages.create, { body: { ...page, audience } })
    expect(data.audience).toEqual(expect.arrayContaining(audience))
    const seen = async (who: 'student' | 'teacher' | 'staff') =>
      (await (await app.as(who))(launch.openingPages)).data.length
    expect([await seen('student'), await seen('teacher'), await seen('staff')]).toEqual([1, 0, 0])
    await operator(openingPages.remove, { params: { id: data.id } })
  })
})

describe('the tabs of a theme', () => {
  test('are accepted as JSON, as a JSON string and in a form', async () => {
    const ways = [theme, { ...theme, footTabs: JSON.stringify(theme.footTabs) }]
    for (const body of ways) {
      const { data } = await operator(themes.create, { body })
      expect(data.footTabs).toMatchObject(theme.footTabs)
      await operator(themes.remove, { params: { id: data.id } })
    }
    const form = await app.app.inject({
      method: 'POST',
      url: themes.create.path,
      headers: {
        'x-id-token': await app.tokenOf('admin'),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(
        Object.entries(theme).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ).toString(),
    })
    expect(form.statusCode).toBe(200)
    expect(form.json().data.footTabs).toMatchObject(theme.footTabs)
    await operator(themes.remove, { params: { id: form.json().data.id } })
  })
})

describe('an invalid field is rejected and named', () => {
  const custom = (start: string, end: string) => ({
    validLists: [
      { validTimeType: 'permanent' },
      { validTimeType: 'custom', customValidStartTime: start, customValidEndTime: end },
    ],
  })
  const days = (first: string, last: string) => ({
    validDateType: 'custom',
    customValidStartDate: first,
    customValidEndDate: last,
  })

  test.each<[string, object]>([
    ['footTabs.0', { footTabs: 5 }],
    ['footTabs.0', { footTabs: 'no JSON' }],
    ['footTabs.0', { footTabs: '["home"]' }],
    ['footTabs', { footTabs: [] }],
    ['footTabs', { footTabs: '[]' }],
    ['footTabs', { footTabs: '{"text":"首页"}' }],
    ['footTabs', { footTabs: Array(6).fill(theme.footTabs[0]) }],
    ['footTabs.0.iconPath', { footTabs: [{ iconPath: {} }] }],
    ['footTabs.1.iconPath', { footTabs: [{}, { iconPath: 7 }] }],
    ['footTabs.0.selectedIconPath', { footTabs: [{ selectedIconPath: 'javascript:alert(1)' }] }],
    ['footTabs.0.backgroundUrl', { footTabs: '[{"backgroundUrl":"//evil.example/a.png"}]' }],
    ['footTabs.0.text', { footTabs: [{ text: 'x'.repeat(21) }] }],
    ['name', { name: {} }],
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['validLists.0', { validLists: 'always' }],
    ['validLists.0.validTimeType', { validLists: [{}] }],
    ['validLists.0.validTimeType', { validLists: [{ validTimeType: 'sometimes' }] }],
    ['validLists.1.customValidStartTime', custom('', '2026-02-20 00:00:00')],
    ['validLists.1.customValidEndTime', custom('2026-02-10 00:00:00', 'soon')],
    ['validLists.1.customValidEndTime', custom('2026-02-10 00:00:00', '2026-02-30 00:00:00')],
    ['validLists.1.customValidEndTime', custom('2026-02-20 00:00:00', '2026-02-10 00:00:00')],
    ['validLists.1.customValidEndTime', custom('2026-02-20T00:00:00Z', '2026-02-20 07:59:59')],
    ['online', { online: 'sometimes' }],
    ['position', { position: -1 }],
    ['audience', { audience: undefined }],
    ['audience', { audience: [] }],
    ['audience', { audience: [{ effect: 'exclude', kind: 'guests' }] }],
    ['audience.0.kind', { audience: [{ kind: 'account', target: '1' }] }],
    ['audience.1.target', { audience: [...everybody, { kind: 'identity', target: 'X99' }] }],
    ['audience.0.target', { audience: [{ kind: 'organization' }] }],
    ['audience.0.target', { audience: [{ kind: 'group', target: "' or 1=1" }] }],
  ])('in a theme: %s of %j', async (field, differs) => {
    const answer = await operator(themes.create, { body: { ...theme, ...differs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test.each<[string, object]>([
    ['contentUrl', { contentUrl: 'http://img.example.edu/a.png' }],
    ['contentUrl', { contentUrl: 'https://user:word@img.example.edu/a.png' }],
    ['contentUrl', { contentUrl: '/\\evil.example' }],
    ['contentUrl', { contentUrl: '' }],
    ['link', { link: 'javascript:alert(1)' }],
    ['link', { link: '//evil.example' }],
    ['link', { link: '/pages/../..//evil.example' }],
    ['link', { link: '/pages/%2e%2e//evil.example' }],
    ['link', { link: 'https://exa mple.edu' }],
    ['terminals.0', { terminals: ['5'] }],
    ['terminals', { terminals: [] }],
    ['seconds', { seconds: 0 }],
    ['seconds', { seconds: 'long' }],
    ['frequencyType', { frequencyType: 'often' }],
    ['frequency', { frequencyType: 'limited', frequency: 0 }],
    ['customValidStartDate', days('', '2026-02-20')],
    ['customValidStartDate', days('2026-02-30', '2026-03-20')],
    ['customValidEndDate', days('2026-02-20', '20 Feb')],
    ['customValidEndDate', days('2026-02-20', '2026-02-19')],
  ])('in an opening page: %s of %j', async (field, differs) => {
    const answer = await operator(openingPages.create, { body: { ...page, ...differs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test.each<[string, object]>([
    ['endsAt', { startsAt: '2026-02-20T00:00:00Z', endsAt: '2026-02-19T00:00:00Z' }],
    ['startsAt', { startsAt: 'tomorrow' }],
    ['imageUrl', { imageUrl: 'data:image/png;base64,AAAA' }],
  ])('in a slide: %s of %j', async (field, differs) => {
    const answer = await operator(slides.create, { body: { ...slide, ...differs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test.each<[string, object]>([
    ['destinations', { destinations: [] }],
    ['destinations.0.link', { destinations: [{ title: 'x', link: 'pages/tab' }] }],
    ['destinations.0.title', { destinations: [{ link: '/' }] }],
  ])('in a diversion: %s of %j', async (field, differs) => {
    const answer = await operator(diversions.create, { body: { ...diversion, ...differs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test('in the caller’s language, and nothing is stored', async () => {
    const ask = async (language: string) =>
      (
        await app.app.inject({
          method: 'POST',
          url: openingPages.create.path,
          headers: { 'x-id-token': await app.tokenOf('admin'), 'accept-language': language },
          payload: { ...page, ...days('2026-02-20', '2026-02-19') },
        })
      ).json().fields
    expect(await ask('zh-CN')).toEqual({ customValidEndDate: '不能早于开始时间' })
    expect(await ask('en')).toEqual({ customValidEndDate: 'must not be before the start' })
    expect((await operator(openingPages.list)).data).toEqual([])
  })
})

test('a single day, an open period and an internationalised address are accepted', async () => {
  const bodies = [
    {
      ...page,
      validDateType: 'custom',
      customValidStartDate: '2026-02-20',
      customValidEndDate: '2026-02-20',
    },
    {
      ...page,
      contentUrl: 'https://影像.example.edu:8443/a.mp4?x=1#t=3',
      link: '/pagesA/news/detail?id=1',
    },
  ]
  for (const body of bodies) {
    const { status, data } = await operator(openingPages.create, { body })
    expect(status).toBe(200)
    await operator(openingPages.remove, { params: { id: data.id } })
  }
  for (const differs of [
    { startsAt: '2026-02-20T00:00:00+08:00' },
    { startsAt: '', endsAt: null },
  ]) {
    const { status, data } = await operator(slides.create, { body: { ...slide, ...differs } })
    expect(status).toBe(200)
    await operator(slides.remove, { params: { id: data.id } })
  }
})

test('hostile values in any field are stored as text or rejected with the name of the field', async () => {
  const hostile = ['\u0000', '\ud800', '[]', '{"__proto__":{"a":1}}', '[null]', '9'.repeat(30)]
  const bodies = [
    [themes, theme],
    [openingPages, page],
    [diversions, diversion],
    [slides, slide],
  ] as const
  for (const [table, good] of bodies) {
    for (const field of Object.keys(table.create.body.properties)) {
      for (const value of [...hostile, null, [], {}, [[]], [{}]]) {
        const answer = await operator(table.create, { body: { ...good, [field]: value } })
        const tried = `${table.create.path} ${field} ${JSON.stringify(value)}`
        if (answer.status === 200) {
          expect((await operator(table.list)).data, tried).toMatchObject([{ id: answer.data.id }])
          await operator(table.remove, { params: { id: answer.data.id } })
        } else {
          expect(answer.status, tried).toBe(400)
          for (const named of Object.keys(answer.fields ?? {}))
            expect(named.split('.')[0], tried).toBe(field)
          expect(answer.fields, tried).not.toEqual({})
        }
      }
    }
    expect((await operator(table.list)).data).toEqual([])
  }
})
