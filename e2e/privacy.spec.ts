import { confirmPassword, password } from './session.ts'
import { expect, test } from './test.ts'

// Serial: one member's choices, block list and account.
test.describe.configure({ mode: 'default' })

test.use({ as: 'staff' })

const texts = {
  zh: {
    privacy: '隐私',
    settings: '隐私设置',
    mobile: '谁可以看到我的手机号',
    organization: '本单位',
    recorded: '记录使用情况',
    blocked: '黑名单',
    search: '搜索要加入黑名单的成员',
    block: '将林知夏加入黑名单',
    unblock: '将林知夏移出黑名单',
    empty: '黑名单是空的',
    nobody: '没有找到成员',
    clear: '清空',
    close: '注销账号',
    agree: '我已了解以上内容，确认注销',
    askClosing: '申请注销',
    yes: '确定注销',
    due: /账号将于 .+ 注销/,
    keep: '保留账号',
    reason: '注销原因（选填）',
    password: '登录密码',
    next: '下一步',
  },
  en: {
    privacy: 'Privacy',
    settings: 'Privacy settings',
    mobile: 'Who can see my mobile number',
    organization: 'Organisation',
    recorded: 'Record my usage',
    blocked: 'Blocked members',
    search: 'Search for a member',
    block: 'Block Lin Zhixia',
    unblock: 'Unblock Lin Zhixia',
    empty: 'You have not blocked anyone',
    nobody: 'No members found',
    clear: 'Clear',
    close: 'Close account',
    agree: 'I understand this and want to close my account',
    askClosing: 'Close my account',
    yes: 'Yes, close it',
    due: /Your account will be closed on .+/,
    keep: 'Keep my account',
    reason: 'Reason (optional)',
    password: 'Password',
    next: 'Continue',
  },
}

for (const [language, t] of Object.entries(texts))
  test.describe(language, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
    })

    test('privacy settings are stored', async ({ page }) => {
      await page.goto('/pages/set/set')
      await page.getByRole('link', { name: t.privacy, exact: true }).click()
      await page.getByRole('link', { name: t.settings }).click()
      await expect(page.getByRole('heading', { name: t.settings, level: 1 })).toBeVisible()
      const choice = page
        .getByRole('group', { name: t.mobile })
        .getByRole('radio', { name: t.organization })
      await choice.click()
      await expect(choice).toBeChecked()
      const recorded = page.getByRole('switch', { name: t.recorded })
      const before = await recorded.isChecked()
      const saved = page.waitForResponse(
        (answer) => answer.request().postDataJSON()?.useRecorded === !before,
      )
      await recorded.click()
      await saved
      await page.reload()
      await expect(choice).toBeChecked()
      await expect(recorded).toBeChecked({ checked: !before })
      await recorded.click()
    })

    test('a member blocks and unblocks another member', async ({ page }) => {
      await page.goto('/pages/privacy/blackList')
      await expect(page.getByText(t.empty)).toBeVisible()
      const search = page.getByRole('searchbox', { name: t.search })
      await search.fill('nobody at all')
      await expect(page.getByText(t.nobody)).toBeVisible()
      await search.fill('student')
      await page.getByRole('button', { name: t.block }).click()
      await page.getByRole('button', { name: t.clear }).click()
      await page.getByRole('button', { name: t.unblock }).click()
      await expect(page.getByText(t.empty)).toBeVisible()
    })

    test('a member requests closing the account and cancels the request', async ({
      page,
      baseURL,
    }) => {
      await confirmPassword(baseURL ?? '', 'staff')
      await page.goto('/pages/privacy/privacy')
      await page.getByRole('link', { name: t.close }).click()
      const ask = page.getByRole('button', { name: t.askClosing })
      await expect(ask).toBeDisabled()
      await page.getByRole('checkbox', { name: t.agree }).check()
      await ask.click()
      await page.getByRole('button', { name: t.yes }).click()
      await expect(page.getByText(t.due)).toBeVisible()
      await page.getByRole('button', { name: t.keep }).click()
      await expect(ask).toBeVisible()
    })

    test('an old sign-in must confirm the password first, and the form keeps its values', async ({
      page,
    }) => {
      // Waiting ten minutes is too long: the refusal is simulated in the server's words, the confirmation is real.
      await page.route('**/closing', (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        return route.fulfill({
          status: 403,
          json: {
            code: 403,
            error: 'session.confirmation_due',
            message: '',
            data: null,
            requestId: 'a-request',
          },
        })
      })
      await page.goto('/pages/privacy/privacy')
      await page.getByRole('link', { name: t.close }).click()
      const reason = page.getByRole('textbox', { name: t.reason })
      await reason.fill('Moving to the coast')
      const agree = page.getByRole('checkbox', { name: t.agree })
      await agree.check()
      await page.getByRole('button', { name: t.askClosing }).click()
      await page.getByRole('button', { name: t.yes }).click()
      await expect(page).toHaveURL(/modifyPwd\/verfityPwd/)
      await page.getByRole('textbox', { name: t.password }).fill(password)
      await page.getByRole('button', { name: t.next }).click()
      await expect(page).toHaveURL(/privacy\/closeAccount/)
      await expect(reason).toHaveValue('Moving to the coast')
      await expect(agree).toBeChecked()
      await page.goBack()
      await expect(page).toHaveURL(/privacy\/privacy$/)
    })
  })
