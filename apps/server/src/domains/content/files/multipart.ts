import { fail } from '#platform/http/errors.ts'

export type FormEvent =
  | { kind: 'field'; name: string; fileName: string | undefined }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end' }

const maxHeaderBytes = 16 * 1024
const headerEnd = Buffer.from('\r\n\r\n')

/** The boundary named in a multipart content type. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? '',
    ) ?? []
  return quoted ?? plain
}

/**
 * Frees a chunk's memory immediately. Left to the garbage collector, the chunks of a large file accumulate to tens of
 * megabytes.
 */
function freeChunk(chunk: Buffer) {
  const { buffer } = chunk
  // A view of a larger buffer shares it with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === chunk.length) buffer.transfer(0)
}

/**
 * Parses a form (RFC 7578) as a stream, with at most one chunk in memory. An event's bytes are valid until the next
 * event is requested.
 * @throws file.upload_broken if the form is incomplete or malformed
 */
export async function* readForm(
  source: AsyncIterable<Buffer>,
  boundary: string,
): AsyncGenerator<FormEvent> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // A leading line break, so that the first boundary looks like all others.
  let bytes: Buffer = Buffer.from('\r\n')
  let state: 'preamble' | 'delimiter' | 'header' | 'body' | 'done' = 'preamble'
  for await (const chunk of source) {
    if (state === 'done') continue
    if (state === 'body' && bytes.length < delimiter.length && chunk.length >= delimiter.length) {
      // Fast path: most chunks contain no boundary and are passed on without a copy, except for the tail, where one may
      // begin.
      const seam = Buffer.concat([bytes, chunk.subarray(0, delimiter.length - 1)])
      if (!seam.includes(delimiter) && !chunk.includes(delimiter)) {
        const safeLength = chunk.length - delimiter.length + 1
        if (bytes.length > 0) yield { kind: 'bytes', bytes }
        yield { kind: 'bytes', bytes: chunk.subarray(0, safeLength) }
        bytes = Buffer.from(chunk.subarray(safeLength))
        freeChunk(chunk)
        continue
      }
    }
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    for (let more = true; more; ) {
      more = false
      if (state === 'preamble' || state === 'body') {
        const found = bytes.indexOf(delimiter)
        // A boundary may begin at the end of the buffer.
        const safeLength = found < 0 ? Math.max(0, bytes.length - delimiter.length + 1) : found
        if (state === 'body' && safeLength > 0)
          yield { kind: 'bytes', bytes: bytes.subarray(0, safeLength) }
        bytes = bytes.subarray(found < 0 ? safeLength : found + delimiter.length)
        if (found >= 0) {
          if (state === 'body') yield { kind: 'end' }
          state = 'delimiter'
          more = true
        }
      } else if (state === 'delimiter' && bytes.length >= 2) {
        const next = bytes.toString('latin1', 0, 2)
        if (next !== '--' && next !== '\r\n') fail('file.upload_broken')
        state = next === '--' ? 'done' : 'header'
        // Keep the line break: it terminates a header block without lines.
        more = state === 'header'
      } else if (state === 'header') {
        const found = bytes.indexOf(headerEnd)
        if (found > maxHeaderBytes || (found < 0 && bytes.length > maxHeaderBytes))
          fail('file.upload_broken')
        if (found >= 0) {
          yield { kind: 'field', ...readPartHeader(bytes.subarray(0, found)) }
          bytes = bytes.subarray(found + headerEnd.length)
          state = 'body'
          more = true
        }
      }
    }
  }
  if (state !== 'done') fail('file.upload_broken')
}

function readPartHeader(head: Buffer) {
  const lines = textOf(head).split('\r\n')
  const disposition = lines.find((line) => /^content-disposition\s*:\s*form-data/i.test(line)) ?? ''
  const extended = /;\s*filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  return {
    name: unescaped(/;\s*name="([^"]*)"/i.exec(disposition)?.[1] ?? ''),
    fileName:
      (extended && decoded(extended)) ??
      mapDefined(/;\s*filename="([^"]*)"/i.exec(disposition)?.[1], unescaped),
  }
}

/** Browsers escape only these three characters in a file name. */
const unescaped = (text: string) =>
  text.replaceAll('%22', '"').replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n')
const mapDefined = (text: string | undefined, change: (text: string) => string) =>
  text === undefined ? undefined : change(text)

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function textOf(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}
