import { type AccountSecurity, securityChanges } from '@atrium/contract/identity/account'
import type { APIRequestContext, Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { idToken } from './session.ts'
import { expect, test } from './test.ts'

// Serial: tests build on each other's changes to a member.
test.describe.configure({ mode: 'default', timeout: 180_000 })

const texts = {
  zh: {
    title: '账号安全',
    confirm: '身份验证',
    password: '登录密码',
    wrong: '密码不正确',
    next: '下一步',
    back: '返回',
    changePassword: '修改密码',
    newPassword: '新密码',
    save: '保存',
    common: '弱：这是常见的密码',
    strong: '很强',
    passwordChanged: '密码已修改',
    mobile: '手机号',
    bindMobile: '绑定手机号',
    adviceMobile: '绑定手机号，忘记密码时可以找回',
    newMobile: '新手机号',
    mobileBound: '手机号已绑定',
    proveMobile: '验证原手机号',
    removeMobile: '解除绑定手机号',
    mobileRemoved: '已解除绑定手机号',
    notBound: '未绑定',
    email: '邮箱',
    bindEmail: '绑定邮箱',
    newEmail: '新邮箱',
    emailBound: '邮箱已绑定',
    proveEmail: '验证原邮箱',
    byEmail: /^改用邮箱 .+ 验证$/,
    code: '验证码',
    getCode: '获取验证码',
    codeWrong: '验证码不正确或已失效',
    questions: '密保问题',
    noQuestions: '还没有设置密保问题',
    setQuestions: '设置密保问题',
    changeQuestions: '修改密保问题',
    removeQuestions: '删除密保问题',
    answerQuestions: '验证密保问题',
    question: /^问题$/,
    ownQuestion: '自己写一个问题',
    ownLabel: '自定义问题',
    own: '我的第一辆自行车叫什么',
    answer: '答案',
    answers: ['苏老师', '小满', '青骓'],
    otherAnswers: ['白老师', '大雪', '追风'],
    answersWrong: '答案不正确',
    questionsSaved: '密保问题已保存',
    questionsRemoved: '密保问题已删除',
    remove: '删除',
    ways: '登录方式',
    sms: '短信验证码登录',
    smsOff: '已关闭短信验证码登录',
  },
  en: {
    title: 'Account security',
    confirm: 'Confirm it is you',
    password: 'Password',
    wrong: 'The password is incorrect.',
    next: 'Continue',
    back: 'Back',
    changePassword: 'Change password',
    newPassword: 'New password',
    save: 'Save',
    common: 'Weak: one of the passwords tried first',
    strong: 'Strong',
    passwordChanged: 'Your password was changed',
    mobile: 'Mobile number',
    bindMobile: 'Mobile number',
    adviceMobile: 'Link a mobile number, to get back in if you forget your password',
    newMobile: 'New mobile number',
    mobileBound: 'Your mobile number was linked',
    proveMobile: 'Verify your mobile',
    removeMobile: 'Remove the mobile number',
    mobileRemoved: 'The mobile number was removed',
    notBound: 'Not linked',
    email: 'Email',
    bindEmail: 'Email',
    newEmail: 'New email',
    emailBound: 'Your email was linked',
    proveEmail: 'Verify your email',
    byEmail: /^Use .+@.+ instead$/,
    code: 'Verification code',
    getCode: 'Get code',
    codeWrong: 'The code is wrong or no longer valid.',
    questions: 'Security questions',
    noQuestions: 'No security questions yet',
    setQuestions: 'Set security questions',
    changeQuestions: 'Change the questions',
    removeQuestions: 'Remove the questions',
    answerQuestions: 'Answer your questions',
    question: /^Question$/,
    ownQuestion: 'Write my own',
    ownLabel: 'Your question',
    own: 'What was my first bicycle called',
    answer: 'Answer',
    answers: ['Miss Su', 'Xiaoman', 'Dapple'],
    otherAnswers: ['Mr Bai', 'Daxue', 'Swift'],
    answersWrong: 'The answers are not correct.',
    questionsSaved: 'Your questions were saved',
    questionsRemoved: 'Your questions were removed',
    remove: 'Remove',
    ways: 'Ways to sign in',
    sms: 'Code by short message',
    smsOff: 'Signing in by short message is off',
  },
}
type Texts = (typeof texts)['zh' | 'en']

const first = 'a slow boat up the river 26'
const second = 'paper lanterns over nine bridges'
const overview = '/pagesA/safeSet/safeSet'
async function makeMember(username: string, contacts: { mobile?: string; email?: string } = {}) {
  const facts = ['--name', '许舟', '--name-en', 'Xu Zhou', '--identity', 'S01']
  const { mobile, email } = contacts
  await atrium([
    'user',
    'create',
    username,
    ...facts,
    '--organization',
    'CS',
    ...(mobile ? ['--mobile', mobile] : []),
    ...(email ? ['--email', email] : []),
  ])
  await atrium(['user', 'password', username, '--stdin', '--keep'], first)
}

/** A unique number: a restarted worker creates its own members. */
const numberOf = (language: string, at: number) =>
  `19${language === 'zh' ? 1 : 2}${at}${String(process.pid).padStart(7, '0').slice(-7)}`

async function newToken(request: APIRequestContext, username: string, password = first) {
  const answer = await request.post('/token/password/passwordLogin', {
    data: { username, password },
  })
  return ((await answer.json()) as { data: { idToken?: string } | null }).data?.idToken ?? ''
}
const isAlive = async (request: APIRequestContext, token: string) =>
  (
    await request.get('/personal/api/v1/personal/me/user', { headers: { 'x-id-token': token } })
  ).ok()

async function signIn(page: Page, language: string, username: string) {
  const stored = { language, idToken: await newToken(page.request, username) }
  await page.addInitScript((given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value)
  }, stored)
  await simulateOldSignIn(page)
}

/** Simulates an older sign-in: a new session needs no confirmation for ten minutes. */
async function simulateOldSignIn(page: Page) {
  let confirmed = false
  await page.route('**/token/account/confirm', async (route) => {
    const response = await route.fetch()
    confirmed ||= response.ok()
    await route.fulfill({ response })
  })
  await page.route('**/token/account/security', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: AccountSecurity }
    const { needs } = body.data
    for (const change of securityChanges)
      if (!confirmed) needs[change] = ['confirm', ...needs[change]]
    const confirmedUntil = confirmed ? body.data.confirmedUntil : null
    await route.fulfill({ response, json: { ...body, data: { ...body.data, confirmedUntil } } })
  })
}

/** As an operator of the demo reads it; change notifications go to the same contacts. */
async function codeFor(url: string | undefined, recipient: string) {
  const answer = await fetch(
    `${url}/console-api/v1/outbox?recipient=${encodeURIComponent(recipient)}`,
    { headers: { 'x-id-token': await idToken(url ?? '', 'admin') } },
  )
  const { data } = (await answer.json()) as { data: { list: { body: string }[] } }
  const body = data.list.find((message) => /验证码|code/.test(message.body))?.body
  return /(?<!\d)\d{6}(?!\d)/.exec(body ?? '')?.[0] ?? ''
}
const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function askQuestions(url: string) {
  const answer = await fetch(`${url}/console-api/v1/settings/securityQuestions`, {
    method: 'PUT',
    headers: { 'x-id-token': await idToken(url, 'admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ value: '1' }),
  })
  expect(answer.ok).toBe(true)
}

const onPage = (page: Page, title: string) =>
  expect(page.getByRole('heading', { name: title, level: 1, exact: true })).toBeVisible()
const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function confirm(page: Page, t: Texts, password = first) {
  await onPage(page, t.confirm)
  await field(page, t.password).fill(password)
  await press(page, t.next)
}
/** Requests a code on the open page and enters it. */
async function giveCode(page: Page, t: Texts, url: string | undefined, recipient: string) {
  const sent = page.waitForResponse((answer) => /\/contacts\/\w+\/(new-)?code$/.test(answer.url()))
  await press(page, t.getCode)
  expect((await sent).status()).toBe(200)
  await expect(page.getByRole('button', { name: t.getCode, exact: true })).toHaveCount(0)
  let code = ''
  await expect
    .poll(async () => {
      code = await codeFor(url, recipient)
      return code
    })
    .not.toBe('')
  await field(page, t.code).fill(code)
}
async function fillAnswers(page: Page, t: Texts, answers: string[]) {
  for (const [at, answer] of answers.entries())
    await page.getByRole('textbox', { name: t.answer, exact: true }).nth(at).fill(answer)
}

// Stays on: if tests are repeated, another worker may be using it.
test.beforeAll(() => askQuestions(process.env.ATRIUM_E2E_URL ?? ''))

for (const [name, t] of Object.entries(texts)) {
  const language = name as keyof typeof texts
  const username = `xuzhou${process.pid}${language}`

  test.describe(language, () => {
    test.use({ locale: language === 'zh' ? 'zh-CN' : 'en-US' })

    test('a member changes the password and binds a first number', async ({
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

    test('a member changes number and address with a code to what was there', async ({
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

    test('a member sets, answers, changes and removes security questions', async ({
      page,
      baseURL,
    }) => {
      const own = `${username}c`
      const contacts = { mobile: numberOf(language, 4), email: `${own}@example.edu` }
      await makeMember(own, contacts)
      await signIn(page, language, own)
      await page.goto('/pages/modifyPwd/safeQuestionSet')
      await confirm(page, t)
      await onPage(page, t.proveMobile)
      for (const [address, title] of [
        ['modifyPwd', t.changePassword],
        ['verfityPwd', t.confirm],
        ['newPhone', t.proveMobile],
        ['oldPhone', t.proveMobile],
        ['email', t.proveMobile],
        ['oldEmail', t.proveEmail],
        ['safeQuestionShow', t.questions],
        ['safeQuestionSet', t.proveMobile],
        ['modifyQuestion', t.proveMobile],
        ['oldQuestion', t.proveMobile],
        ['verfityQuestion', t.title],
        ['qPhone', t.proveMobile],
        ['qEmail', t.proveEmail],
      ] as const) {
        await page.goto(`/pages/modifyPwd/${address}`)
        await onPage(page, title)
      }

      await page.goto(overview)
      await row(page, t.questions).click()
      await expect(page.getByText(t.noQuestions)).toBeVisible()
      await row(page, t.setQuestions).click()
      await onPage(page, t.proveMobile)
      await giveCode(page, t, baseURL, contacts.mobile)
      await onPage(page, t.setQuestions)
      await page.getByRole('combobox', { name: t.question }).nth(2).selectOption(t.ownQuestion)
      await field(page, t.ownLabel).fill(t.own)
      await press(page, t.save)
      await expect(field(page, t.answer).first()).toHaveAttribute('aria-invalid', 'true')
      await fillAnswers(page, t, t.answers)
      await press(page, t.save)
      await expect(page.getByText(t.questionsSaved)).toBeVisible()
      await onPage(page, t.questions)
      await expect(page.getByText(t.own)).toBeVisible()

      await press(page, t.changeQuestions)
      await onPage(page, t.answerQuestions)
      const given = page.getByRole('main').getByRole('textbox')
      await expect(given).toHaveCount(3)
      for (const at of [0, 1, 2]) await given.nth(at).fill('nothing')
      await press(page, t.next)
      await expect(page.getByRole('alert')).toContainText(t.answersWrong)
      for (const [at, answer] of t.answers.entries()) await given.nth(at).fill(` ${answer} `)
      await press(page, t.next)
      await onPage(page, t.changeQuestions)
      await fillAnswers(page, t, t.otherAnswers)
      await press(page, t.save)
      await onPage(page, t.questions)

      // With questions set, another change asks for the answers first.
      await press(page, t.back)
      await onPage(page, t.title)
      await row(page, t.password).click()
      await onPage(page, t.answerQuestions)
      for (const [at, answer] of t.otherAnswers.entries()) await given.nth(at).fill(answer)
      await press(page, t.next)
      await onPage(page, t.changePassword)
      await press(page, t.back)
      await row(page, t.questions).click()
      await press(page, t.removeQuestions)
      await page
        .getByRole('dialog', { name: t.removeQuestions })
        .getByRole('button', { name: t.remove, exact: true })
        .click()
      await expect(page.getByText(t.questionsRemoved)).toBeVisible()
      await expect(page.getByText(t.noQuestions)).toBeVisible()

      await press(page, t.back)
      await row(page, t.mobile).click()
      await onPage(page, t.proveMobile)
      await page.getByRole('button', { name: t.byEmail }).click()
      await onPage(page, t.proveEmail)
      await giveCode(page, t, baseURL, contacts.email)
      await onPage(page, t.bindMobile)
      await press(page, t.removeMobile)
      await page
        .getByRole('dialog', { name: t.removeMobile })
        .getByRole('button', { name: t.remove, exact: true })
        .click()
      await expect(page.getByText(t.mobileRemoved)).toBeVisible()
      await onPage(page, t.title)
      await expect(row(page, t.mobile)).toContainText(t.notBound)
    })
  })
}
