import { sending } from '@atrium/contract/work/sending'
import { sendingLedger } from '@atrium/contract/work/sending-ledger'
import { axeViolations } from './axe.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

test.describe('a sender', () => {
  test.use({ as: 'admin' })

  test('writes a message, checks its recipients, sends it and withdraws it', async ({
    page,
    request,
    baseURL,
  }) => {
    await page.goto('/pages/tab/onlineSend/index')
    await expect(page.getByLabel('标题', { exact: true })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await expect(page.getByText('请填写标题')).toBeVisible()
    await expect(page.getByText('请选择接收人')).toBeVisible()
    await page.getByLabel('标题', { exact: true }).fill('实验室停电通知')
    await page.getByLabel('正文', { exact: true }).fill('周三 8:00 至 12:00 停电。')
    await page.getByRole('switch', { name: '请接收人确认已读' }).check()
    await page.getByRole('checkbox', { name: '邮件' }).check()

    await page.getByRole('link', { name: /选择接收人/ }).click()
    await page.getByRole('link', { name: '添加人员' }).click()
    await page.getByRole('searchbox').fill('陈思齐')
    await page.getByRole('checkbox', { name: /staff/ }).check()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: /^完成/ }).click()
    await page.getByRole('link', { name: '添加外部联系人' }).click()
    await page.getByLabel('邮箱或手机号').fill('guest@partner.example\n不是邮箱')
    await page.getByRole('button', { name: '添加' }).click()
    await expect(page.getByText('1 项无法识别，请修改后再添加')).toBeVisible()
    await expect(page.getByLabel('邮箱或手机号')).toHaveValue('不是邮箱')
    await page.goBack()
    await page.getByRole('link', { name: '添加机构' }).click()
    await page.getByRole('link', { name: '查看江岚大学的下级' }).click()
    await page
      .getByRole('checkbox', { name: /^机器人研究院|^土木与水利学院/ })
      .first()
      .check()
    await page.goBack()
    await page.goBack()
    const chosen = page.getByRole('list', { name: '已选' })
    await expect(chosen.getByRole('listitem')).toHaveCount(3)
    await chosen.getByRole('button', { name: '移除土木与水利学院' }).click()
    await expect(chosen.getByRole('listitem')).toHaveCount(2)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '完成（已选 2）' }).click()

    // The draft is still there.
    await expect(page.getByLabel('标题', { exact: true })).toHaveValue('实验室停电通知')
    await page.getByRole('button', { name: '发送', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '发送这条消息？' })
    await expect(dialog).toContainText('将发送给 2 个接收人其中 1 个外部联系人')
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: '发送' }).click()

    await expect(page.getByRole('heading', { name: '发送结果' })).toBeVisible()
    await expect(page.getByText('已送达未读')).toBeVisible()
    const recipients = page.getByRole('list', { name: '接收人' })
    await expect(recipients.getByRole('listitem')).toHaveCount(2)
    await expect(recipients).toContainText('guest@partner.example')
    expect(await axeViolations(page)).toEqual([])

    const headers = { 'x-id-token': await idToken(baseURL ?? '', 'admin') }
    const sendId = new URL(page.url()).searchParams.get('sendId')
    const { data } = await (
      await request.get(sendingLedger.result.path, { headers, params: { sendId: String(sendId) } })
    ).json()
    expect(data.inbox).toMatchObject({ total: 1, delivered: 1 })

    await page.getByRole('button', { name: '撤回' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click()
    await expect(page.getByText('已从所有收件箱移除。')).toBeVisible()
    await page.goBack()
    await page.getByRole('tab', { name: '已发送' }).click()
    await expect(
      page.getByRole('list', { name: '已发送' }).getByRole('link', { name: /实验室停电通知/ }),
    ).toContainText('已撤回')
  })

  test('finds no draft of a sent message even if its last save arrives late', async ({ page }) => {
    let release = () => {}
    const sent = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      (url) => url.pathname === sending.saveDraft.path,
      async (route) => {
        if (route.request().method() === sending.saveDraft.method) await sent
        await route.continue()
      },
    )
    await page.goto('/msgCenter/pages/onlineSend/index')
    await page.getByLabel('标题', { exact: true }).fill('只发一次')
    await page.getByLabel('正文', { exact: true }).fill('请收。')
    await page.getByRole('link', { name: /选择接收人/ }).click()
    await page.getByRole('link', { name: '添加外部联系人' }).click()
    await page.getByLabel('邮箱或手机号').fill('once@partner.example')
    const late = page.waitForRequest(
      (request) =>
        request.method() === sending.saveDraft.method &&
        request.url().endsWith(sending.saveDraft.path),
    )
    await page.getByRole('button', { name: '添加' }).click()
    await page.getByRole('button', { name: '完成（已选 1）' }).click()
    await late
    await page.getByRole('button', { name: '发送', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: '发送' }).click()
    await expect(page.getByRole('heading', { name: '发送结果' })).toBeVisible()
    const forgotten = page.waitForResponse(
      (response) =>
        response.request().method() === sending.deleteDraft.method &&
        response.url().endsWith(sending.deleteDraft.path),
    )
    release()
    await forgotten
    await page.goto('/msgCenter/pages/onlineSend/index')
    await expect(page.getByRole('link', { name: /选择接收人/ })).toBeVisible()
    await expect(page.getByLabel('标题', { exact: true })).toHaveValue('')
  })

  test('must enter the number of recipients before sending to many', async ({ page }) => {
    await page.goto('/msgCenter/pages/onlineSend/index')
    await page.getByLabel('标题', { exact: true }).fill('全校通知')
    await page.getByRole('switch', { name: '定时发送' }).check()
    await page.getByRole('link', { name: /选择接收人/ }).click()
    await page.getByRole('link', { name: '添加机构' }).click()
    await page.getByRole('link', { name: '查看江岚大学的下级' }).click()
    await page.getByRole('checkbox', { name: /^计算机学院/ }).check()
    for (let screen = 0; screen < 3; screen++) await page.goBack()
    await page.getByRole('button', { name: '定时发送' }).click()
    const dialog = page.getByRole('dialog', { name: '定时发送这条消息？' })
    const number = dialog.getByLabel(/^请输入接收人数 \d+ 以确认$/)
    await expect(number).toBeVisible()
    const confirm = dialog.getByRole('button', { name: '定时发送' })
    await expect(confirm).toBeDisabled()
    await number.fill('1')
    await expect(confirm).toBeDisabled()
    await number.fill(
      /\d+/.exec((await dialog.getByText(/^将发送给/).textContent()) ?? '')?.[0] ?? '',
    )
    await confirm.click()
    await expect(page.getByRole('heading', { name: '发送结果' })).toBeVisible()
    await expect(page.getByText('待发送', { exact: true })).toBeVisible()
    // Withdrawn, so that no other test finds it.
    await page.getByRole('button', { name: '撤回' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click()
    await expect(page.getByText('已从所有收件箱移除。')).toBeVisible()
  })
})

test.describe('a member who may not send', () => {
  test.use({ as: 'student', locale: 'en-US' })

  test('sees that they may not send messages', async ({ page }) => {
    await page.goto('/pages/tab/onlineSend/index')
    await expect(page.getByText('You do not have permission to send messages yet')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  })
})
