import type { Environment } from '#platform/environment.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Sms } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'

type Encode = (text: string) => string
const inJson: Encode = (text) => JSON.stringify(text).slice(1, -1)

/** Fills in `{to}`, `{text}`, `{template}` and the message's values, such as `{code}`, escaped for their context. */
const filled = (template: string, sms: Sms, encode: Encode) =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const own: Record<string, string> = { to: sms.to, text: sms.text, template: sms.template }
    const value = own[name] ?? sms.values[name]
    // Not one of our placeholders, such as a brace of the JSON body.
    return value === undefined ? whole : encode(value)
  })

/** Sends through any gateway that takes a message in one request. The environment describes that request. */
export function smsByHttp(env: Environment) {
  const template = env.ATRIUM_SMS_BODY
  const asJson = /^\s*[[{]/.test(template)
  const [name = '', ...value] = (env.ATRIUM_SMS_HEADER ?? '').split(':')
  return async (sms: Sms) => {
    const answer = await fetchExternal(filled(env.ATRIUM_SMS_URL ?? '', sms, encodeURIComponent), {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      method: template ? 'POST' : 'GET',
      ...(template && { body: filled(template, sms, asJson ? inJson : encodeURIComponent) }),
      headers: {
        ...(template && {
          'content-type': asJson ? 'application/json' : 'application/x-www-form-urlencoded',
        }),
        ...(name && { [name.trim()]: value.join(':').trim() }),
      },
      seconds: 10,
      redirects: 0,
      maxBytes: 100_000,
    })
    const said = answer.bytes.toString('utf8').slice(0, 300)
    if (answer.status === 400 || answer.status === 422)
      throw new Undeliverable(`The gateway refused the message: ${said}`)
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`The gateway answered ${answer.status}: ${said}`)
    if (env.ATRIUM_SMS_OK && !said.includes(env.ATRIUM_SMS_OK))
      throw new Undeliverable(`The gateway refused the message: ${said}`)
  }
}
