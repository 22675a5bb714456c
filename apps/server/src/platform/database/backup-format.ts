import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { StartError } from '#platform/environment.ts'
import { sizeOf } from '#platform/ingest/text-file.ts'
import { version } from '#platform/version.ts'
import { knownMigrations } from './migrate.ts'

/**
 * A backup is one gzip stream of frames: a letter, the payload's length in four bytes, the payload.
 * M manifest · S secret · T a table begins · F a file begins · D a piece of it · E its end · Z the SHA-256 of all before.
 * Tables stand in the order in which foreign keys allow them to be loaded.
 */
export const format = 1
type Kind = 'M' | 'S' | 'T' | 'F' | 'D' | 'E' | 'Z'
export type Frame = { kind: Kind; payload: Buffer }

export type Manifest = {
  format: number
  /** of Atrium, and of the PostgreSQL it was made from */
  version: string
  postgres: string
  /** every migration the database had been through */
  schema: string[]
  instanceId: string
  demo: boolean
  createdAt: string
  tables: { name: string; rows: number }[]
  files: number
}
export type TableHead = {
  name: string
  columns: string[]
  sequences: { column: string; next: string }[]
  /** Of a table in parts: which parts there are, as PostgreSQL words their bounds. */
  partitions?: { name: string; bounds: string }[]
}
export type FileHead = { sha256: string; bytes: number }
const largestFrame = 16 * 1024 * 1024

export const frameBytes = (kind: Kind, payload: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(kind, 'latin1')
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}
export const json = (value: unknown) => Buffer.from(JSON.stringify(value))

// ---- reading ----

/** The frames of a backup. @throws StartError when the file is damaged */
export async function* readFrames(file: string): AsyncGenerator<Frame> {
  const gunzip = createGunzip()
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  source.on('error', (error) => gunzip.destroy(error))
  source.pipe(gunzip)
  const pending: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of gunzip) {
      pending.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size < 5) continue
      let bytes = Buffer.concat(pending)
      for (;;) {
        if (bytes.length < 5) break
        const length = bytes.readUInt32BE(1)
        if (length > largestFrame) throw damaged(file)
        if (bytes.length < 5 + length) break
        yield {
          kind: bytes.toString('latin1', 0, 1) as Kind,
          payload: bytes.subarray(5, 5 + length),
        }
        bytes = bytes.subarray(5 + length)
      }
      pending.splice(0, pending.length, bytes)
      size = bytes.length
    }
    if (size > 0) throw damaged(file)
  } catch (error) {
    if (['Z_BUF_ERROR', 'Z_DATA_ERROR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw damaged(file)
    throw error
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}
const damaged = (file: string) =>
  new StartError(
    `${file} is not a complete Atrium backup: it was cut off or changed. Nothing was touched; use another copy.`,
  )

/**
 * Reads a backup from its beginning to its end and checks every byte of it.
 * @throws StartError when it is damaged, or made by a newer Atrium
 */
export async function checkBackup(file: string): Promise<Manifest> {
  await sizeOf(file)
  const hash = createHash('sha256')
  let manifest: Manifest | undefined
  let complete = false
  for await (const { kind, payload } of readFrames(file)) {
    if (complete) throw damaged(file)
    if (!manifest) {
      if (kind !== 'M') throw damaged(file)
      manifest = JSON.parse(payload.toString('utf8')) as Manifest
      if (manifest.format > format)
        throw new StartError(
          `${file} was made by Atrium ${manifest.version}, which is newer than this one (${version}). Restore it with that version.`,
        )
    }
    if (kind === 'Z') complete = hash.digest().equals(payload)
    else hash.update(frameBytes(kind, payload))
  }
  if (!manifest || !complete) throw damaged(file)
  const known = await knownMigrations()
  if (manifest.schema.some((name, index) => known[index] !== name)) {
    throw new StartError(
      `${file} was made by Atrium ${manifest.version}, whose database this one (${version}) does not know. Restore it with that version or a newer one.`,
    )
  }
  return manifest
}
