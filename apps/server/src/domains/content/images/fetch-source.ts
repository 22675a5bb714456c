import { buffer } from 'node:stream/consumers'
import { fail } from '#platform/http/errors.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import type { Platform } from '#platform/platform.ts'

/** Maximum size in bytes of a source picture. */
const maxBytes = 15_000_000

export async function readOwnFile(platform: Platform, sha256: string, byteSize: number) {
  if (byteSize > maxBytes) fail('image.too_large')
  return buffer(platform.files.read(sha256)).catch(() => fail('image.not_found'))
}

/**
 * Fetches a picture from a listed host. Redirects are not followed: they could lead to an unlisted host.
 * @throws image.not_found, image.too_large, image.source_refused, image.source_slow, image.source_failed
 */
export async function readRemote(platform: Platform, url: string): Promise<Buffer> {
  const { status, bytes } = await fetchExternal(url, {
    allow: platform.env.ATRIUM_OUTBOUND_ALLOW,
    headers: { accept: 'image/*' },
    maxBytes,
    seconds: 8,
    redirects: 0,
  }).catch((error: unknown) => {
    const because = error instanceof OutboundError ? error.because : undefined
    platform.log.warn({ reason: (error as Error).message }, 'a picture could not be fetched')
    return fail(because ? errorCodes[because] : 'image.source_failed')
  })
  if (status === 404 || status === 410) fail('image.not_found')
  if (status !== 200) fail('image.source_failed')
  return bytes
}

const errorCodes = {
  closed: 'image.source_refused',
  plain: 'image.source_refused',
  late: 'image.source_slow',
  large: 'image.too_large',
} as const
