import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#platform/http/errors.ts'
import { isKnown } from '#platform/http/etag.ts'
import type { Files } from '#platform/storage/files.ts'
import type { Range } from '#platform/storage/pooled-read-stream.ts'
import type { FileRow } from './queries.ts'

/** What a browser may show by itself; anything else is a download, whatever was uploaded. SVG is one of ours, never a member's. */
const shown =
  /^(image\/(jpeg|png|gif|webp|avif|svg\+xml)|application\/pdf|(video|audio)\/[\w.+-]+|text\/(plain|csv))$/

/**
 * `attachment; filename="…"; filename*=UTF-8''…` (RFC 6266, 8187): the plain name for whoever knows no other, every
 * character for the others.
 */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** Where no name is known a picture needs none, and a download gets the end of its address. */
function contentDisposition(name: string | null, inline: boolean) {
  if (name !== null)
    return { 'content-disposition': disposition(inline ? 'inline' : 'attachment', name) }
  return inline ? {} : { 'content-disposition': 'attachment' }
}

/**
 * The one range that is asked for; nothing: the whole file, which also answers what we do not do (several ranges).
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

/** Content never changes under a key; but what visitors are shown may be withdrawn, and then nobody should keep it long. */
const keeping = {
  forGood: 'public, max-age=31536000, immutable',
  whileShown: 'public, max-age=3600',
  byTheCaller: 'private, max-age=600',
}
type Asked = {
  request: FastifyRequest
  reply: FastifyReply
  download: boolean
  kept: keyof typeof keeping
}

/** Sends a file that the caller has the right to, or the part of it that is asked for. */
export function sendFile(files: Files, file: FileRow, { request, reply, download, kept }: Asked) {
  const etag = `"${file.sha256.slice(0, 32)}"`
  const inline = !download && shown.test(file.media_type)
  const isText = /^text\/(plain|csv|calendar)$/.test(file.media_type)
  reply.headers({
    'content-type': file.media_type,
    'cache-control': keeping[kept],
    etag,
    'accept-ranges': 'bytes',
    // Whatever was uploaded, it is a picture or a download here, never a page of our origin.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ...contentDisposition(file.name, inline),
  })
  // A text's encoding is whatever it was written in; the browser is to find out, and to take it for nothing but text.
  if (isText) reply.header('content-type', 'text/plain')
  // Ranges count the bytes that are sent; and what is large is packed already.
  request.headers['x-no-compression'] = '1'
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  const wanted = !condition || condition === etag ? request.headers.range : undefined
  let range: Range | undefined
  try {
    range = rangeOf(wanted, file.byte_size)
  } catch (error) {
    reply.header('content-range', `bytes */${file.byte_size}`)
    throw error
  }
  // The bytes of a question for the headers alone would be read to be thrown away.
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
