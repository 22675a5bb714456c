import { ApiError } from '#lib/api.ts'
import { isChunkLoadFailure } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { ChunkLoadError } from '#shell/navigation/page-code.ts'

/** The error message to show to the user. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (!isChunkLoadFailure(error)) return m.shell_page_broke()
  return isOffline(error) ? m.shell_page_failed() : m.shell_page_late()
}

/** Missing or not accessible to this user: a retry would get the same answer. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && [403, 404, 410].includes(error.status)

/** It exists, but this user may not see it. */
export const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403

/** The server was not reached. Code that fails to load while online is not a network fault. */
export function isOffline(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 0
  if (error instanceof ChunkLoadError && error.type !== 'timeout') return error.type === 'error'
  return isChunkLoadFailure(error) && navigator.onLine === false
}

/**
 * The code that support asks for: the request id in the server's log, or nothing if the server was not reached; for
 * page code, the way loading failed. Errors in the app are hashed from message and place, so everyone who meets the
 * same error has the same code; the console logs both.
 */
export function supportCode(error: unknown): string {
  if (error instanceof ApiError) return error.status === 0 ? '' : error.requestId || error.code
  if (error instanceof ChunkLoadError) return error.message
  const { message, stack } = error instanceof Error ? error : { message: String(error) }
  // File, line and column of the innermost call, without the portal's address.
  const place = /[^/\s(@]+:\d+:\d+/.exec(stack?.replace(message, '') ?? '')?.[0] ?? ''
  return hash(`${message} ${place}`)
}

export const logFailure = (error: unknown) =>
  console.error(`Support code ${supportCode(error)}`, error)

/** FNV-1a: for identification, not for secrecy. */
function hash(text: string) {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return (value >>> 0).toString(36).toUpperCase().padStart(7, '0')
}
