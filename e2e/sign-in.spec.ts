import type { Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { startServer } from './server.ts'
import { password } from './session.ts'
import { expect, test } from './test.ts'

const words = {
  zh: {
    username: '学号 / 工号',
    password: '密码',
    submit: '登录',
    refused: '账号或密码不正确',
    accounts: '我的账号',
    current: '当前账号',
    postgraduate: '研究生',
    newPassword: '新密码',
    newPasswordTitle: '请设置新密码',
    save: '保存并继续',
    tooShort: /至少需要 8 个字符/,
    agreement: '用户协议',
    agreementTitle: '请阅读并同意协议',
    accept: '同意并继续',
  },
  en: {
    username: 'Student or staff number',
    password: 'Password',
    submit: 'Sign in',
    refused: 'The username or password is incorrect.',
    accounts: 'Your accounts',
    current: 'In use',
    postgraduate: 'Postgraduate',
    newPassword: 'New password',
    newPasswordTitle: 'Choose a new password',
    save: 'Save and continue',
    tooShort: /8 characters/,
    agreement: 'User agreement',
    agreementTitle: 'Please read and accept',
    accept: 'Accept and continue',
  },
} as const
type Language = keyof typeof words

const inLanguage = (page: Page, language: Language) =>
  page.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
async function fill(page: Page, language: Language, username: string, secret = password) {
  const t = words[language]
  await page.getByRole('textbox', { name: t.username }).fill(username)
  await page.getByRole('textbox', { name: t.password, exact: true }).fill(secret)
  await page.getByRole('button', { name: t.submit, exact: true }).click()
}

for (const language of ['zh', 'en'] as const) {
  const t = words[language]
  test.describe(language, () => {
    test.beforeEach(({ page }) => inLanguage(page, language))

    for (const screen of ['login', 'accountLogin', 'pwdLogin'])
      test(`${screen} opens the return target, and going back skips the sign-in page`, async ({
        page,
      }) => {
        await page.goto('/pages/about/about')
        const target = encodeURIComponent('/pages/myInfo/myInfo')
        await page.goto(`/pages/login/${screen}?returnTarget=${target}`)
        await expect(page.getByRole('textbox', { name: t.username })).toHaveAttribute(
          'autocomplete',
          /^username/,
        )
        await fill(page, language, 'teacher')
        await expect(page).toHaveURL(/myInfo\/myInfo/)
        await page.goBack()
        await expect(page).toHaveURL(/about\/about/)
        await page.goForward()
        await expect(page).toHaveURL(/myInfo\/myInfo/)
      })

    test('after failures the device solves a puzzle, and the correct password signs in', async ({
      page,
    }) => {
      // A separate account: a successful sign-in elsewhere resets the count of failures.
      const username = `puzzle-${language}-${Date.now()}`
      const facts = ['--name', '张雨', '--identity', 'S01', '--organization', 'CS']
      await atrium(['user', 'create', username, ...facts])
      await atrium(['user', 'password', username, '--stdin', '--keep'], password)
      await page.goto('/pages/login/login')
      await fill(page, language, username, 'wrong')
      await expect(page.getByRole('alert')).toHaveText(t.refused)
      const solved = page.waitForResponse((answer) => answer.url().endsWith('/token/login/captcha'))
      for (let n = 0; n < 2; n++) {
        const answered = page.waitForResponse((answer) => answer.url().endsWith('/passwordLogin'))
        await page.getByRole('button', { name: t.submit, exact: true }).click()
        await answered
        await expect(page.getByRole('alert')).toHaveText(t.refused)
      }
      await fill(page, language, username)
      await solved
      await expect(page).toHaveURL(/tab\/index\/index/)
    })

    for (const screen of ['/pages/login/changAccount', '/pages/set/changeAccount'])
      test(`${screen} switches to the person’s other account and ends the session`, async ({
        page,
      }) => {
        await page.goto(`/pages/login/pwdLogin?returnTarget=${encodeURIComponent(screen)}`)
        await fill(page, language, 'staff')
        await expect(page.getByRole('heading', { name: t.accounts })).toBeVisible()
        await expect(page.getByRole('button', { name: t.current })).toBeDisabled()
        const before = await page.evaluate(() => localStorage.getItem('idToken'))
        await page.getByRole('button', { name: t.postgraduate }).click()
        await expect(page).toHaveURL(/tab\/index\/index/)
        const ended = await page.request.get('/token/login/accounts', {
          headers: { 'x-id-token': before ?? '' },
        })
        expect(ended.status()).toBe(401)
        await page.goto(screen)
        await expect(page.getByRole('button', { name: t.postgraduate })).toBeDisabled()
      })
  })
}

test.describe('the steps required between the password and the session', () => {
  test.describe.configure({ mode: 'serial', timeout: 180_000 })
  // A new agreement applies to everybody, so it is not set on the shared server.
  let ownServer: Awaited<ReturnType<typeof startServer>>
  test.beforeAll(async () => {
    // Starts a separate server and runs five commands.
    test.setTimeout(240_000)
    ownServer = await startServer()
    const atrium = (args: string[], input = '') => operate(ownServer.dataDir, args, input)
    await atrium(['config', 'set', 'agreementVersion', '2026-09'])
    for (const language of ['zh', 'en']) {
      await atrium(
        `user create first-${language} --name 李雷 --identity T01 --organization CS`.split(' '),
      )
      await atrium(['user', 'password', `first-${language}`, '--stdin'], 'Lent by the office 7\n')
    }
  })
  test.afterAll(() => ownServer?.stop())

  for (const language of ['zh', 'en'] as const)
    test(`are shown on the sign-in page one after another: ${language}`, async ({ page }) => {
      const t = words[language]
      await inLanguage(page, language)
      const target = encodeURIComponent('/pages/myInfo/myInfo')
      await page.goto(`${ownServer.url}/pages/login/login?returnTarget=${target}`)
      await fill(page, language, `first-${language}`, 'Lent by the office 7')
      await expect(page.getByRole('heading', { name: t.newPasswordTitle })).toBeFocused()
      const field = page.getByRole('textbox', { name: t.newPassword, exact: true })
      await expect(field).toHaveAttribute('autocomplete', 'new-password')
      await field.fill('short')
      await page.getByRole('button', { name: t.save }).click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(t.tooShort)
      await field.fill('Nine lamps in the harbour')
      await page.getByRole('button', { name: t.save }).click()
      await expect(page.getByRole('heading', { name: t.agreementTitle })).toBeFocused()
      await page.getByText(t.agreement, { exact: true }).click()
      await page.getByRole('button', { name: t.accept }).click()
      await expect(page).toHaveURL(/myInfo\/myInfo/)
      await page.evaluate(() => localStorage.removeItem('idToken'))
      await page.goto(`${ownServer.url}/pages/login/login?returnTarget=${target}`)
      await fill(page, language, `first-${language}`, 'Nine lamps in the harbour')
      await expect(page).toHaveURL(/myInfo\/myInfo/)
    })
})

/** The operator's command line for a running server's installation. */
const operate = (dataDir: string, args: string[], input = '') =>
  atrium(args, input, { ATRIUM_DATA_DIR: dataDir })

test('after failures the central login continues on the portal’s sign-in page', async ({
  page,
}) => {
  await page.goto('/pages/myInfo/myInfo')
  await expect(page).toHaveURL(/\/cas\/login/)
  await page.getByLabel('学号 / 工号').fill('student')
  await page.getByLabel('密码').fill('wrong')
  for (let n = 0; n < 3; n++) {
    await page.getByLabel('密码').fill('wrong')
    await page.getByRole('button', { name: '登录' }).click()
  }
  await page.getByLabel('密码').fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  // The central login's form has no script: the portal's own page solves the puzzle and continues from there.
  await expect(page).toHaveURL(/\/pages\/login\/login$/)
  await fill(page, 'zh', 'student')
  await expect(page).toHaveURL(/myInfo\/myInfo/)
})

test('an onwards address of another site is not followed', async ({ page }) => {
  await page.goto(
    `/pages/login/login#onwards=${encodeURIComponent('https://evil.example/cas/login')}`,
  )
  await fill(page, 'zh', 'admin')
  await expect(page).toHaveURL(/tab\/index\/index/)
})
