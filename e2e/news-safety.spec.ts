import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { endpoints } from '@atrium/contract'
import type { Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { hostileHtml } from './fixtures/hostile-html.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.describe.configure({ timeout: 120_000 })

/** Requests of a page to other hosts from now on, and how often the content has run a script. */
async function watch(page: Page) {
  const outside: string[] = []
  // The policy would block requests to other hosts; there must not be any to block.
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).hostname !== 'localhost')
      outside.push(request.url())
  })
  await page.addInitScript(() => {
    const state = window as unknown as { ran: () => void; runs: number }
    state.runs = 0
    state.ran = () => {
      state.runs += 1
    }
  })
  const runs = () => page.evaluate(() => (window as unknown as { runs: number }).runs)
  return { outside, runs }
}

test('hostile HTML in an article runs no script and requests no other host', async ({ page }) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-hostile-'))
  // Each on its own, then in four combined texts, which parse differently.
  const bodies = [
    ...hostileHtml.map((html) => `<p>before</p>${html}<p>after</p>`),
    ...Array.from({ length: 4 }, (_, part) =>
      hostileHtml.filter((_, index) => index % 4 === part).join('\n'),
    ),
  ]
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'hostile',
    home_page_url: 'https://hostile.example/',
    items: bodies.map((content_html, index) => ({
      id: `hostile-${index}`,
      title: `hostile ${index} <img src=x onerror=ran()>`,
      content_html,
      date_published: new Date(Date.UTC(2020, 0, 1) - index * 60_000).toISOString(),
    })),
  }
  const file = path.join(folder, 'feed.json')
  await writeFile(file, JSON.stringify(feed))
  try {
    await atrium(['import', 'news', file, '--column', 'hostile', '--public'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  const { outside, runs } = await watch(page)

  type List = { data: { list: { id: string }[]; nextCursor: string | null } }
  const ids: string[] = []
  let cursor = ''
  do {
    const answer = await page.request.get(
      `/portal-api/api/proxy/cms/api/rest/mobile/v2/contents?columnCode=hostile&pageSize=200&cursor=${cursor}`,
    )
    const { data } = (await answer.json()) as List
    ids.push(...data.list.map(({ id }) => id))
    cursor = data.nextCursor ?? ''
  } while (cursor)
  expect(ids).toHaveLength(bodies.length)

  // The last four contain all of them: opened and touched, as readers do.
  for (const id of ids.slice(-4)) {
    await page.goto(`/pagesA/news/detail?id=${id}`)
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toBeVisible()
    await page.getByRole('article').hover()
    const left = await page
      .locator('.rich-text')
      .evaluate((text) =>
        [...text.querySelectorAll('*')].flatMap((element) =>
          /^(script|style|svg|math|iframe|object|embed|form|input|button|link|meta|base|template|noscript)$/i.test(
            element.tagName,
          ) ||
          [...element.attributes].some(
            ({ name, value }) =>
              /^on/i.test(name) || /^\s*(javascript|data|vbscript):/i.test(value),
          )
            ? [element.outerHTML]
            : [],
        ),
      )
    expect(left).toEqual([])
    expect(await runs()).toBe(0)
  }

  // Then each on its own, inserted as the page does, under the page's policy.
  const issues = await page.evaluate(async (ids) => {
    const issues: string[] = []
    const place = document.createElement('div')
    document.body.append(place)
    for (const id of ids) {
      const answer = await fetch(`/portal-api/api/proxy/cms/api/rest/mobile/v2/contents/${id}`)
      const { data } = await answer.json()
      const before = (window as unknown as { runs: number }).runs
      place.innerHTML = data.content
      for (const element of place.querySelectorAll<HTMLElement>('*')) {
        if (element.tagName !== 'A') element.click()
        element.focus()
        element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
        element.dispatchEvent(new PointerEvent('pointerenter'))
      }
      // Parsing the result again must not change it.
      const again = document.createElement('div')
      again.innerHTML = place.innerHTML
      if (again.innerHTML !== place.innerHTML) issues.push(`changes: ${data.content}`)
      await new Promise((resolve) => setTimeout(resolve))
      if ((window as unknown as { runs: number }).runs > before)
        issues.push(`runs: ${data.content}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    place.remove()
    return issues
  }, ids)
  expect(issues).toEqual([])
  expect(await runs()).toBe(0)
  expect(outside).toEqual([])

  // The list shows titles as plain text.
  await page.goto('/pagesA/news/news?columnCode=hostile')
  await expect(page.getByRole('listitem').first()).toContainText('hostile 0')
  expect(await runs()).toBe(0)
})

test.describe('a member', () => {
  test.use({ as: 'student' })

  test('sees HTML in comments, file names, previews and shared items as plain text', async ({
    page,
    baseURL,
  }) => {
    const { outside, runs } = await watch(page)
    const { comments, files, news, share } = endpoints
    const addressOf = (path: string) => new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
    const instead = (path: string, change: (data: never) => unknown) =>
      page.route(addressOf(path), async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        await route.fulfill({
          response: answer,
          json: { ...body, data: change(body.data as never) },
        })
      })
    const createdAt = new Date().toISOString()
    // In a column with comments: articles published by other tests may have none.
    const campus = `${baseURL}${news.list.path}?columnCode=campus`
    const { list } = (await (await fetch(campus)).json()).data
    const [{ id }] = list

    await instead(comments.list.path, () => ({
      list: hostileHtml.map((content, at) => ({
        id: `${at + 1}`,
        userName: content,
        userNameEn: '',
        content,
        createdAt,
      })),
      nextCursor: null,
    }))
    await page.goto(`/pagesA/news/detail_dz?id=${id}`)
    // The student's own comment may be shown above if one is pending on the newest article.
    const shown = page.getByRole('list', { name: '评论', exact: true }).locator('.comment-content')
    await expect(shown).toHaveCount(hostileHtml.length)
    expect(await shown.allTextContents()).toEqual(hostileHtml)

    const named = hostileHtml.map((name, at) => ({
      id: `${at + 1}`,
      name,
      mediaType: 'text/plain',
      kind: 'text',
      byteSize: 1,
      url: `/files/${at + 1}`,
      createdAt,
      held: false,
    }))
    await instead(files.mine.path, (data: object) => ({ ...data, list: named, nextCursor: null }))
    await page.goto('/pages/myInfo/files')
    await expect(page.locator('.file-row-name')).toHaveCount(named.length)
    expect(await page.locator('.file-row-name').allTextContents()).toEqual(hostileHtml)

    const all = hostileHtml.join('\n')
    await instead(files.preview.path, (data: object) => ({
      ...data,
      name: all,
      mediaType: 'text/csv',
      kind: 'table',
      status: 'ready',
      rows: [hostileHtml],
      text: all,
    }))
    await page.goto('/pagesA/news/video?url=%2Ffiles%2F1')
    const cells = page.getByRole('columnheader')
    await expect(cells).toHaveCount(hostileHtml.length)
    expect(await cells.allTextContents()).toEqual(hostileHtml)

    const token = { 'x-id-token': await idToken(baseURL ?? '', 'student') }
    const link = await fetch(`${baseURL}${share.link.path}?kind=news&id=${id}`, { headers: token })
    const { url } = (await link.json()).data
    await instead(share.news.path, (data: { article: object }) => ({
      ...data,
      sharerName: all,
      article: { ...data.article, title: all, titleEn: '', contentDesc: all },
    }))
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(all.replace(/\s+/g, ' '))
    await page.unrouteAll()
    for (let part = 0; part < 8; part++) {
      const data = hostileHtml.filter((_, at) => at % 8 === part).join('')
      await page.goto(`/pagesA/news/midTrans?noLogin=1&data=${encodeURIComponent(data)}`)
      await expect(page.getByText('这个分享链接不完整或被改动过')).toBeVisible()
    }
    expect(await runs()).toBe(0)
    expect(outside).toEqual([])
  })
})
