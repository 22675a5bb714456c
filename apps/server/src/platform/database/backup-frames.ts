import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Frame } from './backup-format.ts'

// Format 1, used before backups were archives, is a stream of frames: a letter, the payload length in four bytes, the
// payload. M manifest · S secret · T table start · F file start · D data chunk · E end · Z SHA-256 of all before.

const maxFrame = 16 * 1024 * 1024

/**
 * Yields the frames of a format 1 backup.
 * @throws the error made by `damaged` if the final checksum is missing or wrong
 */
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
