import { fail, type IssueKind } from './errors.ts'

/** The parts of JSON Schema that say which fields there are. */
type Schema = {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  maxItems?: number
}

/** Longer lists are refused before the validator names every issue in them. */
const maxItems = 10_000

/**
 * The value with the fields that its schema declares, and no others: what a caller adds reaches no code. Maps lose their
 * prototype, so that a key such as `constructor` is one like any other.
 * @param undeclared is told the path of each field left out: `audience.0.colour`
 * @throws request.invalid for a list that is far too long
 */
export function declaredOnly(
  schema: Schema,
  value: unknown,
  undeclared: (path: string) => void = () => {},
  path = '',
): unknown {
  const at = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? maxItems))
      fail('request.invalid', { fields: { [path || 'body']: 'length' } })
    const { items } = schema.items ? schema : (schema.anyOf?.find(({ items }) => items) ?? {})
    return items
      ? value.map((item, index) => declaredOnly(items, item, undeclared, at(index)))
      : value
  }
  if (typeof value !== 'object' || value === null) return value
  const { properties, pattern } = declaredBy(schema)
  // A schema that says nothing about fields takes them all.
  if (!properties && !pattern) return value
  const declared = Object.create(pattern ? null : Object.prototype)
  for (const [key, part] of Object.entries(value)) {
    const of = properties && Object.hasOwn(properties, key) ? properties[key] : pattern
    if (of) declared[key] = declaredOnly(of, part, undeclared, at(key))
    else undeclared(at(key))
  }
  return declared
}

/** Of a union: what any of its members declares. */
function declaredBy({ properties, patternProperties, anyOf = [] }: Schema): {
  properties?: Record<string, Schema> | undefined
  pattern?: Schema | undefined
} {
  const parts = anyOf.map(declaredBy)
  const all = [properties, ...parts.map((part) => part.properties)].filter((one) => one)
  return {
    properties: all.length > 0 ? Object.assign({}, ...all) : undefined,
    pattern:
      Object.values(patternProperties ?? {})[0] ?? parts.find(({ pattern }) => pattern)?.pattern,
  }
}

/** @returns what is declared of the value, and the fields that are not, each by its path */
export function splitDeclared(schema: Schema, value: unknown) {
  const issues: Record<string, IssueKind> = Object.create(null)
  const declared = declaredOnly(schema, value, (path) => {
    if (Object.keys(issues).length < 20) issues[path.slice(0, 200)] = 'undeclared'
  })
  return { declared, issues }
}

/** The declared fields of a query, in the order of their schema: addresses that mean the same are the same. */
export function declaredQuery(schema: Schema | undefined, query: unknown): Record<string, unknown> {
  const given = (query ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(schema?.properties ?? {})
      .filter((name) => Object.hasOwn(given, name))
      .map((name) => [name, given[name]]),
  )
}
