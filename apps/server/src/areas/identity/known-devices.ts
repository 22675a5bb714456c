import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { currentSettings } from '#areas/config/queries.ts'
import type { Db } from '#platform/db.ts'
import { sendMail, sendSms } from '#platform/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { placeOf } from './address-place.ts'
import { deviceCookies, readCookie, setCookie } from './cookies.ts'
import { describeDevice } from './describe-device.ts'
import { deviceOf } from './device.ts'
import { hashSecret } from './queries.ts'

const rememberedDays = 400

/**
 * Knows the device again, or remembers it and tells the person that somebody has signed in with a new one. The very first
 * device of a person is news to nobody.
 */
export async function noteDevice(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: string,
) {
  const [first] = deviceCookies
  const kept = first && readCookie(platform, request, first)
  const key = kept && /^[\w-]{22}$/.test(kept) ? kept : randomBytes(16).toString('base64url')
  for (const cookie of deviceCookies)
    setCookie(platform, reply, cookie, key, rememberedDays * 86_400)
  const { deviceId } = deviceOf(request)
  // A host app or a mini-program keeps no cookie, but sends its own mark.
  const keys = [`cookie ${key}`, ...(deviceId ? [`device ${deviceId}`] : [])].map(hashSecret)
  await platform.db.transaction().execute(async (db) => {
    const person = await db
      .selectFrom('person')
      .innerJoin('account', 'account.person_id', 'person.id')
      .select(['person.id', 'person.email', 'person.mobile', 'account.username'])
      .where('account.id', '=', accountId)
      // Two sign-ins at once with the same new device are told about once.
      .forNoKeyUpdate('person')
      .executeTakeFirstOrThrow()
    const known = await db
      .selectFrom('known_device')
      .select('key_hash')
      .where('person_id', '=', person.id)
      .execute()
    await db
      .insertInto('known_device')
      .values(keys.map((key_hash) => ({ person_id: person.id, key_hash })))
      .onConflict((conflict) =>
        conflict.columns(['person_id', 'key_hash']).doUpdateSet({ last_seen_at: sql`now()` }),
      )
      .execute()
    const isNew = known.length > 0 && !known.some(({ key_hash }) => keys.includes(key_hash))
    if (isNew) await tell(platform, db, request, person)
  })
}

/** By mail, or by short message where there is no mail; in both languages, because nobody is there to ask which. */
async function tell(
  platform: Platform,
  db: Db,
  request: FastifyRequest,
  { email, mobile, username }: { email: string; mobile: string; username: string },
) {
  const settings = await currentSettings(platform)
  const place = placeOf(settings.addressPlaces, request.ip)
  const at = (language: 'zh-CN' | 'en') =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: settings.timeZone,
    }).format(new Date())
  const device = words(request)
  if (email)
    return sendMail(db, {
      to: email,
      subject: `帐号 ${username} 在新设备上登录 / New sign-in to ${username}`,
      text: [
        `你的帐号 ${username} 于 ${at('zh-CN')} 在一台新设备上登录。`,
        `设备：${device}`,
        `网络地址：${request.ip}${place ? `（${place}）` : ''}`,
        '如果是你本人，无需处理。如果不是，请立即修改密码，并在“我的 > 账号安全 > 登录设备”中退出该设备。',
        '',
        `Your account ${username} was signed in to on a new device on ${at('en')}.`,
        `Device: ${device}`,
        `Network address: ${request.ip}${place ? ` (${place})` : ''}`,
        'If this was you, there is nothing to do. If not, change your password now and sign that device out under Me > Account security > Devices.',
        '',
        platform.origin(),
      ].join('\n'),
    })
  if (mobile)
    return sendSms(db, {
      to: mobile,
      text: `你的帐号 ${username} 于 ${at('zh-CN')} 在新设备（${device}）上登录。如非本人操作，请立即修改密码。`,
      template: 'newDevice',
      values: { username, time: at('zh-CN'), device },
    })
}

function words(request: FastifyRequest) {
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
