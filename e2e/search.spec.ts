import { search } from '@atrium/contract/discovery/search'
import { searchFailures } from '@atrium/contract/discovery/search.operator'
import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { createMembers, openAs } from './members.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

const wholeSearch = '/pages/search/wholeSearch'
const field = (page: Page) => page.getByRole('search').getByRole('combobox')
const found = (page: Page, words: string) =>
  page.goto(`${wholeSearch}?${new URLSearchParams({ keyWords: words })}`)

test('a visitor finds public content and is told what signing in adds', async ({ page }) => {
  await page.goto('/pages/tab/index/index')
  await page.locator('.hero-search').click()
  await expect(page.getByRole('heading', { name: '搜索', level: 1 })).toBeVisible()
  await expect(field(page)).toBeFocused()
  const kinds = page.locator('.search-kinds')
  await expect(kinds.getByRole('link', { name: '地点' })).toBeVisible()
  await expect(kinds.getByRole('link', { name: '消息' })).toHaveCount(0)
  await field(page).fill('校历')
  await field(page).press('Enter')
  await expect(page).toHaveURL(/keyWords=/)
  await expect(
    page.getByRole('list', { name: '服务' }).getByRole('listitem').first(),
  ).toContainText('校历')
  await expect(page.getByText('登录后还可以搜索消息')).toBeVisible()
  await expect(page.getByRole('list', { name: '人员' })).toHaveCount(0)
  expect(await axeViolations(page)).toEqual([])
})

test.describe('a member', () => {
  test.use({ as: 'student' })

  test('finds a service by misspelt pinyin and opens it with a query', async ({ page }) => {
    await page.goto(wholeSearch)
    // 图书检索, missing an h
    await field(page).pressSequentially('tusujiansuo')
    await field(page).press('Enter')
    await expect(page.getByText('已显示“图书检索”的结果。')).toBeVisible()
    const answer = page.getByRole('region', { name: '答案' })
    await expect(answer.getByRole('heading', { name: '图书检索' })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await answer.getByRole('textbox', { name: '书名或作者' }).fill('红楼梦 & 注')
    await answer.getByRole('button', { name: '打开' }).click()
    await expect(page).toHaveURL(/\/pages\/webview\/webview/)
    const opened = new URL(new URL(page.url()).searchParams.get('url') ?? '')
    expect(opened.searchParams.get('q')).toBe('红楼梦 & 注')

    // Searched as typed, if that was meant.
    await page.goBack()
    await page.getByRole('link', { name: '仍然搜索“tusujiansuo”' }).click()
    await expect(page).toHaveURL(/exactly=1/)
    await expect(page.getByText('已显示“图书检索”的结果。')).toHaveCount(0)
  })

  test('gets the opening hours as an answer', async ({ page }) => {
    await found(page, '图书馆几点关门')
    const answer = page.getByRole('region', { name: '答案' })
    await expect(answer).toContainText(/开放|关门/)
    await expect(answer.getByText('周一至周五')).toBeVisible()
    await answer.getByRole('button', { name: '查看位置' }).click()
    await expect(page).toHaveURL(/\/open-location/)
  })

  test('selects a suggestion by keyboard and opens the first result with Enter', async ({
    page,
  }) => {
    await page.goto(wholeSearch)
    await field(page).pressSequentially('课表')
    const list = page.getByRole('listbox', { name: '搜索建议' })
    await expect(list.getByRole('option').first()).toContainText('课表')
    expect(await axeViolations(page)).toEqual([])
    await field(page).press('Escape')
    await expect(list).toHaveCount(0)
    await field(page).press('Enter')
    await expect(page.getByRole('list', { name: '服务' })).toBeVisible()
    const opened = page.waitForRequest((request) => request.url().endsWith(search.opened.path))
    await field(page).press('Enter')
    await expect(page).not.toHaveURL(/wholeSearch/)
    expect((await opened).postDataJSON()).toMatchObject({ keyWords: '课表' })

    await page.goto(wholeSearch)
    await field(page).pressSequentially('修改密')
    await expect(list.getByRole('option', { name: /修改密码/ })).toBeVisible()
    await field(page).press('ArrowDown')
    await field(page).press('Enter')
    await expect(page).toHaveURL(/\/pages\/modifyPwd\//)
  })

  test('submits an empty field to search for the suggested words', async ({ page }) => {
    await page.goto(wholeSearch)
    const suggested = await field(page).getAttribute('placeholder')
    await field(page).press('Enter')
    await expect(field(page)).toHaveValue(suggested ?? '')
    await expect(page.getByRole('link', { name: '查看全部结果' })).toBeVisible()
  })

  test('searches by voice, and sees an error without microphone permission', async ({ page }) => {
    // The browser sends speech to its vendor's service; this replaces both.
    await page.addInitScript(() => {
      class SpeechRecognition {
        onresult?: (event: object) => void
        onerror?: (event: object) => void
        onend?: () => void
        start() {
          const hear = (transcript: string, isFinal: boolean) =>
            this.onresult?.({ results: [Object.assign([{ transcript }], { isFinal })] })
          setTimeout(() => {
            if (sessionStorage.getItem('microphone') === 'closed')
              this.onerror?.({ error: 'not-allowed' })
            else {
              hear('校', false)
              hear('校历', true)
            }
            this.onend?.()
          }, 50)
        }
        abort() {
          this.onend?.()
        }
      }
      Object.assign(window, { SpeechRecognition })
    })
    await page.goto(wholeSearch)
    await page.evaluate(() => sessionStorage.setItem('microphone', 'closed'))
    await page.getByRole('button', { name: '语音搜索' }).click()
    await expect(page.getByText('没有麦克风权限')).toBeVisible()
    await page.evaluate(() => sessionStorage.removeItem('microphone'))
    await page.getByRole('button', { name: '语音搜索' }).click()
    await expect(
      page.getByRole('list', { name: '服务' }).getByRole('listitem').first(),
    ).toContainText('校历')
    await expect(field(page)).toHaveValue('校历')
  })

  test('sees the contact details that a person shares', async ({ page }) => {
    await page.goto(wholeSearch)
    await field(page).fill('周明远')
    await field(page).press('Enter')
    const people = page.getByRole('list', { name: '人员' })
    const person = people.getByRole('button').first()
    await person.click()
    const sheet = page.getByRole('dialog', { name: '周明远' })
    await expect(sheet.getByText(/电话|邮箱|没有公开联系方式/).first()).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await sheet.getByRole('button', { name: '关闭' }).click()
    await expect(person).toBeFocused()
  })

  test('sees results while one source is late, and can retry a failed source', async ({ page }) => {
    let asked = 0
    await page.route(
      (url) => url.pathname === search.find.path,
      async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        const types = new URL(route.request().url()).searchParams.get('types')
        if (!types)
          body.data.groups = [
            ...body.data.groups.filter(({ kind }: { kind: string }) => kind !== 'news'),
            { kind: 'news', list: [], more: false, state: 'late' },
          ]
        if (types === 'news' && asked++ === 0)
          body.data.groups = [{ kind: 'news', list: [], more: false, state: 'failed' }]
        await route.fulfill({ response: answer, json: body })
      },
    )
    await found(page, '图书馆')
    await expect(page.getByRole('list', { name: '地点' })).toBeVisible()
    await expect(page.getByText('暂时无法搜索资讯')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '重试' }).click()
    await expect(
      page.getByRole('list', { name: '资讯' }).getByRole('listitem').first(),
    ).toBeVisible()
  })

  test('browses all results of one kind and returns to them', async ({ page }) => {
    await found(page, '图书馆')
    await page.getByRole('link', { name: '查看全部结果' }).click()
    const tabs = page.getByRole('tablist', { name: '按类别搜索' })
    await tabs.getByRole('tab', { name: '资讯' }).click()
    await expect(page).toHaveURL(/type=news/)
    await expect(page.getByRole('list', { name: '资讯' }).getByRole('link').first()).toBeVisible()
    await page.getByRole('list', { name: '资讯' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/pagesA\/news\//)
    await page.goBack()
    await expect(tabs.getByRole('tab', { name: '资讯' })).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('the search history', () => {
  test.describe.configure({ mode: 'serial' })
  test.beforeAll(async ({ baseURL }) => {
    await createMembers(baseURL ?? '', { seeker: '寻知夏' })
  })

  test('is kept on the device, synchronised if enabled, and can be cleared', async ({
    browser,
    baseURL,
  }) => {
    const url = baseURL ?? ''
    const page = await openAs(browser, url, 'seeker', wholeSearch)
    for (const words of ['借书', '校车']) {
      await field(page).fill(words)
      await field(page).press('Enter')
      await expect(page).toHaveURL(new RegExp(encodeURIComponent(words)))
    }
    await page.goto(wholeSearch)
    await expect(page.locator('.search-words').getByRole('button')).toHaveText(['校车', '借书'])
    await page.getByRole('link', { name: '管理' }).click()
    await page.getByRole('button', { name: '删除“借书”' }).click()
    await expect(page.getByRole('link', { name: '借书' })).toHaveCount(0)
    const keep = page.getByRole('switch', { name: '在所有设备上保存搜索历史' })
    await keep.click()
    await expect(keep).toBeChecked()
    await found(page, '奖学金')
    await expect(page.getByRole('link', { name: '查看全部结果' })).toBeVisible()

    const other = await openAs(browser, url, 'seeker', '/pages/search/entry')
    await expect(other.getByRole('link', { name: '奖学金' })).toBeVisible()
    await expect(other.getByRole('link', { name: '校车' })).toHaveCount(0)
    expect(await axeViolations(other)).toEqual([])
    await other.getByRole('button', { name: '清空搜索历史' }).click()
    await expect(other.getByRole('link', { name: '奖学金' })).toHaveCount(0)
    await other.getByRole('switch').click()
    await expect(other.getByText('搜索历史只保存在这台设备上。')).toBeVisible()
    await page.context().close()
    await other.context().close()
  })
})

test.describe('a query without results', () => {
  // New words each time: a decided query is no longer listed.
  const words = `k${Math.floor(1000 + Math.random() * 9000)} 喝咖啡的地儿`
  const people = { thirsty1: '康菲一', thirsty2: '康菲二', thirsty3: '康菲三' }
  test.beforeAll(async ({ baseURL }) => {
    await createMembers(baseURL ?? '', people)
  })

  test('is reported to operators, and finds results once a synonym is added', async ({
    browser,
    baseURL,
  }) => {
    const url = baseURL ?? ''
    for (const username of Object.keys(people)) {
      const page = await openAs(browser, url, username, wholeSearch)
      await field(page).fill(words)
      await field(page).press('Enter')
      await expect(page.getByText(`没有找到“${words}”`)).toBeVisible()
      await expect(page.getByRole('link', { name: '问智能客服' })).toBeVisible()
      await page.context().close()
    }
    const headers = { 'x-id-token': await idToken(url, 'admin') }
    const ask = async (path: string, body?: object) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      })
      return (await answer.json()).data
    }
    const failures = await ask(searchFailures.gather.path)
    const failure = failures.find((one: { words: string }) => one.words === words)
    expect(failure).toMatchObject({ kind: 'notFound' })
    const decided = await ask(searchFailures.decide.path.replace('{id}', failure.id), {
      decision: 'synonym',
      words: ['食堂'],
    })
    expect(decided.foundNow).toBeGreaterThan(decided.foundBefore)

    const page = await openAs(browser, url, 'thirsty1', wholeSearch)
    await field(page).fill(words)
    await field(page).press('Enter')
    await expect(page.getByRole('list', { name: '服务' })).toContainText('食堂')
    await page.context().close()
  })
})
