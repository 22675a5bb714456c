import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { StartError } from '#platform/environment.ts'
import { sizeOf } from '#platform/ingest/text-file.ts'
import { version } from '#platform/version.ts'
import { readFrameStream } from './backup-frames.ts'
import { knownMigrations } from './migrate.ts'

/**
 * A backup is a gzipped tar archive with these entries, in this order: `manifest.json`, `secret`; for each table
 * `tables/NAME.json` and its rows in PostgreSQL's COPY format, split into `tables/NAME/000001.copy` and so on; uploaded
 * files as `files/SHA256`; and `SHA256SUMS` of all of them, readable by `sha256sum -c`. Tables are ordered so that
 * foreign keys hold while loading.
 */
export const format = 2
export const entries = {
  manifest: 'manifest.json',
  secret: 'secret',
  sums: 'SHA256SUMS',
  table: (name: string) => `tables/${name}.json`,
  rows: (name: string, chunk: number) => `tables/${name}/${String(chunk).padStart(6, '0')}.copy`,
  file: (sha256: string) => `files/${sha256}`,
}
/** A line of `SHA256SUMS`. @param sha256 in hexadecimal */
export const checksumLine = (name: string, sha256: string) => `${sha256}  ${name}\n`

/**
 * The content of a backup as a stream: M manifest · S secret · T table start · F file start · D data chunk · E end of a
 * table or file. M, T, F and E carry JSON.
 */
export type Frame = { kind: 'M' | 'S' | 'T' | 'F' | 'D' | 'E'; payload: Buffer }

export type Manifest = {
  format: number
  /** version of Atrium, and of the PostgreSQL it was made from */
  version: string
  postgres: string
  /** all migrations applied to the database */
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
  /** For a partitioned table: its partitions, with bounds in PostgreSQL's syntax. */
  partitions?: { name: string; bounds: string }[]
}
export type FileHead = { sha256: string; bytes: number }
export const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** JSON heads are read into memory whole, up to this size. */
const maxHead = 16 * 1024 * 1024

/** Yields the frames of a backup of any format, in order. @throws StartError if the file is damaged */
export async function* readFrames(file: string): AsyncGenerator<Frame> {
  const isTar = await isArchive(file)
  const gunzip = unpacked(file)
  try {
    yield* isTar ? readArchive(gunzip, file) : readFrameStream(gunzip, () => damaged(file))
  } catch (error) {
    if (error instanceof StartError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const isBroken = ['Z_BUF_ERROR', 'Z_DATA_ERROR'].includes(code ?? '') || /tar/i.test(message)
    throw isBroken ? damaged(file) : error
  } finally {
    gunzip.destroy()
  }
}

function unpacked(file: string): Readable {
  const gunzip = createGunzip()
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  source.on('error', (error) => gunzip.destroy(error))
  gunzip.on('close', () => source.destroy())
  return source.pipe(gunzip)
}

/** Detects a tar archive by the `ustar` magic in its first header (POSIX.1-1988). */
async function isArchive(file: string) {
  const gunzip = unpacked(file)
  try {
    for await (const chunk of gunzip)
      return (chunk as Buffer).toString('latin1', 257, 262) === 'ustar'
  } catch {
    // The actual read reports the error.
  } finally {
    gunzip.destroy()
  }
  return false
}

async function* readArchive(bytes: Readable, file: string): AsyncGenerator<Frame> {
  const archive = extract()
  bytes.on('error', (error) => archive.destroy(error))
  bytes.pipe(archive)
  const sums = createHash('sha256')
  let isOpen = false
  let isComplete = false
  for await (const entry of archive) {
    const { name, size } = entry.header
    // The library types its chunks as `unknown`.
    const content = entry as AsyncIterable<unknown> as AsyncIterable<Buffer>
    if (isComplete) throw damaged(file)
    if (name === entries.sums) {
      isComplete = (await hashOf(content)) === sums.digest('hex')
      continue
    }
    const hash = createHash('sha256')
    const isPiece = name.endsWith('.copy')
    if (isOpen && !isPiece) yield { kind: 'E', payload: json({}) }
    if (isPiece || name.startsWith(entries.file(''))) {
      isOpen = true
      if (!isPiece) {
        const head: FileHead = { sha256: name.slice(entries.file('').length), bytes: size }
        yield { kind: 'F', payload: json(head) }
      }
      for await (const payload of content) {
        hash.update(payload)
        yield { kind: 'D', payload }
      }
    } else {
      if (size > maxHead) throw damaged(file)
      const payload = Buffer.concat(await Array.fromAsync(content))
      hash.update(payload)
      const kind = name === entries.manifest ? 'M' : name === entries.secret ? 'S' : 'T'
      isOpen = kind === 'T'
      yield { kind, payload }
    }
    sums.update(checksumLine(name, hash.digest('hex')))
  }
  if (!isComplete) throw damaged(file)
  if (isOpen) yield { kind: 'E', payload: json({}) }
}

async function hashOf(bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

const damaged = (file: string) =>
  new StartError(
    `${file} is not a complete Atrium backup: it was cut off or changed. Nothing was touched; use another copy.`,
  )

/**
 * Reads a backup from start to end and verifies every checksum.
 * @throws StartError if it is damaged or was made by a newer Atrium
 */
export async function checkBackup(file: string): Promise<Manifest> {
  await sizeOf(file)
  let manifest: Manifest | undefined
  for await (const { kind, payload } of readFrames(file)) {
    if (manifest) continue
    if (kind !== 'M') throw damaged(file)
    manifest = JSON.parse(payload.toString('utf8')) as Manifest
    if (manifest.format > format)
      throw new StartError(
        `${file} was made by Atrium ${manifest.version}, which is newer than this one (${version}). Restore it with that version.`,
      )
  }
  if (!manifest) throw damaged(file)
  const known = await knownMigrations()
  if (manifest.schema.some((name, index) => known[index] !== name)) {
    throw new StartError(
      `${file} was made by Atrium ${manifest.version}, whose database schema this one (${version}) does not know. Restore it with that version or a newer one.`,
    )
  }
  return manifest
}
