/** Parses one search field. Gets undefined if the field is missing; throws if the value is unusable. */
export type Parser<T> = (value: string | undefined) => T
export type Parsers = Record<string, Parser<unknown>>

/** The address lacks a field that the page needs. */
export class AddressError extends Error {}

export const text: Parser<string> = (value) => {
  if (!value) throw new AddressError('a field of the address is missing')
  return value
}

/** '1' or 'true'. */
export const flag: Parser<boolean> = (value) => value === '1' || value === 'true'

export const oneOf =
  <const V extends readonly string[]>(...values: V): Parser<V[number] | undefined> =>
  (value) =>
    values.find((known) => known === value)

export const optional =
  <T>(parser: Parser<T>): Parser<T | undefined> =>
  (value) =>
    value === undefined || value === '' ? undefined : parser(value)

export function parseFields<P extends Parsers>(parsers: P, raw: Record<string, string>) {
  const entries = Object.entries(parsers).map(([name, parser]) => [name, parser(raw[name])])
  return Object.fromEntries(entries) as { [name in keyof P]: ReturnType<P[name]> }
}

export const splitSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search))

/** `?a=1&b=2`, or an empty string. Undefined, empty and false fields are omitted; true is written as 1. */
export function joinSearch(fields: Record<string, unknown>) {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  )
  if (entries.length === 0) return ''
  const pairs = entries.map(([name, value]): [string, string] => [
    name,
    value === true ? '1' : String(value),
  ])
  return `?${new URLSearchParams(pairs)}`
}
