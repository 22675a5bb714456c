import type { ConfigKey } from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { settings, tabs } from '@atrium/contract/shell/config.operator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openNode, type TestApp, testApp } from '../../../test/test-app.ts'
import { currentSettings, updateSetting } from './settings.ts'

let app: TestApp
let operator: Caller
/** A node for which port 7001 of this machine is opened. */
let open: Awaited<ReturnType<typeof openNode>>
beforeAll(async () => {
  app = await testApp()
  operator = await app.as('admin')
  open = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: '127.0.0.1/32:7001' })
})
afterAll(async () => {
  await open.app.close()
  await open.platform.close()
})

const tab = (externalUrl: string) =>
  JSON.stringify([{ pagePath: '/pages/tab/my/my', text: '我的', externalUrl }])

describe('an internal address that is not allowed', () => {
  const closed: [ConfigKey, string][] = [
    ['eventUrl', 'http://127.0.0.1:7001/'],
    ['newsUrl', 'http://localhost:7001/'],
    ['newtaskUrl', 'http://news.localhost/'],
    ['scheduleUrl', 'https://10.20.0.1/'],
    ['casUrl', 'http://[::1]:7001/cas'],
    ['oriCasUrl', 'https://[::ffff:127.0.0.1]/cas'],
    ['pcPortalUrl', 'http://0x7f.1/'],
    ['logoUrl', 'http://169.254.169.254/latest/meta-data'],
    ['mapTileUrl', 'http://127.0.0.1:7001/{z}/{x}/{y}.png'],
    ['casHosts', '["127.0.0.1:7001"]'],
    ['imageHosts', '["192.168.1.1"]'],
    ['shake', '{"openShake":"1","shake_link":"http://localhost:7001/"}'],
    ['footTabs', tab('http://127.0.0.1:7001/')],
  ]
  test.each(closed)('is rejected: %s %s', async (key, value) => {
    const refused = await operator(settings.update, { params: { key }, body: { value } })
    expect(refused).toMatchObject({
      status: 400,
      error: 'config.value_invalid',
      fields: { value: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW') },
    })
  })

  test('is rejected in the list of tabs', async () => {
    const footTabs = JSON.parse(tab('https://localhost/'))
    expect(await operator(tabs.update, { body: { footTabs } })).toMatchObject({
      status: 400,
      fields: { footTabs: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW') },
    })
  })

  test('counts as not set if already stored, except on a node that allows it', async () => {
    const address = 'http://127.0.0.1:7001/page'
    for (const key of ['newsUrl', 'scheduleUrl', 'casUrl'] as const)
      await updateSetting(app.platform.db, key, address)
    await app.platform.topics.flushed()
    await open.platform.topics.flushed()
    expect(await currentSettings(app.platform)).toMatchObject({
      newsUrl: '',
      scheduleUrl: '',
      casUrl: '',
    })
    expect((await app.visitor(config.modules)).data.casUrl).toBe('/cas/login')
    const told = (await app.visitor(config.system)).data.publicConfig
    expect(told.find(({ key }) => key === 'newsUrl')?.value).toBe('')
    await expect
      .poll(() => currentSettings(open.platform), { timeout: 20_000 })
      .toMatchObject({ newsUrl: address, scheduleUrl: address, casUrl: address })
  })
})

test.each([
  ['newsUrl', 'https://news.example.edu/'],
  ['newsUrl', '/pagesA/news/list'],
  ['casHosts', '["cas.example.edu", "https://sso.example.edu"]'],
  ['imageHosts', '["img.example.edu"]'],
] as const)('other addresses are stored: %s %s', async (key, value) => {
  const saved = await operator(settings.update, { params: { key }, body: { value } })
  expect(saved).toMatchObject({ status: 200, data: { value } })
})
