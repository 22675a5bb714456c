import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { atrium } from './command-line.ts'
import { expect, test } from './test.ts'

// Serial: only one import runs on a database at a time.
test.describe.configure({ mode: 'default' })

const fixture = (name: string) => path.join(import.meta.dirname, 'fixtures', name)

test.describe('imported content', () => {
  test.use({ as: 'student' })
  test.describe.configure({ timeout: 180_000 })

  test('shows articles of an RSS file without duplicates or active content', async ({ page }) => {
    const args = ['import', 'news', fixture('research.rss.xml')]
    const column = ['--column', 'research', '--column-name', '科研动态', '--public']
    expect(await atrium([...args, ...column])).toContain('2 added')
    expect(await atrium([...args, ...column])).toContain('2 unchanged')
    const outside: string[] = []
    // The page's policy blocks requests to other hosts, so only answered ones count.
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).hostname !== 'localhost') outside.push(request.url())
    })
    await page.goto('/pagesA/news/news?columnCode=research')
    const list = page.getByRole('list', { name: '科研动态' })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list).toContainText('基础研究项目的通知 & 答疑安排')
    await list.getByRole('link', { name: /湖泊碳汇观测站/ }).click()
    const article = page.getByRole('article')
    await expect(article.getByText('二氧化碳通量')).toBeVisible()
    await expect(article.getByRole('cell', { name: '涡度相关系统' })).toBeVisible()
    await expect(page).not.toHaveTitle('taken over')
    expect(outside).toEqual([])
  })

  test('shows events of an .ics file on their days', async ({ page }) => {
    const args = ['import', 'calendar', fixture('safety.ics'), '--calendar', '安全培训']
    expect(await atrium([...args, '--audience', 'everybody'])).toContain('2 added')
    expect(await atrium([...args, '--audience', 'everybody'])).toContain('2 unchanged')
    const answer = async (from: string, to: string) => {
      const token = await page.evaluate(() => localStorage.getItem('idToken'))
      const response = await page.request.get(`/schedule/api/v1/events?from=${from}&to=${to}`, {
        headers: { 'x-id-token': token ?? '' },
      })
      const { data } = (await response.json()) as {
        data: { list: { id: string; title: string; startsAt: string }[] }
      }
      return data.list
    }
    await page.goto('/pages/tab/schedule/schedule')
    expect((await answer('2031-01-06', '2031-01-06')).map((event) => event.title)).toContain(
      '实验室安全培训',
    )
    expect((await answer('2031-01-13', '2031-01-13')).map((event) => event.title)).not.toContain(
      '实验室安全培训',
    )
    expect((await answer('2031-01-09', '2031-01-09')).map((event) => event.title)).toContain(
      '实验室开放日',
    )
    const event = (await answer('2031-01-20', '2031-01-20')).find(
      ({ title }) => title === '实验室安全培训',
    )
    await page.goto(`/pages/shedul/shedulDetail?id=${event?.id}&startsAt=${event?.startsAt}`)
    await expect(page.getByText('信息楼 A101')).toBeVisible()
    await expect(page.getByText('培训后现场考核')).toBeVisible()
  })
})

test('a member from a file of 50,000 signs in once a password is set', async ({ page }) => {
  test.setTimeout(240_000)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-import-'))
  const file = path.join(folder, 'members.csv')
  const out = createWriteStream(file)
  out.write('\uFEFF学号,姓名,英文名,身份代码,部门代码,手机号,状态\n')
  for (let n = 1; n <= 50_000; n++) {
    const number = String(n).padStart(5, '0')
    out.write(
      `2027${number},成员${number},Member ${number},S01,JLU,,${n === 50_000 ? '正常' : ''}\n`,
    )
  }
  out.end()
  await finished(out)
  expect(await atrium(['import', 'members', file])).toContain('50,000 added')
  await rm(folder, { recursive: true })
  await atrium(
    ['user', 'password', '202750000', '--stdin', '--keep'],
    'a-password-of-my-own-2027\n',
  )

  await page.goto('/pages/tab/my/my')
  await page
    .getByRole('button', { name: '登录' })
    .or(page.getByRole('link', { name: '登录' }))
    .first()
    .click()
  await page.getByLabel('学号 / 工号').fill('202750000')
  await page.getByLabel('密码').fill('a-password-of-my-own-2027')
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page).toHaveURL(/\/pages\/tab\/my\/my/)
  await expect(page.getByText('成员50000')).toBeVisible()
})
