import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { endpoints } from '@atrium/contract'
import type { Endpoint } from '@atrium/contract/define'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoPassword, type TestApp, testApp } from '../../../test/test-app.ts'

type Operation = {
  security: unknown[]
  responses: Record<string, unknown>
  requestBody?: { content: Record<string, { schema: Schema }> }
  parameters?: { name: string; required: boolean; schema: Schema }[]
}
type Schema = {
  $ref?: string
  default?: unknown
  required?: string[]
  properties?: Record<string, Schema>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let atrium: TestApp
let document: Document
beforeAll(async () => {
  atrium = await testApp()
  document = (await atrium.app.inject('/openapi.json')).json()
})

const all = Object.entries(endpoints).flatMap(([area, table]) =>
  Object.entries(table as Record<string, Endpoint>).map(
    ([name, endpoint]) => [`${area}.${name}`, endpoint] as const,
  ),
)
const operationOf = ({ path: address, method }: Endpoint) =>
  document.paths[address]?.[method.toLowerCase()] as Operation

describe('the OpenAPI document', () => {
  test('does not require request fields that have a default', () => {
    const resolve = (schema: Schema): Schema =>
      schema.$ref
        ? (document.components.schemas[schema.$ref.split('/').at(-1) as string] as Schema)
        : schema
    const seen = new Set<Schema>()
    const wrong: string[] = []
    const look = (where: string, given: Schema) => {
      const schema = resolve(given)
      if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
      seen.add(schema)
      // A property may itself be called `required`.
      for (const name of Array.isArray(schema.required) ? schema.required : [])
        if (schema.properties?.[name]?.default !== undefined) wrong.push(`${where}: ${name}`)
      for (const value of Object.values(schema))
        if (typeof value === 'object' && value) look(where, value as Schema)
    }
    for (const [name, endpoint] of all) {
      const { parameters = [], requestBody } = operationOf(endpoint)
      for (const parameter of parameters)
        if (parameter.required && parameter.schema.default !== undefined)
          wrong.push(`${name}: ${parameter.name}`)
      for (const { schema } of Object.values(requestBody?.content ?? {})) look(name, schema)
    }
    expect(wrong).toEqual([])
  })

  test('declares the token of every operation, and none for public ones', () => {
    for (const [name, endpoint] of all) {
      const { security } = operationOf(endpoint)
      if (endpoint.access === 'public') expect(security, name).toEqual([])
      else expect(security, name).toContainEqual({ idToken: [] })
    }
  })

  test('declares the errors 400, 429, 500 and 503 for every operation', () => {
    for (const [name, endpoint] of all)
      expect(Object.keys(operationOf(endpoint).responses), name).toEqual(
        expect.arrayContaining(['400', '429', '500', '503']),
      )
  })
})

describe('a typed client generated from the OpenAPI document', () => {
  const folder = path.join(import.meta.dirname, '../../../../../examples/typescript-client')
  const bin = (name: string) => path.join(folder, 'node_modules', name)
  const run = async (args: string[], env: Record<string, string> = {}) =>
    (
      await promisify(execFile)(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, ...env },
      })
    ).stdout
  const mistakes = `import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'
const portal = createClient<paths>()
// @ts-expect-error: a wrong type
await portal.POST('/token/password/passwordLogin', { body: { username: 1, password: '' } })
// @ts-expect-error: an unknown address
await portal.GET('/portal-api/v1/nowhere')
`
  beforeAll(() => mkdirSync(path.join(folder, 'dist'), { recursive: true }))
  afterAll(() => rmSync(path.join(folder, 'dist'), { recursive: true, force: true }))

  test('compiles, reports type errors and runs', async () => {
    await atrium.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = atrium.app.server.address() as AddressInfo
    writeFileSync(path.join(folder, 'dist/openapi.json'), JSON.stringify(document))
    await run([bin('openapi-typescript/bin/cli.js'), 'dist/openapi.json', '-o', 'dist/schema.d.ts'])
    // The compiler reports an expected error that does not occur.
    writeFileSync(path.join(folder, 'dist/mistakes.ts'), mistakes)
    await run([bin('typescript/bin/tsc'), '--project', '.'])
    const output = await run(['client.ts', '图书馆'], {
      PORTAL: `http://127.0.0.1:${port}`,
      MEMBER: 'student',
      PASSWORD: demoPassword,
    })
    expect(output).toContain('图书馆')
    expect(output).toMatch(/^\d+ unread$/m)
  })
})
