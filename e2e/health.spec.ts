import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@atrium/contract'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { atrium } from './command-line.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// Serial: the service below has one port.
test.describe.configure({ mode: 'default' })
test.use({ as: 'teacher' })

const port = Number(process.env.ATRIUM_E2E_PROBED_PORT)

/** A third party's service that goes down and recovers. */
const server = http.createServer((_, response) => response.end('<!doctype html><title>Lab</title>'))
const start = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
const stop = () =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

let url = ''
const ids = { lab: '', spare: '' }

test.beforeAll(async ({ baseURL }) => {
  test.setTimeout(120_000)
  url = baseURL ?? ''
  await start()
  await registerServices([
    `HEALTH-LAB,实验预约检测,Lab booking probe,http://127.0.0.1:${port}/lab`,
    'HEALTH-SPARE,备用预约检测,Spare booking probe,/pages/tab/schedule/schedule',
  ])
  const { list } = await callApi(
    'teacher',
    'GET',
    `${endpoints.services.list.path}?keyWords=HEALTH-`,
  )
  for (const { serviceId, serviceNo } of list as { serviceId: string; serviceNo: string }[])
    ids[serviceNo === 'HEALTH-LAB' ? 'lab' : 'spare'] = serviceId
})
test.afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** For teachers only, so that other tests do not see them. */
async function registerServices(lines: string[]) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-health-'))
  const file = path.join(folder, 'services.csv')
  const rows = lines.map((line) => `${line},it,identity:T01`)
  await writeFile(file, ['serviceNo,name,nameEn,url,type,audience', ...rows].join('\n'))
  const env = { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  await atrium(['import', 'services', file], '', env)
  await rm(folder, { recursive: true })
}

async function callApi(who: 'teacher' | 'admin', method: string, address: string, body?: object) {
  const answer = await fetch(`${url}${address}`, {
    method,
    headers: { 'x-id-token': await idToken(url, who), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data: Record<string, unknown> }).data
}

async function probe(times: number) {
  const { method, path: address } = endpoints.serviceHealth.check
  for (let time = 0; time < times; time++) {
    // Results are cached for a second.
    if (time > 0) await wait(1100)
    await callApi('admin', method, address.replace('{serviceId}', ids.lab), {})
  }
}

const open = (page: Page) =>
  page.goto(`/pages/service/search?keyWords=${encodeURIComponent('预约检测')}`)
const row = (page: Page) => page.getByRole('listitem').filter({ hasText: '实验预约检测' })

test('a service that is down is marked, warns before opening, and recovers', async ({ page }) => {
  await probe(1)
  await open(page)
  await expect(row(page)).toBeVisible()
  await expect(page.getByText(/停止服务/)).toBeHidden()

  const { method, path: address } = endpoints.serviceHealth.change
  await callApi('admin', method, address.replace('{serviceId}', ids.lab), {
    text: '<b>可到</b> 实验楼 101 登记',
    alternative: ids.spare,
  })
  await stop()
  await wait(1100)
  await probe(3)
  await open(page)
  await expect(row(page)).toContainText(/自 \d\d:\d\d 起停止服务/)
  await expect(row(page)).toContainText('<b>可到</b> 实验楼 101 登记')
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('button', { name: '实验预约检测，服务说明' }).click()
  const sheet = page.getByRole('dialog', { name: '实验预约检测' })
  await expect(sheet.getByRole('button', { name: '可改用：备用预约检测' })).toBeVisible()
  await sheet.getByRole('button', { name: '打不开？告诉我们' }).click()
  await expect(page.getByText('已收到，谢谢反馈')).toBeVisible()
  await sheet.getByRole('button', { name: '关闭' }).click()

  const tile = row(page).getByRole('button').first()
  await tile.click()
  const warning = page.getByRole('dialog', { name: '这项服务暂时不可用' })
  await expect(warning).toContainText(/自 \d\d:\d\d 起停止服务/)
  expect(await axeViolations(page)).toEqual([])
  await warning.getByRole('button', { name: '先不打开' }).click()
  await expect(page).toHaveURL(/\/pages\/service\/search/)
  await tile.click()
  await warning.getByRole('button', { name: '仍要打开' }).click()
  // It does not answer, but the surrounding page works and leads back.
  await expect(page).toHaveURL(/\/pages\/webview\/webview/)
  await expect(
    page.locator('main:visible').getByText('实验预约检测', { exact: true }),
  ).toBeVisible()
  await page.goBack()
  await tile.click()
  await warning.getByRole('button', { name: '可改用：备用预约检测' }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/schedule\/schedule/)

  await start()
  await wait(1100)
  await probe(1)
  await open(page)
  await expect(row(page)).toBeVisible()
  await expect(page.getByText(/停止服务/)).toBeHidden()
})

test('a maintenance notice disappears at its end without a request', async ({ page }) => {
  const { method, path: address } = endpoints.maintenance.create
  const endsAt = new Date(Date.now() + 8000)
  await callApi('admin', method, address, {
    serviceId: ids.spare,
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: endsAt.toISOString(),
    text: '升级中',
  })
  await page.goto(`/pages/service/search?keyWords=${encodeURIComponent('备用预约检测')}`)
  await expect(page.getByText(/维护中，预计 .*\d\d:\d\d 恢复/)).toBeVisible()
  let requestCount = 0
  await page.route('**/portal-api/v1/service/**', (route) => {
    requestCount += 1
    return route.continue()
  })
  await expect(page.getByText(/维护中/)).toBeHidden()
  expect(Date.now()).toBeGreaterThanOrEqual(endsAt.getTime())
  expect(requestCount).toBe(0)
})
