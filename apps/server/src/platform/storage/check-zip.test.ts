import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { ArchiveError, checkZip } from './check-zip.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'check-zip-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Made = {
  name: string
  content: Uint8Array
  stored?: boolean
  /** the sizes follow the data */
  descriptor?: boolean
  /** sizes in the ZIP64 extra field */
  wide?: boolean
  encrypted?: boolean
  method?: number
  /** overrides in the local header */
  local?: { size?: number; packed?: number; name?: string; method?: number }
  /** overrides in the central directory */
  central?: { size?: number; packed?: number; at?: number }
  /** bytes after the data that belong to the entry */
  garbage?: Uint8Array
}

const le = (bytes: 2 | 4 | 8, ...numbers: number[]) =>
  Buffer.concat(
    numbers.map((number) => {
      const buffer = Buffer.alloc(8)
      buffer.writeBigUInt64LE(BigInt(number))
      return buffer.subarray(0, bytes)
    }),
  )
const sizesExtra = (...sizes: number[]) =>
  Buffer.concat([le(2, 1, sizes.length * 8), le(8, ...sizes)])

/** A hand-made ZIP, so that its parts can contradict each other. */
function archive(
  entries: Made[],
  settings: { count?: number; zip64?: boolean; hidden?: Uint8Array; tail?: string } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  const push = (bytes: Uint8Array) => {
    parts.push(Buffer.from(bytes))
    at += bytes.length
  }
  for (const entry of entries) {
    const method = entry.method ?? (entry.stored ? 0 : 8)
    const data = Buffer.concat([
      entry.stored ? entry.content : deflateRawSync(entry.content, { level: 9 }),
      entry.garbage ?? Buffer.alloc(0),
    ])
    const size = entry.content.length
    const flags = (entry.descriptor ? 8 : 0) | (entry.encrypted ? 1 : 0)
    const crc = crc32(entry.content)
    const localAt = at
    const localName = Buffer.from(entry.local?.name ?? entry.name)
    const said = entry.descriptor
      ? { crc: 0, packed: 0, size: 0 }
      : { crc, packed: data.length, size }
    const localSize = entry.local?.size ?? said.size
    const localPacked = entry.local?.packed ?? said.packed
    const localExtra = entry.wide ? sizesExtra(localSize, localPacked) : Buffer.alloc(0)
    push(
      Buffer.concat([
        le(4, 0x04034b50),
        le(2, 20, flags, entry.local?.method ?? method, 0, 0),
        le(4, said.crc, ...(entry.wide ? [0xffffffff, 0xffffffff] : [localPacked, localSize])),
        le(2, localName.length, localExtra.length),
        localName,
        localExtra,
        data,
      ]),
    )
    if (entry.descriptor) push(le(4, 0x08074b50, crc, data.length, size))
    const centralSize = entry.central?.size ?? size
    const centralPacked = entry.central?.packed ?? data.length
    const centralExtra = entry.wide ? sizesExtra(centralSize, centralPacked) : Buffer.alloc(0)
    directory.push(
      Buffer.concat([
        le(4, 0x02014b50),
        le(2, 20, 20, flags, method, 0, 0),
        le(4, crc, ...(entry.wide ? [0xffffffff, 0xffffffff] : [centralPacked, centralSize])),
        le(2, Buffer.byteLength(entry.name), centralExtra.length, 0, 0, 0),
        le(4, 0, entry.central?.at ?? localAt),
        Buffer.from(entry.name),
        centralExtra,
      ]),
    )
  }
  if (settings.hidden) push(settings.hidden)
  const list = Buffer.concat(directory)
  const from = at
  push(list)
  const count = settings.count ?? entries.length
  if (settings.zip64) {
    const record = at
    push(
      Buffer.concat([
        le(4, 0x06064b50),
        le(8, 44),
        le(2, 45, 45),
        le(4, 0, 0),
        le(8, count, count, list.length, from),
      ]),
    )
    push(Buffer.concat([le(4, 0x07064b50, 0), le(8, record), le(4, 1)]))
  }
  push(
    Buffer.concat([
      le(4, 0x06054b50),
      settings.zip64 ? le(2, 0, 0, 0xffff, 0xffff) : le(2, 0, 0, count, count),
      settings.zip64 ? le(4, 0xffffffff, 0xffffffff) : le(4, list.length, from),
      le(2, 0),
      Buffer.from(settings.tail ?? ''),
    ]),
  )
  return Buffer.concat(parts)
}

let made = 0
async function check(bytes: Uint8Array, encrypted = false) {
  const file = path.join(folder, `${made++}.zip`)
  writeFileSync(file, bytes)
  return checkZip(file, { encrypted })
}

const text = Buffer.from('some words, and the same words again, and again the same words')
const zeros = (bytes: number) => new Uint8Array(bytes)
const one = (more: Partial<Made> = {}): Made => ({ name: 'a.txt', content: text, ...more })
const two = archive([one(), one({ name: 'b.txt', stored: true })])
const nest = (levels: number): Buffer =>
  levels === 1 ? archive([one()]) : archive([one({ name: 'in.zip', content: nest(levels - 1) })])

describe('an archive is accepted', () => {
  test.each<[string, Uint8Array, boolean?]>([
    ['with compressed and stored entries', two],
    ['that is empty', archive([])],
    [
      'with a folder and an empty file',
      archive([one({ name: 'a/', content: zeros(0), stored: true }), one({ content: zeros(0) })]),
    ],
    [
      'with data descriptors',
      archive([one({ descriptor: true }), one({ name: 'b', descriptor: true })]),
    ],
    [
      'with ZIP64 sizes and a ZIP64 end',
      archive([one({ wide: true }), one({ name: 'b' })], { zip64: true }),
    ],
    ['with nested archives', nest(4)],
    ['made by fflate', zipSync({ 'a.txt': randomBytes(50_000), 'b/c.txt': text })],
    [
      'with a gap that contains no entry',
      archive([one()], { hidden: randomBytes(70_000).fill(0) }),
    ],
    [
      'that is encrypted, if it is never unpacked',
      archive([one({ encrypted: true, method: 99 })]),
      true,
    ],
  ])('%s', async (_, bytes, encrypted) => {
    await expect(check(bytes, encrypted)).resolves.toBeUndefined()
  })

  test('with 5000 entries', async () => {
    const files = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${at}.txt`, text]))
    await expect(check(zipSync(files))).resolves.toBeUndefined()
  })
})

const damageable = archive([one({ descriptor: true }), one({ name: 'in.zip', content: two })], {
  zip64: true,
})

describe('an archive is rejected', () => {
  test.each<[string, () => Uint8Array, RegExp]>([
    [
      'that declares 10 bytes for 30 MB of data',
      () =>
        archive([one({ content: zeros(30_000_000), central: { size: 10 }, local: { size: 10 } })]),
      /larger than declared/,
    ],
    [
      'with a wrong size only in the central directory',
      () => archive([one({ central: { size: 10 } })]),
      /does not match the directory/,
    ],
    [
      'with a wrong size only in the local header',
      () => archive([one({ local: { size: 10 } })]),
      /does not match the directory/,
    ],
    [
      'that declares more bytes than it contains',
      () => archive([one({ central: { size: 99 }, local: { size: 99 } })]),
      /smaller than declared/,
    ],
    [
      'with a data descriptor and a wrong size',
      () => archive([one({ descriptor: true, central: { size: 10 } })]),
      /larger than declared/,
    ],
    [
      'with a wrong ZIP64 size',
      () =>
        archive(
          [
            one({
              wide: true,
              content: zeros(30_000_000),
              central: { size: 10 },
              local: { size: 10 },
            }),
          ],
          { zip64: true },
        ),
      /larger than declared/,
    ],
    [
      'with one file that is too large',
      () => archive([one({ content: zeros(25_000_000) })]),
      /too large when unpacked/,
    ],
    [
      'with many files that are too large together',
      () =>
        archive(
          Array.from({ length: 30 }, (_, at) => one({ name: `${at}`, content: zeros(1_000_000) })),
        ),
      /too large when unpacked/,
    ],
    [
      'with a file that is too large two archives deep',
      () =>
        archive([
          one({
            name: 'a.zip',
            content: archive([
              one({ name: 'b.zip', content: archive([one({ content: zeros(25_000_000) })]) }),
            ]),
          }),
        ]),
      /too large when unpacked/,
    ],
    ['that is nested too deeply', () => nest(5), /too deep/],
    [
      'with two entries that share their data',
      () => archive([one(), one({ central: { at: 0 } })]),
      /overlap/,
    ],
    [
      'with an entry that overlaps the next one',
      () =>
        archive([
          one({
            stored: true,
            content: text,
            local: { size: 200, packed: 200 },
            central: { size: 200, packed: 200 },
          }),
          one({ name: 'b' }),
        ]),
      /overlap/,
    ],
    [
      'with an entry inside another one',
      () => {
        const inner = archive([one({ stored: true })]).subarray(0, 30 + 5 + text.length)
        return archive([
          one({ name: 'outer', stored: true, content: inner }),
          one({ stored: true, central: { at: 35 } }),
        ])
      },
      /overlap/,
    ],
    [
      'with an entry missing from the directory',
      () => archive([one()], { hidden: two.subarray(0, 120) }),
      /not in the directory/,
    ],
    [
      'with an entry hidden after the data of another',
      () => archive([one({ garbage: two.subarray(0, 100) })]),
      /is cut off/,
    ],
    [
      'whose headers have different names',
      () => archive([one({ local: { name: 'b.exe' } })]),
      /does not match the directory/,
    ],
    [
      'whose headers have different methods',
      () => archive([one({ local: { method: 0 } })]),
      /does not match the directory/,
    ],
    [
      'with a wrong entry offset',
      () => archive([one({ central: { at: 7 } })]),
      /in the wrong place/,
    ],
    [
      'with an unknown compression method',
      () => archive([one({ method: 14 })]),
      /unknown compression/,
    ],
    [
      'with invalid deflate data',
      () => archive([one({ stored: true, method: 8 })]),
      /cannot be unpacked/,
    ],
    ['that is encrypted', () => archive([one({ encrypted: true })]), /encrypted/],
    [
      'with a wrong number of entries',
      () => archive([one()], { count: 2 }),
      /wrong number of entries/,
    ],
    [
      'with data after its end',
      () => archive([one()], { tail: 'more' }),
      /the end of the directory/,
    ],
    ['that is truncated', () => two.subarray(0, -30), /the end of the directory/],
    [
      'with a wrong directory offset',
      () => Buffer.concat([Buffer.from('PK__'), two]),
      /is not before its end/,
    ],
    [
      'with too many entries',
      () =>
        archive(
          Array.from({ length: 20_001 }, (_, at) =>
            one({ name: `${at}`, content: zeros(0), stored: true }),
          ),
        ),
      /too many/,
    ],
  ])('%s', async (_, make, sentence) => {
    const refused = await check(make()).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ArchiveError)
    expect((refused as Error).message).toMatch(sentence)
  })

  test('with an ArchiveError if its end is lost', async () => {
    for (let length = 0; length < damageable.length; length += 3)
      await expect(check(damageable.subarray(0, length)), `${length}`).rejects.toThrow(ArchiveError)
  })

  test('with an ArchiveError if a changed byte affects its entries or their sizes', async () => {
    const sizesOf = (bytes: Uint8Array) =>
      Object.entries(unzipSync(bytes)).map(([name, { length }]) => [name, length])
    const sizes = sizesOf(damageable)
    let accepted = 0
    for (let at = 0; at < damageable.length; at++) {
      const changed = Buffer.from(damageable)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      const refused = await check(changed).catch((error: unknown) => error)
      if (refused !== undefined) expect(refused).toBeInstanceOf(ArchiveError)
      else {
        expect(sizesOf(changed), `byte ${at}`).toEqual(sizes)
        accepted++
      }
    }
    expect(accepted).toBeLessThan(damageable.length)
  })
})

test('at most 50 checks wait for the running one; more are refused', async () => {
  const results = await Promise.allSettled(Array.from({ length: 54 }, () => check(two)))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(3)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'request.too_many', status: 429, retryAfter: 30 })
  await expect(check(two)).resolves.toBeUndefined()
})

test('temporary files are deleted after the check', async () => {
  const left = async () =>
    (await readdir(os.tmpdir())).filter((name) => name.startsWith('atrium-archive-'))
  const before = await left()
  await check(nest(3))
  await check(nest(5)).catch(() => {})
  expect((await left()).filter((name) => !before.includes(name))).toEqual([])
})
