import type { SystemConf } from '@atrium/contract/shell/config'
import type { Page } from '@playwright/test'

/** Overrides configuration for this page only: the server is shared with other tests. */
export async function withSettings(page: Page, settings: Record<string, string>) {
  const change = (list: { key: string; value: string }[]) => [
    ...list.filter(({ key }) => !(key in settings)),
    ...Object.entries(settings).map(([key, value]) => ({ key, value })),
  ]
  await page.route('**/v1/config/getDetail', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({ response: answer, json: { ...body, data: change(body.data) } })
  })
  await page.route('**/v1/config/system/getSystemConf', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const data = { ...body.data, publicConfig: change(body.data.publicConfig) }
    await route.fulfill({ response: answer, json: { ...body, data } })
  })
}

/** The same for names and tabs: `change` receives the server's system configuration. */
export async function withSystem(page: Page, change: (data: SystemConf) => Partial<SystemConf>) {
  await page.route('**/v1/config/system/getSystemConf', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: SystemConf }
    await route.fulfill({
      response: answer,
      json: { ...body, data: { ...body.data, ...change(body.data) } },
    })
  })
}
