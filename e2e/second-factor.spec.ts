import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { atrium } from './command-line.ts'
import { expect, test } from './test.ts'

test.describe.configure({ timeout: 180_000 })

const password = 'a long walk by the lake 26'
/**
 * Creates a member of this identity type and returns the username. Random, so that a retry does not find the first
 * attempt's factors.
 */
const member = async (kind: string, identity: string) => {
  const username = `${kind}-${Math.random().toString(36).slice(2, 8)}`
  const facts = ['--name', '何以宁', '--name-en', 'He Yining', '--email', `${username}@example.edu`]
  await atrium([
    'user',
    'create',
    username,
    ...facts,
    '--identity',
    identity,
    '--organization',
    'CS',
  ])
  await atrium(['user', 'password', username, '--stdin', '--keep'], password)
  return username
}

const words = {
  zh: {
    username: '学号 / 工号',
    password: '密码',
    signIn: '登录',
    setUp: '设置身份验证器',
    code: '验证码',
    finish: '完成设置',
    codes: '恢复码',
    kept: '我已保存好恢复码',
    goOn: '继续',
    title: '两步验证',
    verify: '验证',
    useRecovery: '使用恢复码',
    usePasskey: '使用通行密钥',
    wrong: '验证码不正确或已使用，请换一个新的验证码',
    addPasskey: '添加通行密钥',
    passkeySignIn: '使用通行密钥登录',
    enrol: '设置两步验证',
    left: '剩余 9 个',
    next: '下一步',
    passkeyNext: '点击下一步后，用通行密钥完成验证。',
  },
  en: {
    username: 'Student or staff number',
    password: 'Password',
    signIn: 'Sign in',
    setUp: 'Set up an authenticator app',
    code: 'Verification code',
    finish: 'Finish',
    codes: 'Recovery codes',
    kept: 'I have saved my recovery codes',
    goOn: 'Continue',
    title: 'Two-step verification',
    verify: 'Verify',
    useRecovery: 'Use a recovery code',
    usePasskey: 'Use a passkey',
    wrong: 'This code is wrong or was used before. Please enter a new one.',
    addPasskey: 'Add a passkey',
    passkeySignIn: 'Sign in with a passkey',
    enrol: 'Set up two-step verification',
    left: '9 left',
    next: 'Continue',
    passkeyNext: 'After you continue, verify with your passkey.',
  },
}
type Words = (typeof words)['zh']

/** The authenticator app's code, now or this many seconds later. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 1000 })
/** A code other than `after`: if it is too early, the next one, as from an app whose clock is half a minute ahead. */
function nextCode(secret: string, after: string) {
  const code = codeOf(secret)
  return code === after ? codeOf(secret, 30) : code
}

async function givePassword(page: Page, w: Words, username: string, target = '/pages/set/set') {
  await page.goto(`/pages/login/pwdLogin?returnTarget=${encodeURIComponent(target)}`)
  await page.getByRole('textbox', { name: w.username }).fill(username)
  await page.getByRole('textbox', { name: w.password }).fill(password)
  await page.getByRole('button', { name: w.signIn, exact: true }).click()
}
const codeField = (page: Page, w: Words) => page.getByRole('textbox', { name: w.code, exact: true })

/** Reads the secret as a person types it, enters the first code and stores the recovery codes. */
async function setUpApp(page: Page, w: Words) {
  await expect(page.getByRole('img', { name: /QR|二维码/ })).toBeVisible()
  const secret = ((await page.locator('.factor-secret code').textContent()) ?? '').replace(
    /\s/g,
    '',
  )
  const used = codeOf(secret)
  await codeField(page, w).fill(used)
  const list = page.getByRole('list', { name: w.codes })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  const codes = await list.getByRole('listitem').allTextContents()
  const goOn = page.getByRole('button', { name: w.goOn })
  await expect(goOn).toBeDisabled()
  await page.getByRole('switch', { name: w.kept }).check()
  await goOn.click()
  return { secret, used, codes }
}

/** Simulates another device without token and cookies. Pending requests of the page would restore them. */
async function leave(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/pages/about/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('idToken'))
  await page.context().clearCookies()
}

/** A phone that recognises its holder; `data-offered` is set once the username field offers passkeys. */
async function withAuthenticator(page: Page) {
  await page.addInitScript(() => {
    const ask = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      if (options?.mediation === 'conditional') document.documentElement.dataset.offered = ''
      return ask(options)
    }
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, authenticatorId }
}

for (const language of ['zh', 'en'] as const) {
  const w: Words = words[language]
  const locale = language === 'zh' ? 'zh-CN' : 'en-US'

  test.describe(`in ${language}`, () => {
    test.use({ locale })

    test('an authenticator app is required once set up; every code works only once', async ({
      page,
    }) => {
      const username = await member('factors', 'E01')
      await givePassword(page, w, username, '/pagesA/safeSet/secondFactor')
      await page.getByRole('button', { name: w.setUp }).click()
      const { secret, used, codes } = await setUpApp(page, w)
      await expect(
        page.getByText(language === 'zh' ? '已开启' : 'On', { exact: true }),
      ).toBeVisible()

      await leave(page)
      await givePassword(page, w, username)
      await expect(page.getByRole('heading', { name: w.title })).toBeFocused()
      await codeField(page, w).fill(used)
      await expect(page.getByRole('alert')).toHaveText(w.wrong)
      await codeField(page, w).fill('000000')
      await expect(page.getByRole('alert')).toHaveText(w.wrong)
      await codeField(page, w).fill(nextCode(secret, used))
      await expect(page).toHaveURL(/set\/set/)

      for (const result of ['in', 'out']) {
        await leave(page)
        await givePassword(page, w, username)
        await page.getByRole('button', { name: w.useRecovery }).click()
        await page.getByRole('textbox', { name: /恢复码|Recovery code/ }).fill(codes[0] ?? '')
        await page.getByRole('button', { name: w.verify, exact: true }).click()
        if (result === 'in') await expect(page).toHaveURL(/set\/set/)
        else await expect(page.getByRole('alert')).toHaveText(w.wrong)
      }
    })

    test('a passkey is added, works as a second factor and signs in without a password', async ({
      page,
    }) => {
      const name = await member('keys', 'E01')
      await givePassword(page, w, name, '/pagesA/safeSet/passkeys')
      const { devtools, authenticatorId } = await withAuthenticator(page)
      await page.getByRole('button', { name: w.addPasskey }).click()
      await page.getByRole('switch', { name: w.kept }).check()
      await page.getByRole('button', { name: w.goOn }).click()
      const row = page.getByRole('listitem').filter({ hasText: /添加|Added/ })
      await expect(row).toHaveCount(1)
      await row.getByRole('button', { name: /重命名|Rename/ }).click()
      await page.getByRole('textbox', { name: /名称|Name/ }).fill('我的手机 1')
      await page.getByRole('button', { name: /保存|Save/ }).click()
      await expect(page.getByRole('listitem').filter({ hasText: '我的手机 1' })).toBeVisible()

      // Confirms the identity again: the passkey after the password.
      await page.goto('/pages/modifyPwd/verfityPwd')
      await page.getByRole('textbox', { name: w.password }).fill(password)
      await expect(page.getByText(w.passkeyNext)).toBeVisible()
      const confirmed = page.waitForResponse((answer) => answer.url().endsWith('/account/confirm'))
      await page.getByRole('button', { name: w.next, exact: true }).click()
      expect((await confirmed).status()).toBe(200)
      expect(Object.keys((await confirmed).request().postDataJSON())).toContain('assertion')
      await expect(page).toHaveURL(/safeSet\/safeSet/)

      await leave(page)
      // Nobody touches the phone, so the username field's offer stays pending.
      const touch = (enabled: boolean) =>
        devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
      await touch(false)
      await givePassword(page, w, name)
      await expect(page.getByRole('heading', { name: w.title })).toBeFocused()
      await touch(true)
      await page.getByRole('button', { name: w.usePasskey }).click()
      await expect(page).toHaveURL(/set\/set/)

      await leave(page)
      await touch(false)
      await page.goto(`/pages/login/login?returnTarget=${encodeURIComponent('/pages/set/set')}`)
      await expect(page.getByRole('button', { name: w.passkeySignIn })).toBeVisible()
      // An earlier touch would accept the offer and sign in without the button.
      await expect(page.locator('html[data-offered]')).toBeAttached()
      await touch(true)
      await page.getByRole('button', { name: w.passkeySignIn }).click()
      await expect(page).toHaveURL(/set\/set/)
    })

    test('an identity type that requires a second factor must set one up at sign-in', async ({
      page,
    }) => {
      // No other test uses this identity type.
      await atrium(['config', 'set', 'secondFactorFor', '["G01"]'])
      const name = await member('asked', 'G01')
      await givePassword(page, w, name)
      await expect(page.getByRole('heading', { name: w.enrol })).toBeFocused()
      await page.getByRole('button', { name: w.setUp }).click()
      await setUpApp(page, w)
      await expect(page).toHaveURL(/set\/set/)
      await page.goto('/pagesA/safeSet/secondFactor')
      await page.getByRole('button', { name: /^移除|^Remove/ }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^移除|^Remove/ })
        .click()
      await expect(page.getByRole('status').filter({ hasText: /学校要求|requires/ })).toBeVisible()

      await leave(page)
      await atrium(['user', 'reset-factors', name])
      await givePassword(page, w, name)
      await expect(page.getByRole('heading', { name: w.enrol })).toBeFocused()
    })
  })
}
