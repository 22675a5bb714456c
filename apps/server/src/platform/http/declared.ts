import { fail, type IssueKind } from './errors.ts'

/** The parts of JSON Schema that declare fields. */
type Schema = {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  maxItems?: number
}

/** Longer lists are refused before the validator lists an issue for every item. */
const maxItems = 10_000

/**
 * A copy of the value with only the fields its schema declares, so that extra fields reach no code. Maps have no
 * prototype, so that a key such as `constructor` is an ordinary key.
 * @param undeclared called with the path of each dropped field: `audience.0.colour`
 * @throws request.invalid if a list is too long
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
  // A schema without declared fields accepts any.
  if (!properties && !pattern) return value
  const declared = Object.create(pattern ? null : Object.prototype)
  for (const [key, part] of Object.entries(value)) {
    const of = properties && Object.hasOwn(properties, key) ? properties[key] : pattern
    if (of) declared[key] = declaredOnly(of, part, undeclared, at(key))
    else undeclared(at(key))
  }
  return declared
}

/** For a union: the fields declared by any of its members. */
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

/** @returns the declared fields, and an issue for each undeclared one, by path */
export function splitDeclared(schema: Schema, value: unknown) {
  const issues: Record<string, IssueKind> = Object.create(null)
  const declared = declaredOnly(schema, value, (path) => {
    if (Object.keys(issues).length < 20) issues[path.slice(0, 200)] = 'undeclared'
  })
  return { declared, issues }
}

/** The declared query fields in schema order, so that equivalent addresses share a cache key. */
export function declaredQuery(schema: Schema | undefined, query: unknown): Record<string, unknown> {
  const given = (query ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.keys(schema?.properties ?? {})
      .filter((name) => Object.hasOwn(given, name))
      .map((name) => [name, given[name]]),
  )
}
