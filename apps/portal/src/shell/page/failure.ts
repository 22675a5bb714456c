import { ApiError } from '#lib/api.ts'
import { isCodeMissing } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { ChunkLoadError } from '#shell/navigation/page-code.ts'

/** What happened, for a person. */
export function failureText(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (!isCodeMissing(error)) return m.shell_page_broke()
  return isOffline(error) ? m.shell_page_failed() : m.shell_page_late()
}

/** It is not there or not for this person: asking again would be answered alike. */
export const isRefusal = (error: unknown) =>
  error instanceof ApiError && [403, 404, 410].includes(error.status)

/** It is there, and not for this person. */
export const isForbidden = (error: unknown) => error instanceof ApiError && error.status === 403

/** The server was not reached. Code that does not come while there is a network is no fault of the network. */
export function isOffline(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 0
  if (error instanceof ChunkLoadError && error.type !== 'timeout') return error.type === 'error'
  return isCodeMissing(error) && navigator.onLine === false
}

/**
 * What support asks for: what the server's log knows the failure by, and nothing where the server was not reached; how the
 * code of a page failed to come. What broke here has a code of its message and its place, the same for everybody who meets
 * it; the console has both.
 */
export function supportCode(error: unknown): string {
  if (error instanceof ApiError) return error.status === 0 ? '' : error.requestId || error.code
  if (error instanceof ChunkLoadError) return error.message
  const { message, stack } = error instanceof Error ? error : { message: String(error) }
  // Line and column of the innermost call, without the address of this portal.
  const place = /[^/\s(@]+:\d+:\d+/.exec(stack?.replace(message, '') ?? '')?.[0] ?? ''
  return hash(`${message} ${place}`)
}

export const logFailure = (error: unknown) =>
  console.error(`Support code ${supportCode(error)}`, error)

/** FNV-1a: told apart, not kept secret. */
function hash(text: string) {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193)
  return (value >>> 0).toString(36).toUpperCase().padStart(7, '0')
}
