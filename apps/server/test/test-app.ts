import { randomBytes } from 'node:crypto'
import type { Endpoint, Reply } from '@atrium/contract/define'
import type { ErrorCode } from '@atrium/contract/errors'
import { identity, type SignIn } from '@atrium/contract/identity/identity'
import type { FastifyInstance } from 'fastify'
import { type Logger, pino } from 'pino'
import { inject } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { declaredOnly } from '#platform/http/declared.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Host } from '#platform/http/serve.ts'
import { openPlatform, type Platform } from '#platform/platform.ts'
import { buildApp } from '../src/app.ts'
import { createDatabase, dropDatabase } from '../src/database.ts'
import { testSecret } from './setup.ts'

/** A response: `data` of the envelope on success, otherwise `error`; `raw` is the whole body. */
export type Answer<E extends Endpoint> = {
  status: number
  data: Reply<E>
  error: ErrorCode | undefined
  fields: Record<string, string> | undefined
  headers: Record<string, unknown>
  raw: string
}
/** Input is not typed by the contract, because tests also send invalid values. */
export type Caller = <E extends Endpoint>(
  endpoint: E,
  input?: { params?: object; query?: object; body?: object },
) => Promise<Answer<E>>

/** The token of a sign-in without further steps. */
export function idTokenOf(answer: SignIn | { nonce: string }) {
  if ('nonce' in answer) throw new Error('an outside login is not bound')
  if ('due' in answer) throw new Error(`${answer.due} is due`)
  return answer.idToken
}

export type TestApp = {
  app: FastifyInstance
  platform: Platform
  /** this file's own database */
  url: string
  /** calls as a demo account, signed in by password */
  as: (username: 'student' | 'teacher' | 'staff' | 'admin') => Promise<Caller>
  /** calls with a token, or without one */
  withToken: (token: string | undefined) => Caller
  visitor: Caller
  tokenOf: (username: string) => Promise<string>
}

let opened: Promise<TestApp> | undefined
let close = async () => {}

/** Called by after-file.ts after each test file: files share their worker's modules, which are loaded once. */
export async function closeTestApp() {
  await close()
  opened = undefined
  close = async () => {}
}

/** The fields of a read result that this endpoint accepts. */
export const declared = (endpoint: Endpoint, body: object) =>
  declaredOnly(endpoint.body as never, body) as object

/** The real app on its own copy of the demo database; one per test file. */
export const testApp = (): Promise<TestApp> => {
  opened ??= open()
  return opened
}

async function open(): Promise<TestApp> {
  const server = inject('server')
  const admin = server.replace('{database}', 'postgres')
  const name = `${inject('template')}_${randomBytes(4).toString('hex')}`
  await createDatabase(admin, name, inject('template'))
  const url = server.replace('{database}', name)
  const { app, platform } = await openNode(url)
  close = async () => {
    await app.close()
    await platform.close()
    await dropDatabase(admin, name)
  }
  const tokens = new Map<string, string>()

  function withToken(token: string | undefined): Caller {
    return async (endpoint, input = {}) => {
      const address = Object.entries(input.params ?? {}).reduce(
        (path, [key, value]) => path.replace(`{${key}}`, encodeURIComponent(String(value))),
        endpoint.path,
      )
      const response = await app.inject({
        method: endpoint.method,
        url: address,
        ...(input.query && {
          query: Object.fromEntries(
            Object.entries(input.query).map(([key, value]) => [
              key,
              Array.isArray(value) ? value.map(String) : String(value),
            ]),
          ),
        }),
        ...(input.body && { payload: input.body }),
        headers: token ? { 'x-id-token': token } : {},
      })
      const body = response.headers['content-type']?.toString().startsWith('application/json')
        ? response.json()
        : {}
      return {
        status: response.statusCode,
        data: body.data,
        error: body.error,
        fields: body.fields,
        headers: response.headers,
        raw: response.body,
      } as never
    }
  }
  const visitor = withToken(undefined)
  async function tokenOf(username: string) {
    let token = tokens.get(username)
    if (!token) {
      const { data } = await visitor(identity.passwordLogin, {
        body: { username, password: demoPassword },
      })
      token = idTokenOf(data)
      tokens.set(username, token)
    }
    return token
  }
  return {
    app,
    platform,
    url,
    visitor,
    withToken,
    tokenOf,
    as: async (username) => withToken(await tokenOf(username)),
  }
}

export const demoPassword = 'Atrium-demo-2026'

/** A server node on this database that does not listen; its general request limit is off. */
export async function openNode(
  url: string,
  variables: Record<string, string> = {},
  log: Logger = pino({ level: process.env.ATRIUM_LOG_LEVEL ?? 'fatal' }),
) {
  const env = readEnvironment({
    DATABASE_URL: url,
    ATRIUM_DATA_DIR: inject('dataDir'),
    ATRIUM_SECRET: testSecret,
    ATRIUM_DEMO: '1',
    ATRIUM_RATE_LIMIT: '0',
    ATRIUM_DB_POOL: '4',
    ...(process.env.ATRIUM_TEST_REDIS_URL && { REDIS_URL: process.env.ATRIUM_TEST_REDIS_URL }),
    ...variables,
  })
  const host: Host = { platform: undefined }
  const app = await buildApp(env, log, host)
  const platform = await openPlatform(env, log, url, () => env.PORT)
  host.platform = platform
  return { app, platform, host }
}

/** The viewer of a demo account as handlers receive it; `visitor` is not signed in. */
export const viewerOf = async ({ platform, tokenOf }: TestApp, username: string): Promise<Viewer> =>
  platform.guard.viewerOf(username === 'visitor' ? undefined : await tokenOf(username))
