import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Frame } from './backup-format.ts'

// Backups were a stream of frames until they became archives: a letter, the payload's length in four bytes, the payload.
// M manifest · S secret · T a table begins · F a file begins · D a piece of it · E its end · Z the SHA-256 of all before.

const maxFrame = 16 * 1024 * 1024

/** The frames of a backup of format 1. @throws the error that `damaged` makes, where the last one is missing or does not fit */
export async function* readFrameStream(
  bytes: Readable,
  damaged: () => Error,
): AsyncGenerator<Frame> {
  const hash = createHash('sha256')
  let isComplete = false
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk as Buffer])
    while (rest.length >= 5) {
      const length = rest.readUInt32BE(1)
      if (length > maxFrame || isComplete) throw damaged()
      if (rest.length < 5 + length) break
      const frame = rest.subarray(0, 5 + length)
      const kind = frame.toString('latin1', 0, 1)
      const payload = frame.subarray(5)
      rest = rest.subarray(5 + length)
      if (kind === 'Z') isComplete = hash.digest().equals(payload)
      else {
        hash.update(frame)
        yield { kind: kind as Frame['kind'], payload }
      }
    }
  }
  if (!isComplete || rest.length > 0) throw damaged()
}
