export type FieldKind =
  | 'text'
  | 'textarea'
  | 'number'
  | 'date'
  | 'choice'
  | 'person'
  | 'files'
  | 'table'

/** What JSON Schema says of a field that decides how it is filled in and shown. */
type Property = {
  type: string
  format?: 'date' | 'textarea' | 'person'
  oneOf?: unknown
  items?: { type: string }
}

/** How a field of a form is filled in and shown. */
export function fieldKindOf({ type, format, oneOf, items }: Property): FieldKind {
  if (type === 'array') return items?.type === 'object' ? 'table' : 'files'
  if (type !== 'string') return 'number'
  return oneOf ? 'choice' : (format ?? 'text')
}
