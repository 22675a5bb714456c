import { contactGroups } from '@atrium/contract/member/address-book'
import { sending } from '@atrium/contract/work/sending'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

test('the service tile opens the address book, which leads to a person by department', async ({
  page,
}) => {
  await page.goto('/pages/service/search?keyWords=通讯录')
  await page
    .getByRole('button', { name: /^通讯录/ })
    .first()
    .click()
  // Always opened as a web page in a frame.
  await expect(page).toHaveURL(/\/pages\/webview\/webview\?/)
  const book = page.frameLocator('iframe')
  await expect(book.getByRole('list', { name: '收藏的联系人' })).toContainText('周明远')
  // The favourites name the same department, and are shown first.
  await book
    .getByRole('list', { name: '机构' })
    .getByRole('link', { name: /计算机学院/ })
    .click()
  await expect(book.getByRole('link', { name: /软件工程系/ })).toBeVisible()
  await book.getByRole('list', { name: '人员' }).getByRole('link').first().click()
  await expect(book.getByText('所在单位')).toBeVisible()
})

test('people are found by department, role and pinyin, with links to contact them', async ({
  page,
}) => {
  await page.goto('/addressBook/addressList')
  await expect(page.getByRole('list', { name: '我的群组' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('searchbox').fill('法学院 辅导员')
  const people = page.getByRole('list', { name: '人员' })
  await expect(people.getByRole('link').first()).toContainText('法学院')
  await page.getByRole('searchbox').fill('zmy')
  await people.getByRole('link', { name: /周明远/ }).click()
  await expect(page.getByRole('heading', { name: '周明远' })).toBeVisible()
  await expect(page.getByRole('link', { name: '打电话' })).toHaveAttribute('href', /^tel:138/)
  await expect(page.getByRole('link', { name: '写邮件' })).toHaveAttribute('href', /^mailto:zhou/)
  const star = page.getByRole('button', { name: '收藏联系人' })
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  expect(await axeViolations(page)).toEqual([])
  const [card] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存名片' }).click(),
  ])
  expect(card.suggestedFilename()).toBe('周明远.vcf')
  await page.getByRole('button', { name: '名片码' }).click()
  await expect(page.getByRole('img', { name: '周明远的名片码' })).toBeVisible()
  await page.keyboard.press('Escape')
  // Back to the search.
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('zmy')
})

test.describe('personal groups', () => {
  // An account whose groups no other test uses.
  test.use({ as: 'staff' })

  test('are created on a person’s page, filled from a search, chosen, renamed and deleted', async ({
    page,
  }) => {
    const name = `宣讲小组 ${Math.random().toString(36).slice(2, 6)}`
    await page.goto('/addressBook/person?accountName=student')
    await page.getByRole('button', { name: '加入分组' }).click()
    const sheet = page.getByRole('dialog')
    const more = sheet.getByRole('button', { name: '新建分组' })
    await expect(sheet.getByRole('button', { name: /^新建/ })).toBeVisible()
    if (await more.isVisible()) await more.click()
    await sheet.getByLabel('分组名称').fill(name)
    await sheet.getByRole('button', { name: '新建', exact: true }).click()
    await expect(sheet.getByRole('checkbox', { name: new RegExp(name) })).toBeChecked()
    expect(await axeViolations(page)).toEqual([])
    await sheet.getByRole('button', { name: '关闭' }).click()

    await page.goto('/addressBook/addressList')
    await page.getByRole('list', { name: '我的分组' }).getByRole('link', { name }).click()
    const people = page.getByRole('list', { name: '人员' }).getByRole('listitem')
    await expect(people).toHaveCount(1)
    await page.getByRole('searchbox').fill('周明远')
    await page.getByRole('checkbox', { name: /周明远/ }).check()
    await expect(people).toHaveCount(2)
    expect(await axeViolations(page)).toEqual([])

    await page.goto('/msgCenter/pages/task/addExecutor')
    await page.getByRole('button', { name: `${name}（2 人）` }).click()
    await expect(page.getByRole('list', { name: '已选执行人' })).toContainText('周明远')
    await expect(page.getByText('已添加 2 人')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])

    // A slow list of groups holds up nothing else, and arrives below it.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(`**${contactGroups.list.path}*`, async (route) => {
      await released
      await route.continue()
    })
    await page.reload()
    const done = page.getByRole('button', { name: '完成', exact: true })
    await expect(done).toBeVisible()
    release()
    const group = page.getByRole('button', { name: `${name}（2 人）` })
    await expect(group).toBeVisible()
    const [top, doneTop] = [await group.boundingBox(), await done.boundingBox()]
    expect(top?.y).toBeGreaterThan(doneTop?.y ?? Number.POSITIVE_INFINITY)
    await page.unrouteAll()

    await page.goto('/addressBook/addressList')
    await page.getByRole('list', { name: '我的分组' }).getByRole('link', { name }).click()
    await page.getByRole('button', { name: '重命名分组' }).click()
    await page.getByLabel('分组名称').fill(`${name}二`)
    await page.getByRole('button', { name: '保存' }).click()
    await expect(page.getByRole('heading', { level: 1, name: `${name}二` })).toBeVisible()
    await page.getByRole('button', { name: /^将周明远移出/ }).click()
    await expect(people).toHaveCount(1)
    await page.getByRole('button', { name: '删除分组' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除分组' }).click()
    await expect(page.getByText('分组已删除')).toBeVisible()
    await expect(page.getByRole('link', { name: `${name}二` })).toHaveCount(0)
  })
})

test.describe('the privacy switch', () => {
  test.use({ as: 'staff' })

  test('hides a member from other members', async ({ page, baseURL }) => {
    const headers = { 'x-id-token': await idToken(baseURL ?? '', 'teacher') }
    const seen = async () =>
      (await page.request.get('/portal-api/v1/addressBook/people/staff', { headers })).status()
    await page.goto('/pages/privacy/privacySet')
    const listed = page.getByRole('switch', { name: '在通讯录中显示我' })
    await listed.click()
    await expect.poll(seen).toBe(404)
    await page.goto('/addressBook/person?accountName=staff')
    await expect(page.getByText('此页只有你自己能看到')).toBeVisible()
    await page.getByRole('link', { name: '修改隐私设置' }).click()
    await listed.click()
    await expect.poll(seen).toBe(200)
  })
})

test.describe('a member who may send messages', () => {
  test.use({ as: 'admin' })

  test('starts a message from a person’s page', async ({ page }) => {
    // Other tests expect this sender to have no draft.
    await page.route(
      (url) => url.pathname === sending.saveDraft.path,
      (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()),
    )
    await page.goto('/addressBook/person?accountName=student')
    await page.getByRole('button', { name: '发消息' }).click()
    await expect(page.getByText('林知夏').first()).toBeVisible()
    await expect(page).toHaveURL(/onlineSend\/index/)
  })
})
