import { createHash, createHmac } from 'node:crypto'
import type { Environment } from '#platform/environment.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Sms } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'
import { readSmsTemplates, templateOf } from './sms-templates.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The headers of a signed Tencent Cloud request: signature v3, TC3-HMAC-SHA256
 * (cloud.tencent.com/document/api/382/52072). The request is a POST of JSON to `/`.
 */
export function signedForTencent(request: {
  keyId: string
  keySecret: string
  host: string
  service: string
  action: string
  version: string
  region: string
  /** seconds since 1970 */
  time: number
  body: string
}): Record<string, string> {
  const day = new Date(request.time * 1000).toISOString().slice(0, 10)
  const type = 'application/json; charset=utf-8'
  const names = 'content-type;host;x-tc-action'
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${type}`,
    `host:${request.host}`,
    `x-tc-action:${request.action.toLowerCase()}`,
    '',
    names,
    sha256(request.body),
  ].join('\n')
  const scope = `${day}/${request.service}/tc3_request`
  const signing = [day, request.service, 'tc3_request'].reduce<string | Buffer>(
    hmac,
    `TC3${request.keySecret}`,
  )
  const signature = hmac(
    signing,
    `TC3-HMAC-SHA256\n${request.time}\n${scope}\n${sha256(canonical)}`,
  ).toString('hex')
  return {
    authorization: `TC3-HMAC-SHA256 Credential=${request.keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    'content-type': type,
    host: request.host,
    'x-tc-action': request.action,
    'x-tc-timestamp': String(request.time),
    'x-tc-version': request.version,
    'x-tc-region': request.region,
  }
}

type Answer = {
  Response?: {
    SendStatusSet?: { Code?: string; Message?: string }[]
    Error?: { Code?: string; Message?: string }
  }
}

/** Sends through Tencent Cloud's SendSms (sms, 2021-01-11). */
export function smsByTencent(env: Environment) {
  const endpoint = new URL(env.ATRIUM_SMS_URL ?? 'https://sms.tencentcloudapi.com')
  const templates = readSmsTemplates(env.ATRIUM_SMS_TEMPLATES ?? '')
  return async (sms: Sms) => {
    const template = templateOf(templates, sms)
    const body = JSON.stringify({
      PhoneNumberSet: [sms.to.startsWith('+') ? sms.to : `+86${sms.to}`],
      SmsSdkAppId: env.ATRIUM_SMS_APP_ID,
      SignName: env.ATRIUM_SMS_SIGN,
      TemplateId: template.id,
      TemplateParamSet: template.values.map(([, value]) => value),
    })
    const answer = await fetchExternal(`${endpoint.origin}/`, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'POST',
      body,
      headers: signedForTencent({
        keyId: env.ATRIUM_SMS_KEY_ID ?? '',
        keySecret: env.ATRIUM_SMS_KEY_SECRET ?? '',
        host: endpoint.host,
        service: 'sms',
        action: 'SendSms',
        version: '2021-01-11',
        region: env.ATRIUM_SMS_REGION,
        time: Math.floor(Date.now() / 1000),
        body,
      }),
      seconds: 10,
      redirects: 0,
      maxBytes: 100_000,
    })
    const { Response: said } = readAnswer(answer.bytes)
    const status = said?.Error ?? said?.SendStatusSet?.[0]
    if (status?.Code === 'Ok') return
    const sentence = `Tencent Cloud answered ${status?.Code ?? answer.status}: ${status?.Message ?? ''}`
    if (
      !status?.Code ||
      /^(InternalError|RequestLimitExceeded|ResourceUnavailable)/.test(status.Code)
    )
      throw new Error(sentence)
    throw new Undeliverable(sentence)
  }
}

function readAnswer(bytes: Buffer): Answer {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return {}
  }
}
