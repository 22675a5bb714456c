import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#platform/http/errors.ts'
import { matchesEtag } from '#platform/http/etag.ts'
import type { Files } from '#platform/storage/files.ts'
import type { Range } from '#platform/storage/pooled-read-stream.ts'
import type { FileRow } from './queries.ts'

/**
 * Types a browser may display inline; all others are downloads. SVG files are always ours: members cannot upload them.
 */
const inlineTypes =
  /^(image\/(jpeg|png|gif|webp|avif|svg\+xml)|application\/pdf|(video|audio)\/[\w.+-]+|text\/(plain|csv))$/

/** `attachment; filename="…"; filename*=UTF-8''…` (RFC 6266, 8187): an ASCII fallback and the full name. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const fallback = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${fallback}"; filename*=UTF-8''${encoded}`
}

/** Without a name, pictures have no disposition, and downloads are named after the last part of the address. */
function contentDisposition(name: string | null, inline: boolean) {
  if (name !== null)
    return { 'content-disposition': disposition(inline ? 'inline' : 'attachment', name) }
  return inline ? {} : { 'content-disposition': 'attachment' }
}

/**
 * The requested range. Undefined means the whole file, which also answers unsupported requests (several ranges).
 * @throws file.range_refused
 */
function rangeOf(header: string | undefined, size: number): Range | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end || start >= size) fail('file.range_refused')
  return { start, end }
}

/** Content under a key never changes, but files shown to visitors may be withdrawn and must not be cached for long. */
const cacheControl = {
  immutable: 'public, max-age=31536000, immutable',
  shared: 'public, max-age=3600',
  private: 'private, max-age=600',
}
type SendOptions = {
  request: FastifyRequest
  reply: FastifyReply
  download: boolean
  caching: keyof typeof cacheControl
}

/** Sends a file, or the requested range of it. The caller has checked access. */
export function sendFile(
  files: Files,
  file: FileRow,
  { request, reply, download, caching }: SendOptions,
) {
  const etag = `"${file.sha256.slice(0, 32)}"`
  const inline = !download && inlineTypes.test(file.media_type)
  const isText = /^text\/(plain|csv|calendar)$/.test(file.media_type)
  reply.headers({
    'content-type': file.media_type,
    'cache-control': cacheControl[caching],
    etag,
    'accept-ranges': 'bytes',
    // An uploaded file must never run as a page of our origin.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ...contentDisposition(file.name, inline),
  })
  // The encoding of a text is unknown: the browser detects it, but must treat the file as plain text.
  if (isText) reply.header('content-type', 'text/plain')
  // Ranges count the bytes sent, and large files are already compressed.
  request.headers['x-no-compression'] = '1'
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  const requestedRange = !condition || condition === etag ? request.headers.range : undefined
  let range: Range | undefined
  try {
    range = rangeOf(requestedRange, file.byte_size)
  } catch (error) {
    reply.header('content-range', `bytes */${file.byte_size}`)
    throw error
  }
  // For HEAD, reading the bytes would be wasted.
  const bytes = () =>
    request.method === 'HEAD' ? Readable.from([]) : files.pour(file.sha256, range)
  if (!range) {
    reply.header('content-length', file.byte_size)
    return reply.send(bytes())
  }
  reply.code(206).headers({
    'content-range': `bytes ${range.start}-${range.end}/${file.byte_size}`,
    'content-length': range.end - range.start + 1,
  })
  return reply.send(bytes())
}
