import { contactGroups } from '@atrium/contract/member/address-book'
import { sending } from '@atrium/contract/work/sending'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.describe('a sender', () => {
  test.use({ as: 'admin' })
  // One after the other: lists and drafts belong to the sender, and every test expects none.
  test.describe.configure({ mode: 'default' })

  test.afterEach(async ({ page, request, baseURL }) => {
    // Otherwise the open form could save its draft again.
    await page.close()
    const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
    const { data } = await (await request.get(contactGroups.list.path, { headers })).json()
    for (const { id, name } of data as { id: string; name: string }[])
      if (name === '宿舍楼长')
        await request.delete(contactGroups.remove.path.replace('{id}', id), { headers })
    await request.delete(sending.deleteDraft.path, { headers })
  })

  test('creates a recipient list, shares it, and selects it together with a course', async ({
    page,
  }) => {
    await page.goto('/pages/tab/onlineSend/index')
    await page.getByRole('link', { name: /选择接收人/ }).click()
    await page.getByRole('link', { name: '添加用户组' }).click()
    await page.getByRole('tab', { name: '名单' }).click()
    await page.getByRole('button', { name: '新建名单' }).click()
    const naming = page.getByRole('dialog', { name: '新建名单' })
    await naming.getByRole('button', { name: '新建' }).click()
    await expect(naming.getByText('请填写名单名称')).toBeVisible()
    await naming.getByLabel('名单名称').fill('宿舍楼长')
    await naming.getByRole('button', { name: '新建' }).click()

    await expect(page.getByRole('heading', { name: '宿舍楼长' })).toBeVisible()
    await page.getByRole('searchbox').fill('陈思齐')
    await page.getByRole('checkbox', { name: /staff/ }).check()
    await expect(page.getByRole('list', { name: '名单成员' })).toContainText('staff')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '名称与共享' }).click()
    const change = page.getByRole('dialog', { name: '名称与共享' })
    await change.getByLabel('共享给').selectOption({ index: 1 })
    await change.getByRole('button', { name: '保存' }).click()
    await expect(change).toBeHidden()
    await expect(page.getByText(/共享$/)).toBeVisible()

    await page.goBack()
    await page.getByRole('tab', { name: '名单' }).click()
    await page.getByRole('checkbox', { name: /^宿舍楼长 ?1 人/ }).check()
    await page.getByRole('tab', { name: '课程' }).click()
    await page.getByRole('searchbox').fill('线性代数')
    await page
      .getByRole('checkbox', { name: /^线性代数/ })
      .first()
      .check()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('tab', { name: '日程' }).click()
    await expect(page.getByRole('searchbox', { name: '日程标题' })).toBeVisible()
    await page.getByRole('button', { name: '完成（已选 2）' }).click()
    const chosen = page.getByRole('list', { name: '已选' })
    await expect(chosen.getByRole('listitem')).toHaveText([/宿舍楼长/, /线性代数/])
    await page.getByRole('button', { name: '完成（已选 2）' }).click()
    await page.getByLabel('标题', { exact: true }).fill('楼长例会')
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await expect(page.getByRole('dialog', { name: '发送这条消息？' })).toContainText(
      /将发送给 \d+ 个接收人/,
    )
  })

  test('returns with a tap during which the list arrives', async ({ page }) => {
    await page.goto('/pages/tab/onlineSend/index')
    await page.getByRole('link', { name: /选择接收人/ }).click()
    let answer = () => {}
    const pressed = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(new RegExp(sending.groups.path), async (route) => {
      await pressed
      await route.continue()
    })
    await page.getByRole('link', { name: '添加用户组' }).click()
    await expect(page.getByRole('tab', { name: '名单' })).toBeVisible()
    await page.getByRole('button', { name: /^完成/ }).hover()
    await page.mouse.down()
    answer()
    await expect(page.getByRole('checkbox').first()).toBeVisible()
    await page.mouse.up()
    await expect(page.getByRole('link', { name: '添加用户组' })).toBeVisible()
  })
})
