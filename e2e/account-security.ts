import { type AccountSecurity, securityChanges } from '@atrium/contract/identity/account'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { idToken } from './session.ts'

export const texts = {
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
    confirm: 'Confirm it’s you',
    password: 'Password',
    wrong: 'The password is incorrect.',
    next: 'Continue',
    back: 'Back',
    changePassword: 'Change password',
    newPassword: 'New password',
    save: 'Save',
    common: 'Weak: this is a common password',
    strong: 'Strong',
    passwordChanged: 'Your password was changed',
    mobile: 'Mobile number',
    bindMobile: 'Mobile number',
    adviceMobile: 'Link a mobile number to recover a forgotten password',
    newMobile: 'New mobile number',
    mobileBound: 'Your mobile number was linked',
    proveMobile: 'Verify your mobile number',
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
    answerQuestions: 'Security questions',
    question: /^Question$/,
    ownQuestion: 'Write your own question',
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
    sms: 'Text message code',
    smsOff: 'Signing in by text message is turned off',
  },
}
export type Texts = (typeof texts)['zh' | 'en']

const first = 'a slow boat up the river 26'

export async function makeMember(
  username: string,
  contacts: { mobile?: string; email?: string } = {},
) {
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
export const numberOf = (language: string, at: number) =>
  `19${language === 'zh' ? 1 : 2}${at}${String(process.pid).padStart(7, '0').slice(-7)}`

export async function newToken(request: APIRequestContext, username: string, password = first) {
  const answer = await request.post('/token/password/passwordLogin', {
    data: { username, password },
  })
  return ((await answer.json()) as { data: { idToken?: string } | null }).data?.idToken ?? ''
}

export async function signIn(page: Page, language: string, username: string) {
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

/** The newest code sent to a contact, read from the outbox; change notifications go to the same contacts. */
export async function codeFor(url: string | undefined, recipient: string) {
  const answer = await fetch(
    `${url}/console-api/v1/outbox?recipient=${encodeURIComponent(recipient)}`,
    { headers: { 'x-id-token': await idToken(url ?? '', 'admin') } },
  )
  const { data } = (await answer.json()) as { data: { list: { body: string }[] } }
  const body = data.list.find((message) => /验证码|code/.test(message.body))?.body
  return /(?<!\d)\d{6}(?!\d)/.exec(body ?? '')?.[0] ?? ''
}

/** Enables security questions. Stays on: other files and repeated tests may be using it. */
export async function enableQuestions(url: string) {
  const answer = await fetch(`${url}/console-api/v1/settings/securityQuestions`, {
    method: 'PUT',
    headers: { 'x-id-token': await idToken(url, 'admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ value: '1' }),
  })
  expect(answer.ok).toBe(true)
}

export const onPage = (page: Page, title: string) =>
  expect(page.getByRole('heading', { name: title, level: 1, exact: true })).toBeVisible()
export const row = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}`) })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

export async function confirm(page: Page, t: Texts, password = first) {
  await onPage(page, t.confirm)
  await field(page, t.password).fill(password)
  await press(page, t.next)
}

/** Requests a code on the open page and enters it. */
export async function giveCode(page: Page, t: Texts, url: string | undefined, recipient: string) {
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
