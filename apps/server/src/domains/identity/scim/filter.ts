import { type RawBuilder, sql } from 'kysely'
import { ScimError } from './scim-error.ts'

/**
 * An attribute of a filter (RFC 7644 §3.4.2.2), which becomes an SQL condition. Not parsed by scimmy, which expands
 * and/or into all combinations: each further bracket doubles its time.
 */
export type Attribute =
  | { kind: 'text'; column: RawBuilder<string | null>; exact?: boolean }
  | { kind: 'flag'; column: RawBuilder<boolean> }
  | { kind: 'time'; column: RawBuilder<string> }
  /** condition that an element with this value exists */
  | { kind: 'has'; has: (value: string) => RawBuilder<boolean> }
/** By lower-case name; a sub-attribute of `emails` is `emails.value`. */
export type Attributes = Readonly<Record<string, Attribute>>
/** JSON arrays for value paths, by name; their elements are called `element`. */
export type Lists = Readonly<Record<string, RawBuilder<unknown>>>
export type Filterable = {
  /** of the resource; attribute names may be prefixed with it */
  schema: string
  attributes: Attributes
  lists?: Lists
}

/** Attributes of elements of multi-valued attributes such as `emails`. */
const elementAttributes: Attributes = {
  value: { kind: 'text', column: sql`element ->> 'value'` },
  type: { kind: 'text', column: sql`element ->> 'type'` },
  display: { kind: 'text', column: sql`element ->> 'display'` },
  primary: { kind: 'flag', column: sql`coalesce(element ->> 'primary', '') = 'true'` },
}

const maxLength = 1000
const maxComparisons = 50
const maxDepth = 20

type Token = { kind: 'open' | 'close' | 'from' | 'to' | 'word' | 'value'; text: string }

export function readFilter(
  text: string,
  { schema, attributes, lists = {} }: Filterable,
): RawBuilder<boolean> {
  const tokens = tokensOf(text)
  const prefix = `${schema}:`.toLowerCase()
  /** attributes of the resource, or of an element inside square brackets */
  let scope = attributes
  let index = 0
  let comparisons = 0
  const condition = parseOr(0)
  if (index < tokens.length) throw filterError(`“${tokens[index]?.text}” was not expected`)
  return condition

  function parseOr(depth: number): RawBuilder<boolean> {
    if (depth > maxDepth) throw filterError('it is nested too deeply')
    const parts = [parseAnd(depth)]
    while (acceptWord('or')) parts.push(parseAnd(depth))
    return parts.length === 1
      ? (parts[0] as RawBuilder<boolean>)
      : sql`(${sql.join(parts, sql` or `)})`
  }
  function parseAnd(depth: number): RawBuilder<boolean> {
    const parts = [parseTerm(depth)]
    while (acceptWord('and')) parts.push(parseTerm(depth))
    return parts.length === 1
      ? (parts[0] as RawBuilder<boolean>)
      : sql`(${sql.join(parts, sql` and `)})`
  }
  function parseTerm(depth: number): RawBuilder<boolean> {
    const negated = acceptWord('not')
    if (tokens[index]?.kind === 'open') {
      index++
      const inside = parseOr(depth + 1)
      if (tokens[index++]?.kind !== 'close') throw filterError('a bracket is not closed')
      return negated ? sql`not coalesce(${inside}, false)` : inside
    }
    if (negated) throw filterError('“not” must be followed by a bracket')
    return parseComparison()
  }
  function parseComparison(): RawBuilder<boolean> {
    if (++comparisons > maxComparisons)
      throw filterError(`it has more than ${maxComparisons} comparisons`)
    const name = tokens[index++]
    if (name?.kind !== 'word') throw filterError('a comparison is missing')
    if (tokens[index]?.kind === 'from') return parsePath(normalizeName(name.text))
    const operator = tokens[index++]
    if (operator?.kind !== 'word') throw filterError('a comparison is missing')
    const attribute = findAttribute(normalizeName(name.text))
    if (!attribute) throw filterError(`filtering by ${name.text} is not supported`)
    if (operator.text.toLowerCase() === 'pr') return present(attribute)
    const value = tokens[index++]
    if (value?.kind !== 'value') throw filterError(`${operator.text} needs a value`)
    return compare(attribute, operator.text.toLowerCase(), JSON.parse(value.text) as unknown)
  }
  /** `emails[type eq "work" and value co "@x"]`: a single element must satisfy the whole condition. */
  function parsePath(name: string): RawBuilder<boolean> {
    index++
    if (scope !== attributes) throw filterError('square brackets cannot be nested')
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined
    if (!list) throw filterError(`filtering by ${name}[…] is not supported`)
    scope = elementAttributes
    const inside = parseOr(1)
    scope = attributes
    if (tokens[index++]?.kind !== 'to') throw filterError('a square bracket is not closed')
    return sql`exists (select from jsonb_array_elements(
      case jsonb_typeof(${list}) when 'array' then ${list} else '[]'::jsonb end) as element where ${inside})`
  }
  /** The lower-case name, without the resource's schema prefix. */
  function normalizeName(name: string): string {
    const lower = name.toLowerCase()
    return scope === attributes && lower.startsWith(prefix) ? lower.slice(prefix.length) : lower
  }
  function findAttribute(name: string): Attribute | undefined {
    return Object.hasOwn(scope, name) ? scope[name] : undefined
  }
  function acceptWord(word: string): boolean {
    const token = tokens[index]
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
    index++
    return true
  }
}

const filterError = (reason: string) =>
  new ScimError(400, 'invalidFilter', `The filter cannot be read: ${reason}.`)

function tokensOf(text: string): Token[] {
  if (text.length > maxLength) throw filterError(`it is longer than ${maxLength} characters`)
  const tokens: Token[] = []
  const pattern =
    /\s*(?:(?<open>\()|(?<close>\))|(?<from>\[)|(?<to>\])|(?<value>"(?:[^"\\]|\\.)*"|(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w.:$-]))|(?<word>[A-Za-z][\w.:$-]*))\s*/y
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)?.groups
    if (!match) throw filterError('it contains something other than names, values and brackets')
    const [kind, part] = Object.entries(match).find(([, one]) => one !== undefined) as [
      Token['kind'],
      string,
    ]
    if (kind === 'value' && !isJson(part)) throw filterError(`${part} is not a value`)
    tokens.push({ kind, text: part })
  }
  return tokens
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function present(attribute: Attribute): RawBuilder<boolean> {
  if (attribute.kind === 'text') return sql`coalesce(${attribute.column}, '') <> ''`
  if (attribute.kind === 'has') throw filterError('“pr” cannot be used with this attribute')
  return sql`true`
}

function compare(attribute: Attribute, operator: string, value: unknown): RawBuilder<boolean> {
  if (attribute.kind === 'has') {
    if (operator !== 'eq' || typeof value !== 'string')
      throw filterError('this attribute supports only eq with a text')
    return attribute.has(value.replaceAll('\0', ''))
  }
  if (attribute.kind === 'flag') {
    const flag = typeof value === 'string' ? value.toLowerCase() : String(value)
    if (!/^(eq|ne)$/.test(operator) || !/^(true|false)$/.test(flag))
      throw filterError('this attribute supports only eq or ne with true or false')
    return (operator === 'eq') === (flag === 'true')
      ? attribute.column
      : sql`not ${attribute.column}`
  }
  if (typeof value !== 'string') throw filterError('this attribute needs a text')
  if (attribute.kind === 'time') {
    const sign = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' }[operator]
    if (!sign || Number.isNaN(Date.parse(value))) throw filterError('this attribute needs a time')
    return sql`${attribute.column} ${sql.raw(sign)} ${new Date(value).toISOString()}::timestamptz`
  }
  // Replaces NUL, which the database cannot store, by a character that matches nothing.
  const operand = value.replaceAll('\0', '\uFFFD').toWellFormed()
  const foldCase = (one: RawBuilder<unknown>) => (attribute.exact ? one : sql`lower(${one})`)
  const column = foldCase(sql`coalesce(${attribute.column}, '')`)
  const text = foldCase(sql`${operand}::text`)
  switch (operator) {
    case 'eq':
      return sql`${column} = ${text}`
    case 'ne':
      return sql`${column} <> ${text}`
    case 'co':
      return sql`position(${text} in ${column}) > 0`
    case 'sw':
      return sql`starts_with(${column}, ${text})`
    case 'ew':
      return sql`right(${column}, length(${text})) = ${text}`
    default:
      throw filterError(`${operator} cannot be used with this attribute`)
  }
}
