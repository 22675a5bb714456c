import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Both ends are inclusive. */
export type Range = { start: number; end: number }

/** More than a socket accepts before it signals backpressure. */
const bufferBytes = 256 * 1024
/** One being sent, one waiting, one being read. */
const buffersPerRead = 3

/**
 * A read stream for piping into a socket only: its chunks share three buffers in rotation. Node's file stream allocates
 * memory for each chunk, and with a large file half of it can be in memory before any is freed. A chunk is valid until
 * the second chunk after it is requested; consumers that hold chunks longer must use another stream.
 */
export function openPooledRead(file: string, range?: Range): Readable {
  const buffers = Array.from({ length: buffersPerRead }, () => Buffer.allocUnsafeSlow(bufferBytes))
  let handle: FileHandle | undefined
  let place = range?.start ?? 0
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY
  let turn = 0

  async function readChunk(handle: FileHandle) {
    const buffer = buffers[turn++ % buffersPerRead] as Buffer
    const wanted = Math.min(buffer.length, end - place)
    let filled = 0
    // Fill the buffer: a short chunk would not trigger the socket's backpressure.
    while (filled < wanted) {
      const { bytesRead } = await handle.read(buffer, filled, wanted - filled, place)
      if (bytesRead === 0) break
      filled += bytesRead
      place += bytesRead
    }
    return filled === 0 ? null : buffer.subarray(0, filled)
  }

  return new Readable({
    // At most one chunk waits.
    highWaterMark: bufferBytes,
    construct(done) {
      open(file).then((opened) => {
        handle = opened
        done()
      }, done)
    },
    read() {
      if (handle)
        readChunk(handle).then(
          (chunk) => this.push(chunk),
          (error) => this.destroy(error),
        )
    },
    destroy(error, done) {
      const closed = handle?.close() ?? Promise.resolve()
      closed.then(() => done(error), done)
    },
  })
}
