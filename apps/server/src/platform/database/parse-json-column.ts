import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'

/**
 * What the database holds as JSON, when it has this shape: missing fields that have a default get it, unknown ones go. Else
 * where it does not fit, as a path with dots. Whoever writes past the API (a script, an older version) breaks no answer.
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
