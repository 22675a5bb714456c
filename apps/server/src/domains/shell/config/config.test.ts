import { type ConfigKey, configKeys } from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { settings, tabs } from '@atrium/contract/shell/config.operator'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { deleteGrants, insertGrants } from '#domains/identity/operators/queries.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { version } from '#platform/version.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let operator: Caller
beforeAll(async () => {
  app = await testApp()
  operator = await app.as('admin')
})

/** Writes directly, past the API's checks. */
async function set(key: ConfigKey, value: string) {
  await app.platform.db.transaction().execute((db) => updateSetting(db, key, value))
  await app.platform.topics.flushed()
}
const settingIn = (list: { key: string; value: string }[], key: ConfigKey) =>
  list.find((entry) => entry.key === key)?.value

describe('the configuration for members and visitors', () => {
  test('the platform configuration is an array of keys and values and requires a session', async () => {
    const { data } = await (await app.as('student'))(config.detail)
    expect(data).toContainEqual({ key: 'ENV_OPENING_PAGE', value: '0' })
    expect(data).toContainEqual({ key: 'casArry', value: '[]' })
    expect(settingIn(data, 'footTabs')).toBeUndefined()
    expect(await app.visitor(config.detail)).toMatchObject({
      status: 401,
      error: 'session.required',
    })
  })

  test('the address of a logo that is SVG or not an uploaded file is unchanged', async () => {
    const { db } = app.platform
    const drawn = await db
      .insertInto('file')
      .values({
        sha256: 'a'.repeat(64),
        media_type: 'image/svg+xml',
        byte_size: 1,
        is_public: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { data: before } = await operator(settings.list)
    for (const address of [`/files/${drawn.id}`, '/files/999999999', '/icon.svg']) {
      await set('logoUrl', address)
      expect((await app.visitor(config.system)).data.logoUrl).toBe(address)
    }
    await set('logoUrl', settingIn(before, 'logoUrl') ?? '')
  })

  test('the system configuration has names, tabs, text addresses and visitor settings', async () => {
    const { data } = await app.visitor(config.system)
    expect(data).toMatchObject({
      schoolName: '江岚大学',
      schoolNameEn: 'Jianglan University',
      logoUrl: expect.stringMatching(/^\/thumbor\/unsafe\/fit-in\/128x128\/files\/\d+$/),
      version,
      demo: true,
      timeZone: 'Asia/Shanghai',
      eCardSets: { showBalance: '1' },
      enableMourningMode: '0',
      shake: { openShake: '0', shake_link: '' },
    })
    expect(data.footTabs.map(({ text, textEn }) => [text, textEn])).toEqual([
      ['首页', 'Home'],
      ['服务', 'Services'],
      ['消息', 'Messages'],
      ['日程', 'Schedule'],
      ['我的', 'Me'],
    ])
    expect(settingIn(data.publicConfig, 'ENV_OPENING_PAGE_TOURIST')).toBe('0')
    expect(settingIn(data.publicConfig, 'casHosts')).toBeUndefined()
    expect((await app.app.inject(data.logoUrl)).statusCode).toBe(200)
    for (const address of Object.values(data.texts)) {
      const { data: text } = (await app.app.inject(address)).json()
      expect(text.html.length).toBeGreaterThan(100)
    }
  })

  test('the module settings are returned as JSON', async () => {
    await set('casArry', '["https://cas.example.edu/app"]')
    await set('pcPortalUrl', 'https://www.jianglan.example/')
    await set('authCollects', '{"https://lib.example.edu":"url,token"}')
    expect((await app.visitor(config.modules)).data).toEqual({
      casArry: ['https://cas.example.edu/app'],
      authCollects: { 'https://lib.example.edu': 'url,token' },
      isEnableServiceGuide: '1',
      disableCasArry: '0',
      oriCasUrl: '',
      casUrl: '/cas/login',
      pcPortalUrl: 'https://www.jianglan.example/',
    })
  })

  test('uploaded files have one base address', async () => {
    expect((await app.visitor(config.resourcesUrl)).data).toBe(`${app.platform.origin()}/files/`)
  })

  test('an unknown text returns 404', async () => {
    for (const name of ['nothing', 'schoolName', 'userAgreementEn'])
      expect(await app.visitor(config.text, { query: { name } })).toMatchObject({
        status: 404,
        error: 'config.key_unknown',
      })
  })
})

describe('settings and tabs', () => {
  test('require the system permission', async () => {
    const calls = [
      [settings.list, {}],
      [settings.update, { params: { key: 'muteBadge' }, body: { value: '1' } }],
      [tabs.list, {}],
      [tabs.update, { body: { footTabs: [] } }],
    ] as const
    for (const [endpoint, input] of calls) {
      expect((await app.visitor(endpoint, input)).error).toBe('session.required')
      expect((await (await app.as('staff'))(endpoint, input)).error).toBe('session.forbidden')
    }
    const { db, topics } = app.platform
    const teacher = await app.as('teacher')
    const { id = '' } = (await findAccountByUsername(db, 'teacher')) ?? {}
    const others = ['content', 'services', 'messages', 'send', 'identity'] as const
    await insertGrants(db, id, [...others])
    await topics.flushed()
    for (const [endpoint, input] of calls)
      expect((await teacher(endpoint, input)).error).toBe('session.forbidden')
    await insertGrants(db, id, ['system'])
    await topics.flushed()
    for (const endpoint of [settings.list, tabs.list])
      expect((await teacher(endpoint)).status).toBe(200)
    await deleteGrants(db, id, [...others, 'system'])
    await topics.flushed()
  })

  test('every key is listed with its value, choices and meaning', async () => {
    const { data } = await operator(settings.list)
    expect(data.map(({ key }) => key)).toEqual(Object.keys(configKeys))
    expect(data.find(({ key }) => key === 'ENV_SHOW_GUIDE')).toMatchObject({
      value: '1',
      initial: '0',
      kind: 'choice',
      choices: ['0', '1', '2'],
      visitor: true,
      means: expect.stringContaining('newGuide'),
      updatedAt: expect.any(String),
    })
    expect(data.find(({ key }) => key === 'muteBadge')?.updatedAt).toBeNull()
  })

  test('a changed setting is in the next response', async () => {
    const saved = await operator(settings.update, {
      params: { key: 'ENV_APP_MOURNING_MODE' },
      body: { value: '1' },
    })
    expect(saved).toMatchObject({ status: 200, data: { value: '1', initial: '0' } })
    expect((await app.visitor(config.system)).data.enableMourningMode).toBe('1')
    await operator(settings.update, {
      params: { key: 'shake' },
      body: { value: { openShake: '1' } },
    })
    expect((await app.visitor(config.system)).data.shake).toEqual({
      openShake: '1',
      shake_link: '',
    })
  })

  test.each<[string, unknown]>([
    ['ENV_OPENING_PAGE', '2'],
    ['ENV_OPENING_PAGE', true],
    ['servicesNumPerRow', 'five'],
    ['casArry', [1]],
    ['casArry', '["https://a.edu"'],
    ['shake', { openShake: 1 }],
    ['pcPortalUrl', 'javascript:alert(1)'],
    ['timeZone', 'Mars'],
    ['footTabs', {}],
  ])('setting %s to %j is rejected', async (key, value) => {
    const before = await operator(settings.list)
    expect(await operator(settings.update, { params: { key }, body: { value } })).toMatchObject({
      status: 400,
      error: 'config.value_invalid',
      fields: { value: expect.any(String) },
    })
    expect((await operator(settings.list)).data).toEqual(before.data)
  })

  test('an unknown key returns 404 and a missing value 400', async () => {
    for (const key of ['nothing', '__proto__', 'constructor'])
      expect(
        await operator(settings.update, { params: { key }, body: { value: '1' } }),
      ).toMatchObject({ status: 404, error: 'config.key_unknown' })
    expect(
      await operator(settings.update, { params: { key: 'muteBadge' }, body: {} }),
    ).toMatchObject({ status: 400, fields: { value: expect.any(String) } })
  })

  test('a tab keeps fields that are not given; an empty list restores the default tabs', async () => {
    const footTabs = [
      {
        pagePath: 'pages/tab/service/index',
        name: '大厅',
        badge: 'NEW',
        identityList: '{"T01":"教师大厅"}',
        externalUrl: 'https://hub.example.edu/m',
      },
      { pagePath: '/pages/tab/my/my', identityList: { student: '同学' }, redDot: true },
    ]
    for (const body of [{ footTabs }, { footTabs: JSON.stringify(footTabs) }]) {
      const { status, data } = await operator(tabs.update, { body })
      expect(status).toBe(200)
      expect(data).toEqual((await app.visitor(config.system)).data.footTabs)
      expect(data[1]).toEqual({
        pagePath: '/pages/tab/service/index',
        text: '大厅',
        textEn: 'Services',
        name: '大厅',
        iconPath: 'grid',
        selectedIconPath: 'grid',
        redDot: false,
        badge: 'NEW',
        externalUrl: 'https://hub.example.edu/m',
        backgroundUrl: '',
        identityList: { T01: '教师大厅' },
      })
      expect(data[4]).toMatchObject({
        text: '我的',
        identityList: { student: '同学' },
        redDot: true,
      })
      await operator(tabs.update, { body: { footTabs: [] } })
      expect((await operator(tabs.list)).data[1]?.text).toBe('服务')
    }
  })

  test.each<[string, unknown]>([
    ['footTabs.0', 'home'],
    ['footTabs', { pagePath: '/' }],
    ['footTabs.0.pagePath', [{}]],
    ['footTabs.0.pagePath', [{ pagePath: '/pages/set/set' }]],
    ['footTabs.0.text', [{ pagePath: '/pages/tab/my/my', text: {} }]],
    ['footTabs.0.iconPath', [{ pagePath: '/pages/tab/my/my', iconPath: 'http://a.edu/i.png' }]],
    ['footTabs.0.externalUrl', '[{"pagePath":"/pages/tab/my/my","externalUrl":"javascript:1"}]'],
    ['footTabs.0.redDot', [{ pagePath: '/pages/tab/my/my', redDot: 'often' }]],
    ['footTabs.0.identityList', [{ pagePath: '/pages/tab/my/my', identityList: '[]' }]],
    ['footTabs.0.identityList', [{ pagePath: '/pages/tab/my/my', identityList: '{"S01":1}' }]],
    ['footTabs.0.identityList.S01', [{ pagePath: '/pages/tab/my/my', identityList: { S01: {} } }]],
  ])('tabs are rejected and %s is named: %j', async (field, footTabs) => {
    const answer = await operator(tabs.update, { body: { footTabs } })
    expect(answer).toMatchObject({ status: 400, error: 'request.invalid' })
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })

  test('tabs set by their key are validated in the same way', async () => {
    const answer = await operator(settings.update, {
      params: { key: 'footTabs' },
      body: { value: [{ pagePath: '/pages/tab/my/my', redDot: 7 }] },
    })
    expect(answer).toMatchObject({ status: 400, fields: { 'value.0.redDot': expect.any(String) } })
  })

  test('stored tabs with wrong types are ignored and logged', async () => {
    const { log } = app.platform
    log.level = 'warn'
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    await set(
      'footTabs',
      JSON.stringify([
        null,
        'home',
        { pagePath: 7 },
        { pagePath: '/pages/tab/my/my', iconPath: 7 },
        { pagePath: '/pages/tab/service/index', identityList: '{' },
        { pagePath: '/pages/tab/schedule/schedule', text: '课表' },
      ]),
    )
    const { status, data } = await app.visitor(config.system)
    expect(status).toBe(200)
    expect(data.footTabs.map(({ text }) => text)).toEqual(['首页', '服务', '消息', '课表', '我的'])
    expect(warn.mock.calls.map(([about]) => (about as unknown as { field: string }).field)).toEqual(
      ['0.the whole', '1.the whole', '2.pagePath', '3.iconPath', '4.identityList'],
    )
    warn.mockRestore()
    log.level = 'fatal'
    await set('footTabs', '[]')
  })

  test('invalid stored settings count as not set and are logged', async () => {
    const { log } = app.platform
    log.level = 'warn'
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    await set('footTabs', '{"pagePath":"/pages/tab/my/my"}')
    await set('ENV_APP_MOURNING_MODE', 'sometimes')
    const { status, data } = await app.visitor(config.system)
    expect(status).toBe(200)
    expect(data.footTabs.map(({ text }) => text)).toEqual(['首页', '服务', '消息', '日程', '我的'])
    expect(data.enableMourningMode).toBe('0')
    expect(
      warn.mock.calls.map(([about]) => (about as unknown as { issue: string }).issue).sort(),
    ).toEqual(['ENV_APP_MOURNING_MODE must be one of 0, 1', 'footTabs must be a JSON array'])
    warn.mockRestore()
    log.level = 'fatal'
    await set('footTabs', '[]')
    await set('ENV_APP_MOURNING_MODE', '0')
  })
})
