export type FieldKind =
  | 'text'
  | 'textarea'
  | 'number'
  | 'date'
  | 'choice'
  | 'person'
  | 'files'
  | 'table'

/** The parts of a JSON Schema property that decide how a field is edited and shown. */
type Property = {
  type: string
  format?: 'date' | 'textarea' | 'person'
  oneOf?: unknown
  items?: { type: string }
}

/** How a field of a form is edited and shown. */
export function fieldKindOf({ type, format, oneOf, items }: Property): FieldKind {
  if (type === 'array') return items?.type === 'object' ? 'table' : 'files'
  if (type !== 'string') return 'number'
  return oneOf ? 'choice' : (format ?? 'text')
}
