import { buildApp } from '../apps/server/src/app.ts'
import { findAccountByUsername } from '../apps/server/src/domains/identity/identity/queries.ts'
import {
  openPortalSession,
  signIdToken,
} from '../apps/server/src/domains/identity/identity/sessions.ts'
import { readEnvironment } from '../apps/server/src/platform/environment.ts'
import type { Host } from '../apps/server/src/platform/http/serve.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { openPlatform } from '../apps/server/src/platform/platform.ts'
import type { Statement } from './baseline-server.ts'

/**
 * The server inside this process, for what cannot be observed from outside: the statements behind a request, and id
 * tokens of members without a password. Nothing is timed here.
 */
export async function openInProcess(variables: Record<string, string>) {
  const env = readEnvironment({
    ...variables,
    ATRIUM_LOG_LEVEL: 'error',
    ATRIUM_BODY_CACHE_MB: '0',
    ATRIUM_RATE_LIMIT: '0',
  })
  const log = openLog(env.ATRIUM_LOG_LEVEL)
  const host: Host = { platform: undefined }
  const app = await buildApp(env, log, host)
  const platform = await openPlatform(env, log, env.DATABASE_URL as string, () => env.PORT)
  host.platform = platform
  let statements: Statement[] = []
  const wrappedClients = new WeakSet<object>()
  platform.pool.on('acquire', (client) => {
    if (wrappedClients.has(client)) return
    wrappedClients.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      if (typeof args[0] === 'string')
        statements.push({ text: args[0], values: (args[1] as unknown[]) ?? [] })
      return query(...args)
    }) as never
  })
  return {
    db: platform.db,
    platform,
    /** The statements of one request, in order, with the session already known. */
    async statementsOf(url: string, headers: Record<string, string>): Promise<Statement[]> {
      await app.inject({ url, headers })
      statements = []
      const { statusCode, body } = await app.inject({ url, headers })
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body}`)
      if (statements.length === 0) throw new Error(`${url} asks the database nothing`)
      return statements
    },
    async tokenOf(accountId: string) {
      const request = { headers: {}, ip: '127.0.0.1' } as never
      return (
        await openPortalSession(platform, request, {
          accountId,
          way: 'password',
          strong: false,
        })
      ).idToken
    },
    /** `number` tokens of one session of this account. */
    async tokensOf(username: string, number: number) {
      const account = await findAccountByUsername(platform.db, username)
      if (!account) throw new Error(`nobody is called ${username}`)
      const request = { headers: {}, ip: '127.0.0.1' } as never
      const entry = { accountId: account.id, way: 'password', strong: false } as const
      const { sessionId, idToken } = await openPortalSession(platform, request, entry)
      const tokens = [idToken]
      while (tokens.length < number)
        tokens.push((await signIdToken(platform, sessionId, account.id)).idToken)
      return tokens
    },
    async checkTokens(tokens: string[]) {
      for (const token of tokens) await platform.guard.viewerOf(token)
    },
    async close() {
      await app.close()
      await platform.close()
    },
  }
}
