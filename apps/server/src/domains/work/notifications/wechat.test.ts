import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { identityProviders } from '@atrium/contract/identity/federation'
import { notifications } from '@atrium/contract/work/notifications'
import { sending } from '@atrium/contract/work/sending'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sendByChannel } from '#platform/delivery/outbox.ts'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { Undeliverable } from '#platform/delivery/permanent-delivery-error.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { findProvider } from '../../identity/federation/queries.ts'
import { tryProvider } from '../../identity/identity-providers/try-provider.ts'
import { createWechatSender, dataOf } from './wechat.ts'

const app = { id: 'wx0123456789abcdef', secret: '0123456789abcdef0123456789abcdef' }
const template = 'TEMPLATE_ID_0123456789'
const account = { id: 'wxfedcba9876543210', secret: 'fedcba9876543210fedcba9876543210' }
type Sent = { touser: string; template_id: string; page?: string; url?: string; data: object }
const state = { token: 1, forced: 0, asked: 0, mood: 'well', sent: [] as Sent[] }
/** The same for the official account. */
const official = {
  token: 1,
  forced: 0,
  mood: 'well',
  template: 'OFFICIAL_TEMPLATE_0123',
  sent: [] as Sent[],
}

/** A fake WeChat server: tokens that stay valid until a new one is forced, and subscribe messages. */
const api = http.createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x')
  const respond = (answer: object) => response.end(JSON.stringify(answer))
  let text = ''
  request.on('data', (part) => (text += part))
  request.on('end', () => {
    if (url.pathname === '/sns/oauth2/access_token') {
      const { appid, secret, code, grant_type } = Object.fromEntries(url.searchParams)
      if (appid !== account.id || secret !== account.secret || grant_type !== 'authorization_code')
        return respond({ errcode: 40125, errmsg: 'invalid appsecret' })
      if (code !== 'CODE-OF-ADMIN') return respond({ errcode: 40029, errmsg: 'invalid code' })
      return respond({
        access_token: 'PAGE',
        expires_in: 7200,
        openid: 'pADMIN',
        scope: 'snsapi_base',
      })
    }
    const body = JSON.parse(text)
    if (url.pathname === '/cgi-bin/stable_token' && body.appid === account.id) {
      if (body.secret !== account.secret)
        return respond({ errcode: 40125, errmsg: 'invalid appsecret' })
      if (body.force_refresh) {
        official.forced += 1
        official.token += 1
      }
      return respond({ access_token: `OFFICIAL-${official.token}`, expires_in: 7200 })
    }
    if (url.pathname === '/cgi-bin/message/template/send') {
      if (official.mood === 'over') {
        official.mood = 'well'
        official.token += 1
        return respond({ errcode: 42001, errmsg: 'access_token expired' })
      }
      if (url.searchParams.get('access_token') !== `OFFICIAL-${official.token}`)
        return respond({ errcode: 40001, errmsg: 'invalid credential, access_token is invalid' })
      if (official.mood === 'limit')
        return respond({ errcode: 45009, errmsg: 'reach max api daily quota limit' })
      if (body.template_id !== official.template)
        return respond({ errcode: 40037, errmsg: 'invalid template_id' })
      if (body.touser === 'pLEFT') return respond({ errcode: 43004, errmsg: 'require subscribe' })
      official.sent.push(body)
      return respond({ errcode: 0, errmsg: 'ok', msgid: 200228332 })
    }
    if (url.pathname === '/cgi-bin/stable_token') {
      state.asked += 1
      if (
        body.grant_type !== 'client_credential' ||
        body.appid !== app.id ||
        body.secret !== app.secret
      )
        return respond({ errcode: 40125, errmsg: 'invalid appsecret' })
      if (body.force_refresh) {
        state.forced += 1
        state.token += 1
      }
      return respond({ access_token: `TOKEN-${state.token}`, expires_in: 7200 })
    }
    if (url.pathname !== '/cgi-bin/message/subscribe/send') return response.writeHead(404).end()
    if (url.searchParams.get('access_token') !== `TOKEN-${state.token}`)
      return respond({ errcode: 40001, errmsg: 'invalid credential, access_token is invalid' })
    if (state.mood === 'over') {
      state.mood = 'well'
      state.token += 1
      return respond({ errcode: 42001, errmsg: 'access_token expired' })
    }
    if (state.mood === 'limit')
      return respond({ errcode: 45009, errmsg: 'reach max api daily quota' })
    if (body.touser === 'oREFUSES')
      return respond({ errcode: 43101, errmsg: 'user refuse to accept' })
    if (body.touser === 'oLEFT') return respond({ errcode: 43004, errmsg: 'require subscribe' })
    state.sent.push(body)
    respond({ errcode: 0, errmsg: 'ok' })
  })
})

let shared: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let stop: () => Promise<void>
const ids = new Map<string, string>()
beforeAll(async () => {
  shared = await testApp()
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const { port } = api.address() as AddressInfo
  node = await openNode(shared.url, {
    ATRIUM_PUBLIC_URL: 'https://m.example.edu',
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
  })
  stop = startOutbox(node.platform).stop
  const admin = await shared.as('admin')
  const body = {
    ...{ code: 'weixin', kind: 'wechat-mini', name: '微信', nameEn: 'WeChat', enabled: true },
    settings: { appId: app.id, apiUrl: `http://127.0.0.1:${port}` },
    secret: app.secret,
  }
  const refused = await admin(identityProviders.create, {
    body: { ...body, settings: { ...body.settings, templateFields: 'title' } },
  })
  expect(refused.error).toBe('request.invalid')
  // A secret that cannot be sent in a header is refused when it is saved.
  const unsendable = await admin(identityProviders.create, { body: { ...body, secret: '密钥\n' } })
  expect(unsendable.error).toBe('request.invalid')
  const before = await (await shared.as('student'))(notifications.channels)
  expect(before.data.find(({ channel }) => channel === 'wechat')?.available).toBe(false)
  const created = await admin(identityProviders.create, {
    body: {
      ...body,
      settings: {
        ...body.settings,
        templateId: template,
        templateFields: 'title=thing1,time=time2,app=thing3',
        templatePage: 'pages/web/index?url={url}',
      },
    },
  })
  expect(created.status, created.raw).toBe(200)
  for (const [username, openid] of [
    ['student', 'oSTUDENT'],
    ['teacher', 'oREFUSES'],
    ['staff', 'oLEFT'],
  ])
    await sql`
      insert into federated_identity (provider_id, realm, subject, person_id)
      select provider.id, ${app.id}, ${openid}, account.person_id from identity_provider provider, account
      where provider.kind = 'wechat-mini' and account.username = ${username}`.execute(
      node.platform.db,
    )
  for (const { id, username } of await node.platform.db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', 'in', ['student', 'teacher', 'staff', 'admin'])
    .execute())
    ids.set(username, id)
})
afterAll(async () => {
  await stop()
  await node.app.close()
  await node.platform.close()
  api.close()
})
beforeEach(() => {
  state.sent.length = 0
  official.sent.length = 0
})

const payload = JSON.stringify({
  id: '7',
  title: '本周五下午停水，请提前储水并关好水龙头以免漏水',
  summary: '',
  app: '后勤',
  at: '2026-03-09 14:05',
})
const send = (username: string) =>
  createWechatSender(node.platform)({ to: ids.get(username) ?? '', subject: '', payload })

describe('a message in WeChat', () => {
  test('is sent to the bound account with the fields of the template', async () => {
    await send('student')
    await send('student')
    expect(state.sent[0]).toEqual({
      touser: 'oSTUDENT',
      template_id: template,
      page: 'pages/web/index?url=https%3A%2F%2Fm.example.edu%2FpagesA%2Fmessage%2Fdetail%3Fid%3D7',
      data: {
        thing1: { value: '本周五下午停水，请提前储水并关好水龙头…' },
        time2: { value: '2026-03-09 14:05' },
        thing3: { value: '后勤' },
      },
    })
    // The token is cached.
    expect(state.asked).toBe(1)
  })

  test('is sent after the token expired, and concurrent sends refresh it once', async () => {
    const { forced } = state
    state.token += 1
    await Promise.all([send('student'), send('student'), send('student')])
    expect(state.sent).toHaveLength(3)
    expect(state.forced).toBe(forced + 1)
    state.mood = 'over'
    await send('student')
    expect(state.forced).toBe(forced + 2)
  })

  test('is undeliverable without a subscription or binding, and retryable at a limit', async () => {
    for (const username of ['teacher', 'staff', 'admin'])
      await expect(send(username), username).rejects.toThrow(Undeliverable)
    state.mood = 'limit'
    const limited = await send('student').catch((error: Error) => error)
    state.mood = 'well'
    expect(limited).toBeInstanceOf(Error)
    expect(limited).not.toBeInstanceOf(Undeliverable)
  })

  test('fails in the outbox at once if undeliverable, and is retried after a limit', async () => {
    const { db } = node.platform
    const put = (username: string) =>
      db
        .transaction()
        .execute((db) =>
          sendByChannel(db, 'wechat', { to: ids.get(username) ?? '', subject: 'x', payload }),
        )
    const row = (id: string) =>
      db
        .selectFrom('outbox')
        .select(['tries', 'failed_at', 'sent_at', 'error'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const soon = { timeout: 20_000, interval: 30 }
    const dead = await put('teacher')
    await vi.waitFor(async () => expect((await row(dead)).failed_at).not.toBeNull(), soon)
    expect(await row(dead)).toMatchObject({ tries: 1, sent_at: null })
    state.mood = 'limit'
    const late = await put('student')
    await vi.waitFor(async () => expect((await row(late)).error).toContain('45009'), soon)
    state.mood = 'well'
    expect(await row(late)).toMatchObject({ tries: 1, failed_at: null, sent_at: null })
    await sql`update outbox set due_at = now() where id = ${late}`.execute(db)
    await put('student')
    await vi.waitFor(async () => expect((await row(late)).sent_at).not.toBeNull(), soon)
  })

  test('is available as a channel to senders and in members’ settings', async () => {
    const { data } = await (await shared.as('admin'))(sending.rights)
    expect(data.channels).toContain('wechat')
    const preview = await (await shared.as('admin'))(sending.preview, {
      body: {
        recipients: [{ accountName: 'student' }, { accountName: 'admin' }],
        channels: ['wechat'],
      },
    })
    expect(preview.data.channels).toEqual([{ channel: 'wechat', reached: 1, off: 0, missing: 1 }])
    const own = await (await shared.as('student'))(notifications.channels)
    expect(own.data.find(({ channel }) => channel === 'wechat')).toEqual({
      channel: 'wechat',
      available: true,
      reachable: true,
    })
  })
})

describe('a template message of an official account', () => {
  const code = 'gongzhonghao'
  let providerId = ''
  const bind = (username: string, openid: string) =>
    sql`
      insert into federated_identity (provider_id, realm, subject, person_id)
      select provider.id, ${account.id}, ${openid}, account.person_id from identity_provider provider, account
      where provider.kind = 'wechat-mp' and account.username = ${username}`.execute(
      node.platform.db,
    )
  beforeAll(async () => {
    const { port } = api.address() as AddressInfo
    const created = await (await shared.as('admin'))(identityProviders.create, {
      body: {
        ...{ code, kind: 'wechat-mp', name: '公众号', nameEn: 'Official account', enabled: true },
        settings: {
          appId: account.id,
          apiUrl: `http://127.0.0.1:${port}`,
          templateId: official.template,
          templateFields: 'title=thing1,summary=thing2,time=time3',
        },
        secret: account.secret,
      },
    })
    expect(created.status, created.raw).toBe(200)
    providerId = created.data.id
    await node.platform.topics.flushed()
    await bind('student', 'pSTUDENT')
    await bind('staff', 'pLEFT')
  })

  test('is sent to a follower with a link to the message', async () => {
    await send('student')
    expect(state.sent).toEqual([])
    expect(official.sent).toEqual([
      {
        touser: 'pSTUDENT',
        template_id: official.template,
        url: 'https://m.example.edu/pagesA/message/detail?id=7',
        client_msg_id: '7',
        data: {
          thing1: { value: '本周五下午停水，请提前储水并关好水龙头…' },
          thing2: { value: '本周五下午停水，请提前储水并关好水龙头…' },
          time3: { value: '2026-03-09 14:05' },
        },
      },
    ])
  })

  test('refreshes an expired token once for concurrent sends', async () => {
    const { forced } = official
    official.token += 1
    await Promise.all([send('student'), send('student')])
    expect(official.forced).toBe(forced + 1)
    official.mood = 'over'
    await send('student')
    expect(official.forced).toBe(forced + 2)
    expect(official.sent).toHaveLength(3)
  })

  test('falls back to the mini-program for members who do not follow, else fails', async () => {
    await expect(send('staff')).rejects.toThrow('The member does not follow the WeChat account.')
    await sql`update federated_identity set subject = 'oSTAFF' where subject = 'oLEFT'`.execute(
      node.platform.db,
    )
    await send('staff')
    expect(state.sent.map(({ touser }) => touser)).toEqual(['oSTAFF'])
    await sql`update federated_identity set subject = 'oLEFT' where subject = 'oSTAFF'`.execute(
      node.platform.db,
    )
  })

  test('is retryable at a limit, and fails for a wrong template', async () => {
    official.mood = 'limit'
    const limited = await send('student').catch((error: Error) => error)
    official.mood = 'well'
    expect(limited).toBeInstanceOf(Error)
    expect(limited).not.toBeInstanceOf(Undeliverable)
    expect(state.sent).toEqual([])
    official.template = 'ANOTHER_TEMPLATE_0123'
    await sql`delete from federated_identity where subject = 'oSTUDENT'`.execute(node.platform.db)
    const { db } = node.platform
    const id = await db
      .transaction()
      .execute((db) =>
        sendByChannel(db, 'wechat', { to: ids.get('student') ?? '', subject: 'x', payload }),
      )
    const row = () =>
      db
        .selectFrom('outbox')
        .select(['tries', 'failed_at', 'error'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect((await row()).failed_at).not.toBeNull(), {
      timeout: 20_000,
      interval: 30,
    })
    expect(await row()).toMatchObject({
      tries: 1,
      error: 'WeChat does not know the template: templateId.',
    })
    official.template = 'OFFICIAL_TEMPLATE_0123'
  })

  test('does not hinder signing in with the official account', async () => {
    const begin = await node.app.inject({ url: `/token/federation/begin/${code}` })
    expect(begin.statusCode).toBe(303)
    const at = new URL(String(begin.headers.location))
    expect(`${at.origin}${at.pathname}${at.hash}`).toBe(
      'https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect',
    )
    expect(Object.fromEntries(at.searchParams)).toMatchObject({
      appid: account.id,
      scope: 'snsapi_base',
      response_type: 'code',
      redirect_uri: `https://m.example.edu/token/federation/callback/${code}`,
    })
    const cookies = begin.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const back = (search: string) =>
      node.app.inject({
        url: `/token/federation/callback/${code}?state=${at.searchParams.get('state')}&${search}`,
        headers: { cookie: cookies },
      })
    const shown = await back('code=CODE-OF-ADMIN')
    expect(shown.statusCode).toBe(303)
    expect(shown.headers.location).toContain('nonce=')
    const provider = await findProvider(node.platform.db, providerId)
    expect(provider && (await tryProvider(node.platform, provider))).toMatchObject({ ok: true })
  })

  test('reaches only members bound to the official account or the mini-program', async () => {
    const isReachable = async () => {
      const { data } = await (await shared.as('admin'))(notifications.channels)
      return data.find(({ channel }) => channel === 'wechat')?.reachable
    }
    const unbind = (openid: string) =>
      sql`delete from federated_identity where subject = ${openid}`.execute(node.platform.db)
    await unbind('pADMIN')
    expect(await isReachable()).toBe(false)
    await bind('admin', 'pADMIN')
    expect(await isReachable()).toBe(true)
    await unbind('pADMIN')
    expect(await isReachable()).toBe(false)
  })
})

test('template fields are truncated to the limits of their type', () => {
  const message = { id: '1', title: '长'.repeat(30), summary: 'a\nb', app: '教务处通知', at: '' }
  expect(dataOf('title=name1,app=phrase2,summary=character_string3', message)).toEqual({
    name1: { value: `${'长'.repeat(9)}…` },
    phrase2: { value: '教务处通知' },
    character_string3: { value: 'a b' },
  })
})
