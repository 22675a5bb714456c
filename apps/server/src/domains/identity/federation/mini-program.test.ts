import { createCipheriv, createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { account } from '@atrium/contract/identity/account'
import { federation, identityProviders } from '@atrium/contract/identity/federation'
import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { settings } from '@atrium/contract/shell/config.operator'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Undeliverable } from '#platform/delivery/permanent-delivery-error.ts'
import { fragmentOf, openBrowser } from '../../../../test/browser.ts'
import {
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { checkWatermark, decrypt, isSigned } from './mini-program.ts'
import { openWecomMessages } from './wecom-message.ts'

describe('WeChat’s test vectors', () => {
  test('signature of rawData', () => {
    const official =
      '{"nickName":"Band","gender":1,"language":"zh_CN","city":"Guangzhou","province":"Guangdong","country":"CN","avatarUrl":"http://wx.qlogo.cn/mmopen/vi_32/1vZvI39NWFQ9XM4LtQpFrQJ1xlgZxx3w7bQxKARol6503Iuswjjn6nIGBiaycAjAtpujxyzYsrztuuICqIM5ibXQ/0"}'
    expect(
      isSigned(official, 'HyVFkGl5F5OQWJZZaNzBBg==', '75e81ceda165f4ffa64f4068af58c64b8f54b88c'),
    ).toBe(true)
    const own =
      '{"nickName":"微信用户","gender":0,"language":"","city":"","province":"","country":"","avatarUrl":"https://example.invalid/0"}'
    const signature = '4a829d12f3e20b36af393104f88085102f97ee04'
    expect(isSigned(own, 'MDEyMzQ1Njc4OWFiY2RlZg==', signature)).toBe(true)
    expect(isSigned(`${own} `, 'MDEyMzQ1Njc4OWFiY2RlZg==', signature)).toBe(false)
    expect(isSigned(own, 'MDEyMzQ1Njc4OWFiY2RlZw==', signature)).toBe(false)
    expect(isSigned(own, 'MDEyMzQ1Njc4OWFiY2RlZg==', '')).toBe(false)
  })

  test('decryption and watermark', () => {
    const data = decrypt(
      '/AcSbUzNsqz9fSLEJFnRVxvWd1ra44m20R672xRnfcl+za4JwOzpCoABBRNdsZDKqAfgEcnQz8dc1MTqBmQ3No63lR3TFNpFL88HcxbkbZ1gDJUXjTQkI7JRD/hrj70I',
      'MDEyMzQ1Njc4OWFiY2RlZg==',
      'ZmVkY2JhOTg3NjU0MzIxMA==',
    )
    expect(data).toEqual({
      openId: 'oTEST',
      watermark: { timestamp: 1767225600, appid: 'wx0123456789abcdef' },
    })
    const issuedAt = 1767225600_000
    checkWatermark(data, 'wx0123456789abcdef', 'oTEST', issuedAt + 300_000)
    expect(() => checkWatermark(data, 'wx0123456789abcde0', 'oTEST', issuedAt)).toThrow(
      'another app',
    )
    expect(() => checkWatermark(data, 'wx0123456789abcdef', 'oOTHER', issuedAt)).toThrow(
      'somebody else',
    )
    expect(() => checkWatermark(data, 'wx0123456789abcdef', 'oTEST', issuedAt + 700_000)).toThrow(
      'expired',
    )
    expect(() => checkWatermark(null, 'wx0123456789abcdef', 'oTEST', issuedAt)).toThrow(
      'another app',
    )
  })

  test.each([
    ['not a whole block', 'AAAA', 'MDEyMzQ1Njc4OWFiY2RlZg==', 'ZmVkY2JhOTg3NjU0MzIxMA=='],
    [
      'wrong padding',
      '/AcSbUzNsqz9fSLEJFnRVw==',
      'MDEyMzQ1Njc4OWFiY2RlZg==',
      'ZmVkY2JhOTg3NjU0MzIxMA==',
    ],
    ['a key that is too short', '/AcSbUzNsqz9fSLEJFnRVw==', 'short', 'ZmVkY2JhOTg3NjU0MzIxMA=='],
    ['no data at all', '', '', ''],
  ])('decryption throws the same error for %s', (_, data, key, iv) => {
    expect(() => decrypt(data, key, iv)).toThrow('the data cannot be decrypted')
  })
})

// ---- against a server that implements WeChat's and WeCom's protocols ----

const app = { id: 'wx0123456789abcdef', secret: '0123456789abcdef0123456789abcdef' }
const corp = { id: 'ww0123456789abcdef', secret: 'corp-secret-corp-secret-corp' }
const sessionKey = Buffer.from('a session key 16').toString('base64')
const origin = 'https://m.example.edu'
const state = {
  openid: 'oSTUDENT0001',
  mood: 'well' as string,
  requests: [] as string[],
  issuedTokens: 0,
  cards: [] as SentCard[],
}
const used = new Set<string>()
const api = http.createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x')
  const fields = url.searchParams
  state.requests.push(url.pathname)
  const say = (answer: object) => response.end(JSON.stringify(answer))
  if (state.mood === 'down') return void response.destroy()
  if (state.mood === 'nonsense') return void response.end('<html>')
  if (state.mood === 'busy') return void say({ errcode: -1, errmsg: 'system error' })
  if (url.pathname === '/sns/jscode2session') {
    if (fields.get('appid') !== app.id || fields.get('secret') !== app.secret)
      return void say({ errcode: 40125, errmsg: 'invalid appsecret' })
    const code = fields.get('js_code') ?? ''
    if (!code.startsWith('CODE') || used.has(code))
      return void say({ errcode: 40029, errmsg: 'invalid code' })
    used.add(code)
    return void say({ openid: state.openid, session_key: sessionKey })
  }
  if (url.pathname === '/cgi-bin/gettoken') {
    if (fields.get('corpid') !== corp.id || fields.get('corpsecret') !== corp.secret)
      return void say({ errcode: 40001, errmsg: 'invalid secret' })
    return void say({ errcode: 0, access_token: `TOKEN-${++state.issuedTokens}`, expires_in: 7200 })
  }
  if (url.pathname === '/cgi-bin/auth/getuserinfo') {
    if (
      fields.get('access_token') !== `TOKEN-${state.issuedTokens}` ||
      state.mood === 'token over'
    ) {
      state.mood = 'well'
      return void say({ errcode: 42001, errmsg: 'access_token expired' })
    }
    if (fields.get('code') === 'OUTSIDER') return void say({ errcode: 0, openid: 'oOUTSIDE' })
    if (fields.get('code') !== 'GOOD') return void say({ errcode: 40029, errmsg: 'invalid code' })
    return void say({ errcode: 0, errmsg: 'ok', userid: 'Teacher' })
  }
  if (url.pathname === '/cgi-bin/message/send') {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      if (fields.get('access_token') !== `TOKEN-${state.issuedTokens}`)
        return void say({ errcode: 42001, errmsg: 'access_token expired' })
      if (state.mood === 'busy there')
        return void say({ errcode: 45009, errmsg: 'api freq out of limit' })
      const body = JSON.parse(text) as SentCard
      if (body.touser !== 'teacher')
        return void say({ errcode: 0, errmsg: 'ok', invaliduser: body.touser })
      state.cards.push(body)
      say({ errcode: 0, errmsg: 'ok', invaliduser: '', msgid: 'x' })
    })
    return
  }
  response.writeHead(404).end()
})
type SentCard = {
  touser: string
  agentid: number
  textcard: { title: string; description: string; url: string }
}

let shared: TestApp
let node: Awaited<ReturnType<typeof openNode>>
beforeAll(async () => {
  shared = await testApp()
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const { port } = api.address() as AddressInfo
  node = await openNode(shared.url, {
    ATRIUM_PUBLIC_URL: origin,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
  })
  const admin = await shared.as('admin')
  const apiUrl = `http://127.0.0.1:${port}`
  for (const body of [
    {
      ...{ code: 'weixin', kind: 'wechat-mini', name: '微信', nameEn: 'WeChat', enabled: true },
      settings: { appId: app.id, apiUrl },
      secret: app.secret,
    },
    {
      ...{ code: 'work', kind: 'wecom', name: '企业微信', nameEn: 'WeCom', enabled: true },
      settings: { corpId: corp.id, agentId: '1000002', apiUrl, matchUsername: true },
      secret: corp.secret,
    },
  ])
    expect((await admin(identityProviders.create, { body })).status).toBe(200)
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  api.close()
})
beforeEach(() => {
  state.mood = 'well'
  state.openid = 'oSTUDENT0001'
  state.requests.length = 0
})

let codes = 0
const freshCode = () => `CODE${++codes}`
const visit = async (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  token = '',
) => {
  const answer = await node.app.inject({
    method,
    url,
    ...(payload && { payload }),
    headers: token ? { 'x-id-token': token } : {},
  })
  return { ...answer.json(), raw: answer.body }
}
const freshNonce = async () =>
  (await visit('GET', federation.miniProgram.path)).data.nonce as string
/** The data a mini-program sends. */
function dataOf(openId = state.openid, appid = app.id, seconds = Math.floor(Date.now() / 1000)) {
  const iv = Buffer.from('an iv of 16 byte')
  const cipher = createCipheriv('aes-128-cbc', Buffer.from(sessionKey, 'base64'), iv)
  const text = JSON.stringify({ openId, watermark: { appid, timestamp: seconds } })
  const rawData = '{"nickName":"微信用户","gender":0}'
  return {
    rawData,
    signature: createHash('sha1')
      .update(rawData + sessionKey)
      .digest('hex'),
    encryptedData: Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64'),
    iv: iv.toString('base64'),
  }
}

test('a nonce of a mini-program is rejected in an ordinary browser', async () => {
  const nonce = await freshNonce()
  await callBack(nonce)
  const ask = async (headers: Record<string, string>) =>
    (await node.app.inject({ url: `${federation.userInfo.path}?nonce=${nonce}`, headers })).json()
  const browser = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1'
  const within = `${browser} MicroMessenger/8.0.76 miniProgram/${app.id}`
  const page = { 'sec-fetch-site': 'same-origin' }
  expect((await ask({ ...page, 'user-agent': browser })).error).toBe('federation.expired')
  const bound = await node.app.inject({
    method: 'POST',
    url: federation.bind.path,
    payload: { nonce, username: 'staff', password: demoPassword },
    headers: { ...page, 'user-agent': `${browser} MicroMessenger/8.0.76` },
  })
  expect(bound.json().error).toBe('federation.expired')
  expect((await ask({ ...page, 'user-agent': within })).data.provider).toBe('weixin')
  expect((await ask({})).data.provider).toBe('weixin')
})

const callBack = (nonce: string, more: object = dataOf()) =>
  visit('POST', `${federation.miniProgramCallback.path}?nonce=${nonce}`, {
    code: freshCode(),
    ...more,
  })
const bind = (nonce: string, payload: object) =>
  visit('POST', federation.bind.path, { nonce, ...payload })
const loginBy = (nonce: string, payload: object = {}) =>
  visit('POST', federation.login.path, { nonce, ...payload })
const me = (token: string) => visit('GET', personal.me.path, undefined, token)
const ofStudent = { username: 'student', password: demoPassword }

describe('a mini-program', () => {
  test('binds once with a password, then signs in; the session key is never exposed', async () => {
    const nonce = await freshNonce()
    const shown = await callBack(nonce)
    expect(shown.data).toMatchObject({ nonce, provider: 'weixin', bound: false, display: '' })
    expect(shown.raw).not.toContain(sessionKey)
    expect((await loginBy(nonce)).error).toBe('federation.not_bound')
    expect((await bind(nonce, { username: 'student', password: 'wrong' })).error).toBe(
      'login.refused',
    )
    const bound = await bind(nonce, ofStudent)
    expect((await me(idTokenOf(bound.data))).data.accountName).toBe('student')

    const secondNonce = await freshNonce()
    const second = await callBack(secondNonce)
    expect(second.data).toMatchObject({ bound: true })
    const [{ accountId }] = second.data.accounts
    expect((await loginBy(secondNonce, { accountId: '999999999' })).error).toBe(
      'login.account_not_found',
    )
    expect((await loginBy(secondNonce, { accountId })).data.username).toBe('student')
    expect((await loginBy(secondNonce)).error).toBe('federation.expired')
    const stored = await sql`select * from federated_login`.execute(shared.platform.db)
    expect(JSON.stringify(stored.rows)).not.toContain(sessionKey)
  })

  test('accepts all fields in the query, as older callers send them', async () => {
    const nonce = await freshNonce()
    const query = new URLSearchParams({ nonce, code: freshCode() })
    expect(
      (await visit('POST', `${federation.miniProgramCallback.path}?${query}`)).data.bound,
    ).toBe(true)
    const signedIn = await visit('POST', `${federation.login.path}?nonce=${nonce}&accountId=`)
    expect(signedIn.data.username).toBe('student')
  })

  test.each<[string, () => object]>([
    ['a wrong signature', () => ({ ...dataOf(), signature: '0'.repeat(40) })],
    ['modified rawData', () => ({ ...dataOf(), rawData: '{}' })],
    ['rawData without a signature', () => ({ rawData: '{}' })],
    ['data that cannot be decrypted', () => ({ ...dataOf(), iv: 'AAAA' })],
    ['data of another app', () => dataOf(state.openid, 'wx0000000000000000')],
    ['data of another user', () => dataOf('oTEACHER')],
    [
      'data from an hour ago',
      () => dataOf(state.openid, app.id, Math.floor(Date.now() / 1000) - 3600),
    ],
    ['an invalid code', () => ({ code: 'x' })],
  ])('is rejected with %s', async (_, more) => {
    expect((await callBack(await freshNonce(), more())).error).toBe('federation.refused')
  })

  test('a nonce is signed, expires and works once', async () => {
    const nonce = await freshNonce()
    expect((await callBack(nonce)).data.bound).toBe(true)
    expect((await callBack(nonce)).error).toBe('federation.expired')
    expect((await callBack(`${nonce}x`)).error).toBe('federation.expired')
    const [code, , random, signature] = (await freshNonce()).split('.')
    expect((await callBack(`${code}.${Date.now() - 1}.${random}.${signature}`)).error).toBe(
      'federation.expired',
    )
    expect((await visit('GET', federation.userInfo.path)).error).toBe('federation.expired')
    const [, answer] = await Promise.all([loginBy(nonce), loginBy(nonce)])
    const third = await loginBy(nonce)
    expect([answer.error, third.error]).toContain('federation.expired')
  })

  test.each(['down', 'nonsense', 'busy'])(
    'reports WeChat as unavailable when it is %s',
    async (mood) => {
      state.mood = mood
      const answer = await callBack(await freshNonce())
      expect([answer.code, answer.error]).toEqual([502, 'federation.unavailable'])
      expect(answer.raw).not.toContain(app.secret)
    },
  )

  test('binds only after all other sign-in steps are completed', async () => {
    state.openid = 'oADMIN00001'
    const admin = await shared.as('admin')
    await admin(settings.update, {
      params: { key: 'agreementVersion' },
      body: { value: '2026-11' },
    })
    await node.platform.topics.flushed()
    const nonce = await freshNonce()
    await callBack(nonce)
    const due = await bind(nonce, { username: 'admin', password: demoPassword })
    expect(due.data.due).toBe('agreement')
    const bound = () =>
      shared.platform.db
        .selectFrom('federated_identity')
        .select('id')
        .where('subject', '=', 'oADMIN00001')
        .execute()
    expect(await bound()).toEqual([])
    const done = await visit('POST', '/token/login/agreement', {
      state: due.data.state,
      version: '2026-11',
    })
    expect(done.data.username).toBe('admin')
    expect(await bound()).toHaveLength(1)
    await admin(settings.update, { params: { key: 'agreementVersion' }, body: { value: '' } })
    await node.platform.topics.flushed()
  })

  test('a member lists and removes a binding after confirmation; others cannot', async () => {
    const nonce = await freshNonce()
    await callBack(nonce)
    const bySession = idTokenOf((await loginBy(nonce)).data)
    const signedIn = await visit('POST', identity.passwordLogin.path, ofStudent)
    const token = idTokenOf(signedIn.data)
    const listed = await visit('GET', federation.identities.path, undefined, token)
    expect(listed.data).toMatchObject([
      { kind: 'wechat-mini', providerName: '微信', enabled: true },
    ])
    const path = federation.unbind.path.replace('{id}', listed.data[0].id)
    const others = await visit('POST', identity.passwordLogin.path, {
      username: 'staff',
      password: demoPassword,
    })
    expect((await visit('DELETE', path, undefined, idTokenOf(others.data))).error).toBe(
      'federation.identity_not_found',
    )
    await sql`update session set confirmed_at = now() - interval '11 minutes'`.execute(
      shared.platform.db,
    )
    expect((await visit('DELETE', path, undefined, token)).error).toBe('session.confirmation_due')
    await visit('POST', account.confirm.path, { password: demoPassword }, token)
    expect((await visit('DELETE', path, undefined, token)).data).toEqual([])
    expect((await me(bySession)).error).toBe('session.expired')
    expect((await me(token)).data.accountName).toBe('student')
    const after = await freshNonce()
    expect((await callBack(after)).data.bound).toBe(false)
  })

  test('the last sign-in method cannot be removed, even concurrently', async () => {
    const nonce = await freshNonce()
    await callBack(nonce)
    const token = idTokenOf((await bind(nonce, ofStudent)).data)
    const students = sql`(select person_id from account where username = 'student')`
    const stored = await sql<{ hash: string }>`
      select password_hash as hash from person where id = ${students}`.execute(shared.platform.db)
    await sql`update person set password_hash = null where id = ${students}`.execute(
      shared.platform.db,
    )
    const [one] = (await visit('GET', federation.identities.path, undefined, token)).data
    const answer = await visit(
      'DELETE',
      federation.unbind.path.replace('{id}', one.id),
      undefined,
      token,
    )
    expect(answer.error).toBe('federation.last_way')
    // Concurrent removals are serialised, so the second one is refused.
    for (let round = 0; round < 4; round++) {
      await sql`
        insert into federated_identity (provider_id, realm, subject, display, person_id)
        select provider_id, realm, ${`oTWIN${round}`}, '', person_id from federated_identity where id = ${one.id}`.execute(
        shared.platform.db,
      )
      const both = (await visit('GET', federation.identities.path, undefined, token)).data
      await Promise.all(
        both.map(({ id }: { id: string }) =>
          visit('DELETE', federation.unbind.path.replace('{id}', id), undefined, token),
        ),
      )
      const [left, ...more] = (await visit('GET', federation.identities.path, undefined, token))
        .data
      expect(left).toBeDefined()
      expect(more).toEqual([])
      one.id = left.id
    }
    await sql`update person set password_hash = ${stored.rows[0]?.hash} where id = ${students}`.execute(
      shared.platform.db,
    )
  })

  test('the last external login can be removed if a directory or SMS sign-in remains', async () => {
    const { db } = shared.platform
    const admin = await shared.as('admin')
    const switchSms = async (value: '0' | '1') => {
      await admin(settings.update, { params: { key: 'smsLogin' }, body: { value } })
      await node.platform.topics.flushed()
    }
    const token = idTokenOf((await visit('POST', identity.passwordLogin.path, ofStudent)).data)
    const { rows } = await sql<{ id: string; hash: string; mobile: string; verified: string }>`
      select person.id, password_hash as hash, mobile, mobile_verified_at as verified from person
      join account on account.person_id = person.id and username = 'student'`.execute(db)
    const [person] = rows
    if (!person) throw new Error('there is no student')
    const setPerson = (columns: object) =>
      db.updateTable('person').set(columns).where('id', '=', person.id).execute()
    await setPerson({ password_hash: null, mobile: '13811112222', mobile_verified_at: null })
    const unbind = async () => {
      await sql`delete from federated_identity where person_id = ${person.id}`.execute(db)
      await sql`insert into federated_identity (provider_id, realm, subject, display, person_id)
        select id, 'r', 'oLAST', '', ${person.id} from identity_provider where code = 'weixin'`.execute(
        db,
      )
      const [one] = (await visit('GET', federation.identities.path, undefined, token)).data
      return visit('DELETE', federation.unbind.path.replace('{id}', one.id), undefined, token)
    }
    expect((await unbind()).error, 'unverified number').toBe('federation.last_way')
    await setPerson({ mobile_verified_at: new Date().toISOString() })
    expect((await unbind()).data, 'verified number').toEqual([])
    await setPerson({ sms_login: false })
    expect((await unbind()).error, 'declined by the member').toBe('federation.last_way')
    await setPerson({ sms_login: true })
    await switchSms('0')
    expect((await unbind()).error, 'switched off').toBe('federation.last_way')
    await sql`
      with added as (insert into directory (code, settings) values ('ways', '{"passwords": true}') returning id)
      insert into directory_entry (directory_id, external_key, account_id)
      select added.id, 'x', account.id from added, account where username = 'student'`.execute(db)
    expect((await unbind()).data, 'directory').toEqual([])
    await sql`update directory set settings = '{"passwords": false}' where code = 'ways'`.execute(
      db,
    )
    expect((await unbind()).error, 'directory without passwords').toBe('federation.last_way')
    await sql`delete from directory where code = 'ways'`.execute(db)
    await sql`delete from federated_identity where person_id = ${person.id}`.execute(db)
    await switchSms('1')
    await setPerson({
      password_hash: person.hash,
      mobile: person.mobile,
      mobile_verified_at: person.verified,
    })
  })
})

describe('WeCom', () => {
  const browser = () => openBrowser(node.app, origin)
  type Browser = ReturnType<typeof browser>
  const beginLogin = async (client: Browser) =>
    new URL(String((await client.visit('/token/federation/begin/work')).headers.location))
  const finishLogin = async (client: Browser, code: string, given?: string) => {
    const start = await beginLogin(client)
    const search = new URLSearchParams({
      code,
      state: given ?? start.searchParams.get('state') ?? '',
    })
    return fragmentOf(
      (await client.visit(`/token/federation/callback/work?${search}`)).headers.location,
    )
  }

  test('sends the documented authorization request and signs the member in', async () => {
    const client = browser()
    const authorization = await beginLogin(client)
    expect(authorization.origin + authorization.pathname).toBe(
      'https://open.weixin.qq.com/connect/oauth2/authorize',
    )
    expect(authorization.hash).toBe('#wechat_redirect')
    expect(Object.fromEntries(authorization.searchParams)).toEqual({
      appid: corp.id,
      redirect_uri: `${origin}/token/federation/callback/work`,
      response_type: 'code',
      scope: 'snsapi_base',
      state: expect.stringMatching(/^[a-zA-Z0-9]{32,128}$/),
      agentid: '1000002',
    })
    const { nonce } = await finishLogin(client, 'GOOD')
    const answer = await client.visit(federation.login.path, { method: 'POST', payload: { nonce } })
    expect(answer.json().data.username).toBe('teacher')
    const [entry] = await shared.platform.db
      .selectFrom('authentication_log')
      .select('way')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(entry?.way).toBe('wecom')
  })

  test('shares one encrypted access token, and renews it when it expires early', async () => {
    await shared.platform.db.deleteFrom('wechat_credential').execute()
    const before = state.issuedTokens
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => finishLogin(browser(), 'GOOD')),
    )
    expect(answers.every(({ nonce }) => nonce)).toBe(true)
    expect(state.issuedTokens).toBe(before + 1)
    const stored = await shared.platform.db.selectFrom('wechat_credential').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('TOKEN-')
    state.mood = 'token over'
    expect(await finishLogin(browser(), 'GOOD')).toHaveProperty('nonce')
    expect(state.issuedTokens).toBe(before + 2)
  })

  test.each([
    ['an invalid code', 'BAD', 'federation.refused'],
    ['a user outside the corporation', 'OUTSIDER', 'federation.refused'],
    ['a code with an injected parameter', 'GOOD&debug=1', 'federation.refused'],
  ])('rejects %s', async (_, code, problem) => {
    expect((await finishLogin(browser(), code)).problem).toBe(problem)
  })

  test('reports another state as expired and an unreachable server as unavailable', async () => {
    expect((await finishLogin(browser(), 'GOOD', 'another')).problem).toBe('federation.expired')
    state.mood = 'down'
    expect((await finishLogin(browser(), 'GOOD')).problem).toBe('federation.unavailable')
  })
})

describe('a WeCom message', () => {
  const card = { title: '标题', description: '摘要', url: `${origin}/pagesA/message/detail?id=1` }
  const send = async (username: string, payload: object = card) => {
    const { id } = await node.platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    return openWecomMessages(node.platform)({
      to: id,
      subject: '',
      payload: JSON.stringify(payload),
    })
  }
  const bind = async (username: string, subject: string) =>
    node.platform.db
      .insertInto('federated_identity')
      .columns(['provider_id', 'realm', 'subject', 'person_id'])
      .expression((from) =>
        from
          .selectFrom('account')
          .innerJoin('identity_provider as provider', (join) =>
            join.on('provider.kind', '=', 'wecom'),
          )
          .select((one) => [
            'provider.id',
            one.val(corp.id).as('realm'),
            one.val(subject).as('subject'),
            'account.person_id',
          ])
          .where('username', '=', username),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()

  test('reaches a bound member, also when the access token expired early', async () => {
    await bind('teacher', 'teacher')
    state.cards.length = 0
    await send('teacher')
    state.issuedTokens += 1
    await send('teacher', { ...card, title: '长'.repeat(100) })
    expect(state.cards).toMatchObject([
      { touser: 'teacher', agentid: 1_000_002, textcard: card },
      { textcard: { title: `${'长'.repeat(41)}…` } },
    ])
  })

  test('is undeliverable without a recipient, and retried when WeCom is busy', async () => {
    await expect(send('admin')).rejects.toThrow(Undeliverable)
    await bind('staff', 'unknown-there')
    await expect(send('staff')).rejects.toThrow(Undeliverable)
    state.mood = 'busy there'
    const busy = await send('teacher').catch((error: Error) => error)
    state.mood = 'well'
    expect(busy).toBeInstanceOf(Error)
    expect(busy).not.toBeInstanceOf(Undeliverable)
  })
})
