import { axeViolations } from './axe.ts'
import { password } from './session.ts'
import { expect, test } from './test.ts'

test.use({ as: 'student' })

test('the payment code is also shown without a network', async ({ page }) => {
  await page.goto('/pages/myInfo/payCode')
  const code = page.getByRole('img', { name: '付款与身份二维码' })
  await expect(code).toBeVisible()
  await expect(page.getByText(/秒后更新/)).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.route(/\/eCard\/codes/, (route) => route.abort())
  await page.reload()
  await expect(code).toBeVisible()
  await expect(page.getByText(/没有网络，还可使用约 \d+ 分钟/)).toBeVisible()
})

test('loans can be renewed, and mail and campus information are shown', async ({ page }) => {
  await page.goto('/pages/tab/my/my')
  // Loans due soon can be renewed directly on this page.
  const due = page.getByRole('list', { name: '快到期的借阅' })
  await expect(due.getByRole('button', { name: '续借《算法导论》' })).toBeVisible()
  await page.getByRole('link', { name: /我的借阅/ }).click()
  await expect(page.getByText('算法导论').filter({ visible: true }).first()).toBeVisible()
  await page.getByRole('tabpanel').getByRole('button', { name: '续借《算法导论》' }).click()
  await expect(page.getByRole('status').filter({ hasText: '续借成功' })).toBeVisible()
  await page.getByRole('tab', { name: '已还' }).click()
  await expect(page.getByText(/归还$/).filter({ visible: true }).first()).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.goto('/pages/myInfo/mailbox')
  await expect(page.getByText('最近邮件')).toBeVisible()
  await page.goto('/pages/myInfo/infoCards')
  await expect(page.getByText('已修学分')).toBeVisible()
  await page.goto('/pages/myInfo/research')
  await expect(page.getByText('没有科研数据')).toBeVisible()
})

test('a correction of profile data can be requested and withdrawn', async ({ page }) => {
  await page.goto('/pages/myInfo/myInfo')
  await page.getByRole('link', { name: '申请更正资料' }).click()
  await page.getByLabel('需要更正的内容').selectOption('organization')
  await page.getByRole('button', { name: '提交申请' }).click()
  await expect(page.getByText('请填写正确的内容')).toBeVisible()
  await page.getByLabel('正确的内容').fill('人工智能学院')
  await page.getByRole('button', { name: '提交申请' }).click()
  await expect(page.getByText('待处理')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: '撤回' }).click()
  await expect(page.getByText('已撤回')).toBeVisible()
})

test.describe('a teacher', () => {
  test.use({ as: 'teacher' })
  test('sees projects and papers', async ({ page }) => {
    await page.goto('/pages/myInfo/research')
    await expect(page.getByText('国家自然科学基金面上项目', { exact: false })).toBeVisible()
    await page.getByRole('tab', { name: '论文' }).click()
    await expect(page.getByText('被引 214 次')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
  })
})

// A separate account: other tests view the student's card concurrently.
test.describe('a member of staff', () => {
  test.use({ as: 'staff' })

  test('the card shows its payments, is frozen, and unfrozen after confirmation', async ({
    page,
  }) => {
    await page.goto('/pages/tab/my/my')
    await page.getByRole('link', { name: /一卡通余额/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: '一卡通' })).toBeVisible()
    await expect(page.getByRole('paragraph').filter({ hasText: '¥218.50' })).toBeVisible()
    await expect(page.getByText('教工餐厅').first()).toBeVisible()
    await expect(page.getByRole('img', { name: /每日支出/ })).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    const month = page.getByRole('heading', { level: 2, name: /年.*月/ })
    const first = await month.textContent()
    await page.getByRole('button', { name: '上个月' }).click()
    await expect(month).not.toHaveText(first ?? '')

    await page.getByRole('button', { name: '冻结一卡通' }).click()
    const dialog = page.getByRole('dialog', { name: '冻结一卡通？' })
    await dialog.getByRole('button', { name: '冻结一卡通' }).click()
    await expect(page.getByText('已冻结', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: '付款码' }).click()
    await expect(page.getByText('一卡通已冻结，解冻后才能使用')).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: '一卡通' }).click()
    const unfreeze = async () => {
      await page.getByRole('button', { name: '解冻一卡通' }).click()
      const again = page.getByRole('dialog', { name: '解冻一卡通？' })
      await again.getByRole('button', { name: '解冻一卡通' }).click()
    }
    // As some time after signing in: identity has to be confirmed first.
    await page.route(
      '**/portal-api/v1/eCard/freeze',
      (route) =>
        route.fulfill({
          status: 403,
          json: { code: 403, error: 'session.confirmation_due', message: '', requestId: '' },
        }),
      { times: 1 },
    )
    await unfreeze()
    await expect(page).toHaveURL(/modifyPwd\/verfityPwd/)
    await page.getByLabel('登录密码', { exact: true }).fill(password)
    await page.getByRole('button', { name: '下一步' }).click()
    await expect(page.getByRole('main').getByText('已冻结', { exact: true })).toBeVisible()
    await unfreeze()
    await expect(page.getByRole('main').getByText('正常', { exact: true })).toBeVisible()
  })
})
