import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Both ends count. */
export type Range = { start: number; end: number }

/** More than a socket takes before it says wait. */
const pieceBytes = 256 * 1024
/** One on its way out, one that waits, one that is being read. */
const pieces = 3

/**
 * A file for `pipe` into a socket alone: its pieces lie in the same three buffers, one after the other. A stream of files
 * takes new memory for each piece, and of a large file half is there before it is given back. A piece stays untouched until
 * the second after it was asked for; whoever keeps pieces longer reads another way.
 */
export function openPieces(file: string, range?: Range): Readable {
  const buffers = Array.from({ length: pieces }, () => Buffer.allocUnsafeSlow(pieceBytes))
  let handle: FileHandle | undefined
  let place = range?.start ?? 0
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY
  let turn = 0

  async function readPiece(handle: FileHandle) {
    const buffer = buffers[turn++ % pieces] as Buffer
    const wanted = Math.min(buffer.length, end - place)
    let filled = 0
    // Whole pieces only: a short one would not make the socket say wait.
    while (filled < wanted) {
      const { bytesRead } = await handle.read(buffer, filled, wanted - filled, place)
      if (bytesRead === 0) break
      filled += bytesRead
      place += bytesRead
    }
    return filled === 0 ? null : buffer.subarray(0, filled)
  }

  return new Readable({
    // One piece that waits is all it holds.
    highWaterMark: pieceBytes,
    construct(done) {
      open(file).then((opened) => {
        handle = opened
        done()
      }, done)
    },
    read() {
      if (handle)
        readPiece(handle).then(
          (piece) => this.push(piece),
          (error) => this.destroy(error),
        )
    },
    destroy(error, done) {
      const closed = handle?.close() ?? Promise.resolve()
      closed.then(() => done(error), done)
    },
  })
}
