import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/**
 * Parses a JSON column against a schema: adds defaults, drops unknown fields. If the value does not fit, returns the
 * dotted path of the misfit, so that rows written past the API (by a script or an older version) break no response.
 */
export function readStored<S extends TSchema>(
  schema: S,
  stored: unknown,
): { value: Static<S> } | { misfit: string } {
  const value = Value.Clean(schema, Value.Default(schema, Value.Clone(stored)))
  const [issue] = Value.Errors(schema, value)
  if (!issue) return { value: value as Static<S> }
  return { misfit: issue.instancePath.split('/').slice(1).join('.') || 'the whole' }
}
