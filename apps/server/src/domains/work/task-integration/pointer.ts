/** What a JSON Pointer (RFC 6901) points to; nothing where there is nothing. */
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
 * A value of JSON as text: nothing where there is none, and for an object or a list, which are no text. JSON may hold half a
 * character, which nothing else takes.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const placeholder = /\{(\/[^{}]*)\}/g

/** The pointers that a text holds in braces. */
export const pointersIn = (text: string) =>
  [...text.matchAll(placeholder)].map(([, pointer = '']) => pointer)

/** A text with what its pointers point to; what is missing is empty. */
export const fillIn = (text: string, document: unknown, encode = (value: string) => value) =>
  text.replaceAll(placeholder, (_, pointer: string) =>
    encode(textOf(valueAt(document, pointer)) ?? ''),
  )
