import type { Sms } from './outbox.ts'
import { Undeliverable } from './permanent-delivery-error.ts'

type Template = { id: string; values: string[] }

/**
 * Parses `code=SMS_154950909(code) notice=SMS_2(what,time)`: our template name, the provider's template id, and the
 * order of its values.
 * @throws Error whose message describes the format
 */
export function readSmsTemplates(text: string): Map<string, Template> {
  const templates = text
    .trim()
    .split(/\s+/)
    .map((part) => {
      const [, name = '', id = '', values = ''] =
        /^([\w.-]+)=([\w-]+)\(([\w,]*)\)$/.exec(part) ?? []
      if (!name)
        throw new Error('pairs of our name and the provider’s template, such as code=SMS_1(code)')
      return [name, { id, values: values.split(',').filter(Boolean) }] as const
    })
  return new Map(templates)
}

/** The provider's template for this message: the one for its language, else the general one. @throws Undeliverable */
export function templateOf(templates: Map<string, Template>, { template, values }: Sms) {
  const known = templates.get(template) ?? templates.get(template.replace(/\.\w+$/, ''))
  if (!known)
    throw new Undeliverable(`ATRIUM_SMS_TEMPLATES has no template of the provider for ${template}.`)
  return {
    id: known.id,
    values: known.values.map((name) => [name, values[name] ?? ''] as const),
  }
}
