/** Resolves a JSON Pointer (RFC 6901); undefined if it points to nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key))
      value = (value as Record<string, unknown>)[key]
    else return undefined
  }
  return value
}

/**
 * A JSON scalar as text; undefined for null, objects and arrays. JSON strings may contain lone surrogates; they are
 * replaced.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const placeholder = /\{(\/[^{}]*)\}/g

/** The pointers in braces in a text. */
export const pointersIn = (text: string) =>
  [...text.matchAll(placeholder)].map(([, pointer = '']) => pointer)

/** Replaces each pointer in a text with its value, or with nothing if missing. */
export const expandPointers = (
  text: string,
  document: unknown,
  encode = (value: string) => value,
) =>
  text.replaceAll(placeholder, (_, pointer: string) =>
    encode(textOf(valueAt(document, pointer)) ?? ''),
  )
