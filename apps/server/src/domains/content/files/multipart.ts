import { fail } from '#platform/http/errors.ts'

export type FormEvent =
  | { kind: 'field'; name: string; fileName: string | undefined }
  | { kind: 'bytes'; bytes: Buffer }
  | { kind: 'end' }

const maxHead = 16 * 1024
const headEnd = Buffer.from('\r\n\r\n')

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
function giveBack(piece: Buffer) {
  const { buffer } = piece
  // A view of a larger buffer shares it with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.length) buffer.transfer(0)
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
  const mark = Buffer.from(`\r\n--${boundary}`)
  // A leading line break, so that the first boundary looks like all others.
  let bytes: Buffer = Buffer.from('\r\n')
  let at: 'preamble' | 'mark' | 'head' | 'body' | 'over' = 'preamble'
  for await (const chunk of source) {
    if (at === 'over') continue
    if (at === 'body' && bytes.length < mark.length && chunk.length >= mark.length) {
      // Fast path: most chunks contain no boundary and are passed on without a copy, except for the tail, where one may
      // begin.
      const border = Buffer.concat([bytes, chunk.subarray(0, mark.length - 1)])
      if (!border.includes(mark) && !chunk.includes(mark)) {
        const sure = chunk.length - mark.length + 1
        if (bytes.length > 0) yield { kind: 'bytes', bytes }
        yield { kind: 'bytes', bytes: chunk.subarray(0, sure) }
        bytes = Buffer.from(chunk.subarray(sure))
        giveBack(chunk)
        continue
      }
    }
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    for (let more = true; more; ) {
      more = false
      if (at === 'preamble' || at === 'body') {
        const found = bytes.indexOf(mark)
        // A boundary may begin at the end of the buffer.
        const sure = found < 0 ? Math.max(0, bytes.length - mark.length + 1) : found
        if (at === 'body' && sure > 0) yield { kind: 'bytes', bytes: bytes.subarray(0, sure) }
        bytes = bytes.subarray(found < 0 ? sure : found + mark.length)
        if (found >= 0) {
          if (at === 'body') yield { kind: 'end' }
          at = 'mark'
          more = true
        }
      } else if (at === 'mark' && bytes.length >= 2) {
        const next = bytes.toString('latin1', 0, 2)
        if (next !== '--' && next !== '\r\n') fail('file.upload_broken')
        at = next === '--' ? 'over' : 'head'
        // Keep the line break: it terminates a header block without lines.
        more = at === 'head'
      } else if (at === 'head') {
        const found = bytes.indexOf(headEnd)
        if (found > maxHead || (found < 0 && bytes.length > maxHead)) fail('file.upload_broken')
        if (found >= 0) {
          yield { kind: 'field', ...readHead(bytes.subarray(0, found)) }
          bytes = bytes.subarray(found + headEnd.length)
          at = 'body'
          more = true
        }
      }
    }
  }
  if (at !== 'over') fail('file.upload_broken')
}

function readHead(head: Buffer) {
  const lines = textOf(head).split('\r\n')
  const disposition = lines.find((line) => /^content-disposition\s*:\s*form-data/i.test(line)) ?? ''
  const extended = /;\s*filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1]
  return {
    name: unescaped(/;\s*name="([^"]*)"/i.exec(disposition)?.[1] ?? ''),
    fileName:
      (extended && decoded(extended)) ??
      mapped(/;\s*filename="([^"]*)"/i.exec(disposition)?.[1], unescaped),
  }
}

/** Browsers escape only these three characters in a file name. */
const unescaped = (text: string) =>
  text.replaceAll('%22', '"').replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n')
const mapped = (text: string | undefined, change: (text: string) => string) =>
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
