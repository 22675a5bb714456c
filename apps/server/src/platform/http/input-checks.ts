import { createRequire } from 'node:module'

type Check = { (data: unknown): unknown; errors?: unknown }
type Compile = (route: { schema: object }) => Check
type Build = (schemas: object, options: object) => Compile

// The compiler that Fastify brings and would take by itself; one for the process, which knows what it has compiled.
const fastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
/** Compiles at once. */
export const buildChecks = (fastify('@fastify/ajv-compiler') as () => Build)()

/** Compiles what a call is held to with its first request: all calls together take longer than the rest of a start. */
export const buildLateChecks: Build = (schemas, options) => {
  const compile = buildChecks(schemas, options)
  return (route) => {
    let check: Check | undefined
    const late: Check = (data) => {
      check ??= compile(route)
      const right = check(data)
      late.errors = check.errors
      return right
    }
    return late
  }
}
