import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { deviceCookies, readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import { describeDevice } from '#domains/identity/browsers/describe-device.ts'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { networkName } from '#domains/identity/browsers/network-name.ts'
import type { Db } from '#platform/database/db.ts'
import { sendMail, sendSms } from '#platform/delivery/outbox.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { hashSecret } from './queries.ts'

const rememberedDays = 400

/**
 * Recognises the device, or stores it and notifies the person of a sign-in from a new device. Nobody is notified of a
 * person's very first device.
 */
export async function recordDevice(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
) {
  const key = markDevice(platform, request, reply)
  const { deviceId } = deviceOf(request)
  // Host apps and mini-programs keep no cookie but send their own device id.
  const keys = [`cookie ${key}`, ...(deviceId ? [`device ${deviceId}`] : [])].map(hashSecret)
  await platform.db.transaction().execute(async (db) => {
    const { isNew, ...person } = await rememberDevice(db, accountId, keys)
    if (isNew) await notifyNewDevice(platform, db, request, person)
  })
}

const deviceKeys = new WeakMap<FastifyRequest, string>()

/** Sets the device cookie and returns the browser's device key. */
export function markDevice(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const key =
    deviceKeys.get(request) ??
    deviceKeyOf(platform, request) ??
    randomBytes(16).toString('base64url')
  deviceKeys.set(request, key)
  for (const cookie of deviceCookies)
    setCookie(platform, reply, cookie, key, rememberedDays * 86_400)
  return key
}

/** The browser's device key; undefined if it has none. */
export function deviceKeyOf(platform: Platform, request: FastifyRequest) {
  const [first] = deviceCookies
  const key = first && readCookie(platform, request, first)
  return key && /^[\w-]{22}$/.test(key) ? key : undefined
}

/**
 * Throttle key for attempts from a browser that the person has signed in with before (a "device cookie" in OWASP's
 * terms): strangers cannot throttle this browser. Undefined for any other browser. Only the cookie counts: it has 128
 * random bits and is stored as a hash per person, so it cannot be guessed or used for somebody else. A host app's
 * device id is not secret. Takes equally long for everybody.
 */
export async function findDeviceThrottleKey(
  platform: Platform,
  request: FastifyRequest,
  person: { username: string } | { id: string | null },
): Promise<string | undefined> {
  const key = hashSecret(`cookie ${deviceKeyOf(platform, request) ?? ''}`)
  const device = await platform.db
    .selectFrom('known_device')
    .select('person_id as personId')
    .where('key_hash', '=', key)
    .where('last_seen_at', '>', sql<string>`now() - make_interval(days => ${rememberedDays})`)
    .where('person_id', '=', (query) =>
      'id' in person
        ? query.val(person.id)
        : query
            .selectFrom('account')
            .select('person_id')
            .where('username', '=', person.username.trim().toLowerCase()),
    )
    .executeTakeFirst()
  return device && `${device.personId}:${key.slice(0, 32)}`
}

type Owner = { email: string; mobile: string; username: string }

/** Of two concurrent sign-ins with the same new device only one sees it as new; the other waits for the row lock. */
async function rememberDevice(db: Db, accountId: string, keys: readonly string[]) {
  const { rows } = await sql<Owner & { isNew: boolean }>`
    with owner as (
      select person.id, email, mobile, username from person join account on account.person_id = person.id
      where account.id = ${accountId}),
    noted as (
      insert into known_device (person_id, key_hash)
      select owner.id, key from owner, unnest(${keys}::text[]) as key order by key
      on conflict (person_id, key_hash) do update set last_seen_at = now()
      returning first_seen_at = now() as added)
    select email, mobile, username, (select bool_and(added) from noted)
      -- As it was before this statement.
      and exists (select 1 from known_device where person_id = owner.id) as "isNew"
    from owner`.execute(db)
  return rows[0] ?? fail('session.required')
}

/**
 * Sends a mail, or a short message if there is no mail address; in both languages, as the person's language is unknown.
 */
async function notifyNewDevice(
  platform: Platform,
  db: Db,
  request: FastifyRequest,
  { email, mobile, username }: Owner,
) {
  const settings = await currentSettings(platform)
  const place = networkName(settings.addressPlaces, request.ip)
  const formatTime = (language: 'zh-CN' | 'en') =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: settings.timeZone,
    }).format(new Date())
  const device = deviceText(request)
  if (email)
    return sendMail(db, {
      to: email,
      subject: `账号 ${username} 在新设备上登录 / New sign-in to ${username}`,
      text: [
        `你的账号 ${username} 于 ${formatTime('zh-CN')} 在一台新设备上登录。`,
        `设备：${device}`,
        `网络地址：${request.ip}${place ? `（${place}）` : ''}`,
        '如果是你本人，无需处理。如果不是，请立即修改密码，并在“我的 > 账号安全 > 登录设备”中退出该设备。',
        '',
        `Your account ${username} was signed in to on a new device on ${formatTime('en')}.`,
        `Device: ${device}`,
        `Network address: ${request.ip}${place ? ` (${place})` : ''}`,
        'If this was you, there is nothing to do. If not, change your password now and sign out that device under Me > Account security > Devices.',
        '',
        platform.origin(),
      ].join('\n'),
    })
  if (mobile)
    return sendSms(db, {
      to: mobile,
      text: `你的账号 ${username} 于 ${formatTime('zh-CN')} 在新设备（${device}）上登录。如非本人操作，请立即修改密码。`,
      template: 'newDevice',
      values: { username, time: formatTime('zh-CN'), device },
    })
}

function deviceText(request: FastifyRequest) {
  const { model, system, program } = describeDevice(deviceOf(request))
  return [model, system, programNames[program] ?? program].filter(Boolean).join(' · ') || '—'
}

const programNames: Record<string, string> = {
  wechat: '微信 WeChat',
  wecom: '企业微信 WeCom',
  dingtalk: '钉钉 DingTalk',
  alipay: '支付宝 Alipay',
  feishu: '飞书 Lark',
  qq: 'QQ',
  superApp: 'App',
}
