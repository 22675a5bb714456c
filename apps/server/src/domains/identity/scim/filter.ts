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
const inElement: Attributes = {
  value: { kind: 'text', column: sql`element ->> 'value'` },
  type: { kind: 'text', column: sql`element ->> 'type'` },
  display: { kind: 'text', column: sql`element ->> 'display'` },
  primary: { kind: 'flag', column: sql`coalesce(element ->> 'primary', '') = 'true'` },
}

const longest = 1000
const maxComparisons = 50
const deepest = 20

type Token = { kind: 'open' | 'close' | 'from' | 'to' | 'word' | 'value'; text: string }

export function readFilter(
  text: string,
  { schema, attributes, lists = {} }: Filterable,
): RawBuilder<boolean> {
  const tokens = tokensOf(text)
  const prefix = `${schema}:`.toLowerCase()
  /** attributes of the resource, or of an element inside square brackets */
  let known = attributes
  let at = 0
  let comparisons = 0
  const condition = either(0)
  if (at < tokens.length) throw bad(`“${tokens[at]?.text}” was not expected`)
  return condition

  function either(depth: number): RawBuilder<boolean> {
    if (depth > deepest) throw bad('it is nested too deeply')
    const parts = [both(depth)]
    while (takeWord('or')) parts.push(both(depth))
    return parts.length === 1
      ? (parts[0] as RawBuilder<boolean>)
      : sql`(${sql.join(parts, sql` or `)})`
  }
  function both(depth: number): RawBuilder<boolean> {
    const parts = [single(depth)]
    while (takeWord('and')) parts.push(single(depth))
    return parts.length === 1
      ? (parts[0] as RawBuilder<boolean>)
      : sql`(${sql.join(parts, sql` and `)})`
  }
  function single(depth: number): RawBuilder<boolean> {
    const negated = takeWord('not')
    if (tokens[at]?.kind === 'open') {
      at++
      const inside = either(depth + 1)
      if (tokens[at++]?.kind !== 'close') throw bad('a bracket is not closed')
      return negated ? sql`not coalesce(${inside}, false)` : inside
    }
    if (negated) throw bad('“not” stands before a bracket')
    return comparison()
  }
  function comparison(): RawBuilder<boolean> {
    if (++comparisons > maxComparisons) throw bad(`it compares more than ${maxComparisons} times`)
    const name = tokens[at++]
    if (name?.kind !== 'word') throw bad('a comparison is missing')
    if (tokens[at]?.kind === 'from') return path(plain(name.text))
    const operator = tokens[at++]
    if (operator?.kind !== 'word') throw bad('a comparison is missing')
    const attribute = find(plain(name.text))
    if (!attribute) throw bad(`${name.text} cannot be filtered by`)
    if (operator.text.toLowerCase() === 'pr') return present(attribute)
    const value = tokens[at++]
    if (value?.kind !== 'value') throw bad(`${operator.text} needs a value`)
    return compare(attribute, operator.text.toLowerCase(), JSON.parse(value.text) as unknown)
  }
  /** `emails[type eq "work" and value co "@x"]`: a single element must satisfy the whole condition. */
  function path(name: string): RawBuilder<boolean> {
    at++
    if (known !== attributes) throw bad('square brackets stand in square brackets')
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined
    if (!list) throw bad(`${name}[…] cannot be filtered by`)
    known = inElement
    const inside = either(1)
    known = attributes
    if (tokens[at++]?.kind !== 'to') throw bad('a square bracket is not closed')
    return sql`exists (select from jsonb_array_elements(
      case jsonb_typeof(${list}) when 'array' then ${list} else '[]'::jsonb end) as element where ${inside})`
  }
  /** The lower-case name, without the resource's schema prefix. */
  function plain(name: string): string {
    const small = name.toLowerCase()
    return known === attributes && small.startsWith(prefix) ? small.slice(prefix.length) : small
  }
  function find(name: string): Attribute | undefined {
    return Object.hasOwn(known, name) ? known[name] : undefined
  }
  function takeWord(word: string): boolean {
    const token = tokens[at]
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
    at++
    return true
  }
}

const bad = (why: string) =>
  new ScimError(400, 'invalidFilter', `The filter cannot be read: ${why}.`)

function tokensOf(text: string): Token[] {
  if (text.length > longest) throw bad(`it is longer than ${longest} characters`)
  const tokens: Token[] = []
  const pattern =
    /\s*(?:(?<open>\()|(?<close>\))|(?<from>\[)|(?<to>\])|(?<value>"(?:[^"\\]|\\.)*"|(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w.:$-]))|(?<word>[A-Za-z][\w.:$-]*))\s*/y
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)?.groups
    if (!found) throw bad('it holds something that is none of names, values and brackets')
    const [kind, part] = Object.entries(found).find(([, one]) => one !== undefined) as [
      Token['kind'],
      string,
    ]
    if (kind === 'value' && !isJson(part)) throw bad(`${part} is no value`)
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
  if (attribute.kind === 'has') throw bad('“pr” does not fit this attribute')
  return sql`true`
}

function compare(attribute: Attribute, operator: string, value: unknown): RawBuilder<boolean> {
  if (attribute.kind === 'has') {
    if (operator !== 'eq' || typeof value !== 'string') throw bad('only eq and a text fit here')
    return attribute.has(value.replaceAll('\0', ''))
  }
  if (attribute.kind === 'flag') {
    const flag = typeof value === 'string' ? value.toLowerCase() : String(value)
    if (!/^(eq|ne)$/.test(operator) || !/^(true|false)$/.test(flag))
      throw bad('only eq or ne and true or false fit here')
    return (operator === 'eq') === (flag === 'true')
      ? attribute.column
      : sql`not ${attribute.column}`
  }
  if (typeof value !== 'string') throw bad('a text is needed here')
  if (attribute.kind === 'time') {
    const sign = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' }[operator]
    if (!sign || Number.isNaN(Date.parse(value))) throw bad('a time is needed here')
    return sql`${attribute.column} ${sql.raw(sign)} ${new Date(value).toISOString()}::timestamptz`
  }
  // Replaces NUL, which the database cannot store, by a character that matches nothing.
  const wanted = value.replaceAll('\0', '\uFFFD').toWellFormed()
  const plain = (one: RawBuilder<unknown>) => (attribute.exact ? one : sql`lower(${one})`)
  const column = plain(sql`coalesce(${attribute.column}, '')`)
  const text = plain(sql`${wanted}::text`)
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
      throw bad(`${operator} does not fit this attribute`)
  }
}
