import { expect, test } from 'vitest'
import { fieldKindOf } from './form-kinds.ts'

test.each([
  ['text', { type: 'string' }],
  ['textarea', { type: 'string', format: 'textarea' as const }],
  ['date', { type: 'string', format: 'date' as const }],
  ['person', { type: 'string', format: 'person' as const }],
  ['choice', { type: 'string', oneOf: [] }],
  ['number', { type: 'integer' }],
  ['number', { type: 'number' }],
  ['files', { type: 'array', items: { type: 'string' } }],
  ['table', { type: 'array', items: { type: 'object' } }],
])('returns the kind %s for %j', (kind, property) => {
  expect(fieldKindOf(property)).toBe(kind)
})
