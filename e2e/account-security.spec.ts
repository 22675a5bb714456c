import type { APIRequestContext } from '@playwright/test'
import {
  codeFor,
  confirm,
  enableQuestions,
  field,
  giveCode,
  makeMember,
  newToken,
  numberOf,
  onPage,
  press,
  row,
  signIn,
  texts,
} from './account-security.ts'
import { expect, test } from './test.ts'

// In one worker: each makes members, whose passwords are slow to hash by design.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const second = 'paper lanterns over nine bridges'

const isAlive = async (request: APIRequestContext, token: string) =>
  (
    await request.get('/personal/api/v1/personal/me/user', { headers: { 'x-id-token': token } })
  ).ok()
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test.beforeAll(() => enableQuestions(process.env.ATRIUM_E2E_URL ?? ''))

for (const [name, t] of Object.entries(texts)) {
  const language = name as keyof typeof texts
  const username = `xuzhou${process.pid}${language}`

  test.describe(language, () => {
    test.use({ locale: language === 'zh' ? 'zh-CN' : 'en-US' })

    test('changing the password ends other sessions, and a mobile number can be linked', async ({
      page,
      request,
      baseURL,
    }) => {
      await makeMember(username)
      await signIn(page, language, username)
      const elsewhere = await newToken(request, username)
      await page.goto('/pages/set/set')
      await row(page, t.title).click()
      await onPage(page, t.title)
      await row(page, t.password).click()
      await confirm(page, t, 'not this one')
      await expect(field(page, t.password)).toHaveAccessibleDescription(t.wrong)
      await confirm(page, t)
      await onPage(page, t.changePassword)
      // The confirmation leaves no history entry.
      await press(page, t.back)
      await onPage(page, t.title)
      await row(page, t.password).click()
      await onPage(page, t.changePassword)
      const password = field(page, t.newPassword)
      await password.fill('12345678')
      await expect(page.getByText(t.common)).toBeVisible()
      await press(page, t.save)
      await expect(password).toHaveAttribute('aria-invalid', 'true')
      await password.fill(second)
      await expect(page.getByText(t.strong, { exact: true })).toBeVisible()
      await press(page, t.save)
      await expect(page.getByText(t.passwordChanged)).toBeVisible()
      await onPage(page, t.title)
      expect(await isAlive(request, elsewhere)).toBe(false)
      expect(await newToken(request, username)).toBe('')
      expect(await isAlive(request, await newToken(request, username, second))).toBe(true)

      const mobile = numberOf(language, 1)
      await row(page, t.adviceMobile).click()
      await onPage(page, t.bindMobile)
      await field(page, t.mobile).fill('12')
      await press(page, t.getCode)
      await expect(field(page, t.mobile)).toHaveAttribute('aria-invalid', 'true')
      await field(page, t.mobile).fill(mobile)
      await giveCode(page, t, baseURL, mobile)
      await expect(page.getByText(t.mobileBound)).toBeVisible()
      await onPage(page, t.title)
      await expect(row(page, t.mobile)).toContainText(mobile.slice(-4))
    })

    test('a member changes mobile number and email with codes to the old ones', async ({
      page,
      baseURL,
    }) => {
      const own = `${username}b`
      const before = { mobile: numberOf(language, 2), email: `${own}@example.edu` }
      const after = { mobile: numberOf(language, 3), email: `${own}.new@example.edu` }
      await makeMember(own, before)
      await signIn(page, language, own)
      await page.goto('/pages/tab/my/my')
      await row(page, t.title).click()
      await row(page, t.mobile).click()
      await confirm(page, t)
      await onPage(page, t.proveMobile)
      await press(page, t.getCode)
      await expect(page.getByRole('button', { name: t.getCode, exact: true })).toHaveCount(0)
      const code = await codeFor(baseURL, before.mobile)
      await field(page, t.code).fill(wrongCodeFor(code))
      await expect(field(page, t.code)).toHaveAccessibleDescription(t.codeWrong)
      await field(page, t.code).fill(code)
      await onPage(page, t.bindMobile)
      await field(page, t.newMobile).fill(after.mobile)
      await giveCode(page, t, baseURL, after.mobile)
      await expect(page.getByText(t.mobileBound)).toBeVisible()
      await onPage(page, t.title)
      await row(page, t.email).click()
      await onPage(page, t.proveMobile)
      await page.getByRole('button', { name: t.byEmail }).click()
      await onPage(page, t.proveEmail)
      await giveCode(page, t, baseURL, before.email)
      await onPage(page, t.bindEmail)
      await field(page, t.newEmail).fill(after.email)
      await giveCode(page, t, baseURL, after.email)
      await expect(page.getByText(t.emailBound)).toBeVisible()
      await onPage(page, t.title)

      await row(page, t.ways).click()
      await onPage(page, t.ways)
      const sms = page.getByRole('switch', { name: t.sms })
      await expect(sms).toBeChecked()
      await sms.click()
      await expect(page.getByText(t.smsOff)).toBeVisible()
      await expect(sms).not.toBeChecked()
    })
  })
}
