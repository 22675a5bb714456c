import { afterAll } from 'vitest'
import { openMailServer } from './open-mail-server.ts'

/** A mail server for a test file, closed after its tests. */
export async function mailServer(options: Parameters<typeof openMailServer>[0] = {}) {
  const server = await openMailServer(options)
  afterAll(server.close)
  return server
}
