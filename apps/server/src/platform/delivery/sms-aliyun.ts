import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Environment } from '#platform/environment.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Sms } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'
import { readSmsTemplates, templateOf } from './sms-templates.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
/** RFC 3986 encoding: also escapes the characters that encodeURIComponent leaves alone. */
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
const queryOf = (fields: Record<string, string>) =>
  Object.keys(fields)
    .sort()
    .map((name) => `${encode(name)}=${encode(fields[name] ?? '')}`)
    .join('&')

/**
 * The query and headers of a signed Alibaba Cloud request: signature V3, ACS3-HMAC-SHA256
 * (help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature). The body is empty.
 */
export function signedForAliyun(request: {
  keyId: string
  keySecret: string
  host: string
  action: string
  version: string
  date: string
  nonce: string
  fields: Record<string, string>
}): { query: string; headers: Record<string, string> } {
  const query = queryOf(request.fields)
  const signed: Record<string, string> = {
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': request.date,
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    'POST',
    '/',
    query,
    ...names.map((name) => `${name}:${signed[name]}`),
    '',
    names.join(';'),
    sha256(''),
  ].join('\n')
  const signature = createHmac('sha256', request.keySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  const authorization = `ACS3-HMAC-SHA256 Credential=${request.keyId},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { query, headers: { ...signed, authorization } }
}

/** Sends through Alibaba Cloud's SendSms (dysmsapi, 2017-05-25). */
export function smsByAliyun(env: Environment) {
  const endpoint = new URL(env.ATRIUM_SMS_URL ?? 'https://dysmsapi.aliyuncs.com')
  const templates = readSmsTemplates(env.ATRIUM_SMS_TEMPLATES ?? '')
  return async (sms: Sms) => {
    const template = templateOf(templates, sms)
    const { query, headers } = signedForAliyun({
      keyId: env.ATRIUM_SMS_KEY_ID ?? '',
      keySecret: env.ATRIUM_SMS_KEY_SECRET ?? '',
      host: endpoint.host,
      action: 'SendSms',
      version: '2017-05-25',
      date: new Date().toISOString().replace(/\.\d+/, ''),
      nonce: randomBytes(16).toString('hex'),
      fields: {
        // International numbers without the plus.
        PhoneNumbers: sms.to.replace(/^\+/, ''),
        SignName: env.ATRIUM_SMS_SIGN ?? '',
        TemplateCode: template.id,
        TemplateParam: JSON.stringify(Object.fromEntries(template.values)),
      },
    })
    const answer = await fetchExternal(`${endpoint.origin}/?${query}`, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: 'POST',
      headers,
      seconds: 10,
      redirects: 0,
      maxBytes: 100_000,
    })
    const { Code: code, Message: message } = readAnswer(answer.bytes)
    if (code === 'OK') return
    const sentence = `Alibaba Cloud answered ${code ?? answer.status}: ${message ?? ''}`
    if (!code || /^(Throttling|isp\.|ServiceUnavailable|InternalError)/.test(code))
      throw new Error(sentence)
    throw new Undeliverable(sentence)
  }
}

function readAnswer(bytes: Buffer): { Code?: string; Message?: string } {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return {}
  }
}
