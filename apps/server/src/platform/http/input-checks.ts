import { createRequire } from 'node:module'

type Check = { (data: unknown): unknown; errors?: unknown }
type Compile = (route: { schema: object }) => Check
type Build = (schemas: object, options: object) => Compile

// Fastify's default schema compiler, shared by the process so that compiled schemas are reused.
const fastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
/** Compiles each schema when its route is registered. */
export const buildChecks = (fastify('@fastify/ajv-compiler') as () => Build)()

/** Compiles an endpoint's schema on its first request: compiling all takes longer than the rest of the start. */
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
