import { axeViolations } from './axe.ts'
import { atrium } from './command-line.ts'
import { createMembers, openAs } from './members.ts'
import { expect, test } from './test.ts'

// A separate account: drafts are stored on the server, and other tests write as admin.
const sender = 'template-sender'

test.describe('a sender', () => {
  test('saves a rich text with variables as a template, previews it and sends it', async ({
    browser,
    baseURL,
  }) => {
    const url = baseURL ?? ''
    await createMembers(url, { [sender]: '范文昭' })
    await atrium(['user', 'grant', sender, 'send'])
    const page = await openAs(browser, url, sender, '/msgCenter/pages/onlineSend/index')
    const title = page.getByLabel('标题', { exact: true })
    await title.fill('体检通知：')
    await page.getByRole('button', { name: '姓名' }).click()
    await expect(title).toHaveValue('体检通知：{{姓名}}')
    await page.getByLabel('正文', { exact: true }).fill('请到 {{地点}} 体检')
    await page.getByRole('switch', { name: /^富文本/ }).check()
    const text = page.getByRole('textbox', { name: '正文' })
    await expect(text).toHaveText('请到 {{地点}} 体检')
    await text.press('ControlOrMeta+a')
    await page.getByRole('button', { name: '加粗' }).click()
    await expect(text.locator('strong')).toHaveText('请到 {{地点}} 体检')
    expect(await axeViolations(page)).toEqual([])

    await page.getByRole('button', { name: '存为模板' }).click()
    const keeping = page.getByRole('dialog', { name: '存为模板' })
    await keeping.getByLabel('模板名称').fill('体检')
    await keeping.getByRole('button', { name: '保存模板' }).click()
    await expect(page.getByText('模板已保存')).toBeVisible()

    // The template restores text, layout and variables in an empty form.
    await page.getByRole('button', { name: '清空' }).click()
    await expect(title).toHaveValue('')
    await page.getByRole('button', { name: '使用模板' }).click()
    const templates = page.getByRole('dialog', { name: '消息模板' })
    await expect(templates.getByRole('button', { name: /^体检/ })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await templates.getByRole('button', { name: /^体检/ }).click()
    await expect(title).toHaveValue('体检通知：{{姓名}}')
    await expect(text.locator('strong')).toHaveText('请到 {{地点}} 体检')

    await page.getByRole('link', { name: /选择接收人/ }).click()
    await page.getByRole('link', { name: '添加人员' }).click()
    await page.getByRole('searchbox').fill('陈思齐')
    await page.getByRole('checkbox', { name: /staff/ }).check()
    await page.getByRole('button', { name: /^完成/ }).click()
    await page.getByRole('button', { name: /^完成/ }).click()
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await expect(page.getByText('请填写“地点”的内容')).toBeVisible()
    await page.getByLabel('地点', { exact: true }).fill('校医院 <3 楼>')
    await page.getByRole('button', { name: '发送', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '发送这条消息？' })
    await dialog.getByRole('button', { name: '预览收到的内容' }).click()
    const preview = dialog.getByRole('region', { name: '预览收到的内容' })
    await expect(preview).toContainText('体检通知：陈思齐')
    await expect(preview.locator('strong')).toHaveText('请到 校医院 <3 楼> 体检')
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: '发送', exact: true }).click()
    await expect(page.getByRole('heading', { name: '发送结果' })).toBeVisible()

    const reader = await openAs(browser, url, 'staff', '/pagesA/message/entry')
    await reader
      .getByRole('link', { name: /体检通知：陈思齐/ })
      .first()
      .click()
    await expect(reader.locator('.rich-text strong')).toHaveText('请到 校医院 <3 楼> 体检')
    for (const one of [page, reader]) await one.context().close()
  })
})
