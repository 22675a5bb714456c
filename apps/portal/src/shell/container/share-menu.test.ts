import { expect, test, vi } from 'vitest'
import { fakeBrowser } from '../navigation/fake-browser.ts'

type Card = { title: string; link: string; success: () => void }

test('pages reached after sharing are shared by their own title and address', async () => {
  fakeBrowser('/pagesA/news/detail?id=1')
  const offered: string[] = []
  const accept = ({ title, link, success }: Card) => {
    offered.push(`${title} ${link}`)
    success()
  }
  const wx = {
    config: () => {},
    ready: (then: () => void) => then(),
    error: () => {},
    updateAppMessageShareData: accept,
    updateTimelineShareData: ({ success }: Card) => success(),
  }
  const userAgent = 'Mozilla/5.0 (iPhone) MicroMessenger/8.0.76(0x18004c24) NetType/WIFI'
  vi.stubGlobal('navigator', { userAgent, languages: ['zh'], maxTouchPoints: 5 })
  vi.stubGlobal('window', { wx })
  const page = {
    title: '资讯 · 江岚大学',
    documentElement: {},
    head: { append: (script: { onload: () => void }) => script.onload() },
    createElement: () => ({}),
  }
  vi.stubGlobal('document', page)
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 0, data: { appid: 'wx1', timestamp: 1, nonceStr: 'n', signature: 's' } }),
  )
  const { offerWhileShown } = await import('./share-menu.ts')
  const { goBack, push } = await import('../navigation/history.ts')
  const waitForOffer = (expected: string) =>
    vi.waitFor(() => expect(offered.at(-1)).toBe(expected), { timeout: 10_000 })

  push('/pages/service/search')
  await offerWhileShown({ title: '校历', url: 'https://portal.example/share?x=1' })
  expect(offered).toEqual(['校历 https://portal.example/share?x=1'])

  page.title = '首页 · 江岚大学'
  push('/pages/tab/index/index')
  await waitForOffer('首页 · 江岚大学 https://portal.example/pages/tab/index/index')

  page.title = '搜索 · 江岚大学'
  goBack(1)
  await waitForOffer('搜索 · 江岚大学 https://portal.example/pages/service/search')
  expect(offered).toHaveLength(3)
})
