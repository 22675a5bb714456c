import type { Entry } from 'ldapts'

/** Values of an entry by attribute name, in lower case because servers differ. */
export type Attributes = ReadonlyMap<string, readonly string[]>

/** Attributes without a text form are stored as hexadecimal digits. */
const binary = ['objectguid', 'objectsid']
export const isBinary = (attribute: string) => binary.includes(attribute.toLowerCase())

export function attributesOf(entry: Entry): Attributes {
  const attributes = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(entry)) {
    const values = (Array.isArray(value) ? value : [value]).map((one) =>
      Buffer.isBuffer(one) ? one.toString(isBinary(name) ? 'hex' : 'utf8') : String(one),
    )
    // A requested attribute that is missing comes as an empty string.
    const present = values.filter((one) => one !== '')
    if (present.length > 0) attributes.set(name.toLowerCase(), present)
  }
  return attributes
}

export const valuesOf = (attributes: Attributes, name: string): readonly string[] =>
  attributes.get(name.toLowerCase()) ?? []

/** Fills a template with the entry's values; a missing attribute becomes empty. */
export const renderTemplate = (template: string, attributes: Attributes): string =>
  template
    .replaceAll(
      /\{([^{}]*)\}/g,
      (_, names: string) =>
        names
          .split('|')
          .map((name) => valuesOf(attributes, name.trim())[0])
          .find((value) => value !== undefined) ?? '',
    )
    .trim()

/**
 * Returns a function that reads an entry's identity type code: the value itself, or its mapped code; undefined if it is
 * not mapped.
 */
export function identityReader({
  identity,
  identities,
}: {
  identity: string
  identities: Record<string, string>
}) {
  const codes = new Map(
    Object.entries(identities).map(([value, code]) => [value.toLowerCase(), code]),
  )
  return (attributes: Attributes): string | undefined => {
    const value = renderTemplate(identity, attributes)
    if (codes.size === 0) return value
    const code = codes.get(value.toLowerCase()) ?? codes.get('*')
    return code ?? (value === '' ? '' : undefined)
  }
}

/** The attributes used in templates. */
export const templateAttributes = (...templates: string[]): string[] => [
  ...new Set(
    templates.flatMap((template) =>
      [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, names = '']) =>
        names.split('|').map((name) => name.trim()),
      ),
    ),
  ),
]

/** Evaluates `attribute=value`, `attribute&bit` or `attribute` (present). An empty rule never matches. */
export function matchesRule(rule: string, attributes: Attributes): boolean {
  const [, name = '', operator, expected = ''] = /^([^=&]*)([=&]?)(.*)$/.exec(rule.trim()) ?? []
  if (name.trim() === '') return false
  const values = valuesOf(attributes, name.trim())
  if (operator === '=')
    return values.some((value) => value.toLowerCase() === expected.trim().toLowerCase())
  if (operator === '&') return values.some((value) => (Number(value) & Number(expected)) !== 0)
  return values.length > 0
}

export const ruleAttributes = (rule: string): string[] => {
  const name = /^[^=&]*/.exec(rule.trim())?.[0].trim()
  return name ? [name] : []
}

/** The ancestors of a distinguished name, nearest first. */
export function ancestorsOf(dn: string): string[] {
  const ancestors: string[] = []
  for (let rest = parentDn(dn); rest !== ''; rest = parentDn(rest)) ancestors.push(rest)
  return ancestors
}

/** The parent DN. An escaped comma is part of a value. */
function parentDn(dn: string): string {
  for (let index = 0; index < dn.length; index++) {
    if (dn[index] === '\\') index++
    else if (dn[index] === ',') return dn.slice(index + 1)
  }
  return ''
}

/** Normalises a DN for comparison: case and spaces around separators are ignored. */
export const normalizeDn = (dn: string) =>
  dn
    .toLowerCase()
    .replaceAll(/\s*(?<!\\)([,=])\s*/g, '$1')
    .trim()
