import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { errors } from '@atrium/contract/errors'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { invalidate } from '#platform/database/topics.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { testSecret } from '../../../../test/setup.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { openImageCache } from './image-cache.ts'
import { signatureOf } from './rules.ts'

const key = 'a key only the tests know'
const webp = { accept: 'image/avif;q=0,image/webp,*/*' }

/** A site of the institution with pictures and other files. */
let requestCount = 0
let down = false
const site = http.createServer(async (request, response) => {
  requestCount++
  if (down) return response.destroy()
  if (request.url === '/missing.png') return response.writeHead(404).end()
  if (request.url === '/broken.png') return response.writeHead(500).end()
  if (request.url === '/slow.png') return
  if (request.url === '/moved.png')
    return response.writeHead(302, { location: '/picture.png' }).end()
  if (request.url === '/page.png') return response.end('<html>')
  if (request.url === '/large.png') return response.end(Buffer.alloc(16_000_000))
  if (request.url === '/drawn.svg')
    return response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  response.end(await picture)
})
const picture = sharp({
  create: {
    width: 600,
    height: 400,
    channels: 4,
    background: { r: 200, g: 30, b: 30, alpha: 0.5 },
  },
})
  .png()
  .withExif({ IFD0: { Copyright: 'somebody' } })
  .toBuffer()

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let port: number
let folder: string
let publicId: string
let privateId: string
beforeAll(async () => {
  app = await testApp()
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  port = (site.address() as AddressInfo).port
  folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-images-'))
  node = await openNode(app.url, {
    ATRIUM_DATA_DIR: folder,
    ATRIUM_SECRET: testSecret,
    ATRIUM_IMAGE_KEY: key,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.0/8:${port}`,
  })
  const { db, files, topics } = node.platform
  await updateSetting(db, 'imageHosts', JSON.stringify([`127.0.0.1:${port}`, '127.0.0.1:9']))
  await topics.flushed()
  const storeFile = async (bytes: Buffer, isPublic: boolean, mediaType = 'image/png') =>
    files.keep(db, bytes, { mediaType, isPublic })
  publicId = await storeFile(await picture, true)
  privateId = await storeFile(
    await sharp(await picture)
      .grayscale()
      .png()
      .toBuffer(),
    false,
  )
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})
const fetchPicture = (address: string, headers: Record<string, string> = webp) =>
  node.app.inject({ url: `/thumbor/${address}`, headers })
const remote = (file: string) => encodeURIComponent(`http://127.0.0.1:${port}/${file}`)

test('an uploaded picture is resized, and converted to WebP if the client accepts it', async () => {
  const answer = await fetchPicture(`unsafe/220x146/files/${publicId}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000',
    vary: expect.stringContaining('accept'),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    etag: expect.stringMatching(/^".+"$/),
  })
  const made = await sharp(answer.rawPayload).metadata()
  expect(made).toMatchObject({ width: 220, height: 146, format: 'webp' })
  expect(made.exif).toBeUndefined()
  const again = await fetchPicture(`unsafe/220x146/files/${publicId}`, {
    ...webp,
    'if-none-match': String(answer.headers.etag),
  })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
})

test.each([
  ['fit-in/300x300/', {}, { format: 'png', width: 300, height: 200, hasAlpha: true }],
  [
    'fit-in/300x300/filters:background_color(white)/',
    {},
    { format: 'jpeg', width: 300, height: 200, hasAlpha: false },
  ],
  ['fit-in/900x900/filters:format(jpeg):quality(10)/', webp, { format: 'jpeg', width: 600 }],
  ['fit-in/300x300/filters:fill(navy):format(png)/', webp, { width: 300, height: 300 }],
  ['filters:grayscale()/', webp, { format: 'webp', width: 600 }],
])('applies the operation %s', async (operation, headers, wanted) => {
  const answer = await fetchPicture(`unsafe/${operation}files/${publicId}`, headers)
  expect(answer.statusCode).toBe(200)
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject(wanted)
})

test('grayscale removes colour, and background_color fills transparency', async () => {
  const grey = await fetchPicture(`unsafe/10x10/filters:grayscale():format(png)/files/${publicId}`)
  const [r, g, b] = await sharp(grey.rawPayload)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  expect([r, r]).toEqual([g, b])
  const white = await fetchPicture(
    `unsafe/10x10/filters:background_color(white):format(png)/files/${publicId}`,
  )
  const [red, green] = await sharp(white.rawPayload).raw().toBuffer()
  expect(red).toBeGreaterThan(220)
  expect(green).toBeGreaterThan(130)
})

test('a private picture requires its signed address', async () => {
  expect((await fetchPicture(`unsafe/220x146/files/${privateId}`)).statusCode).toBe(404)
  const address = node.platform.files.address({ id: privateId, is_public: false })
  const answer = await fetchPicture(`unsafe/220x146/${encodeURIComponent(address)}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('private, max-age=600')
  expect((await fetchPicture(`unsafe/220x146${address}`)).statusCode).toBe(200)
  const forged = address.replace(`/${privateId}`, `/${publicId}`).replace(/.$/, '!')
  expect((await fetchPicture(`unsafe/220x146/${encodeURIComponent(forged)}`)).statusCode).toBe(200) // it is public
  const other = address.replace(/signature=.*/, 'signature=x')
  expect((await fetchPicture(`unsafe/220x146/${encodeURIComponent(other)}`)).statusCode).toBe(404)
  vi.setSystemTime(Date.now() + 11 * 60_000)
  expect((await fetchPicture(`unsafe/220x146/${encodeURIComponent(address)}`)).statusCode).toBe(404)
  vi.useRealTimers()
})

test('a signature is valid only for the address it was made for', async () => {
  const rest = `fit-in/120x120/${remote('picture.png')}`
  expect((await fetchPicture(`${signatureOf(key, rest)}/${rest}`)).statusCode).toBe(200)
  for (const right of [signatureOf(key, `${rest} `), signatureOf('MY_SECURE_KEY', rest), 'safe'])
    expect((await fetchPicture(`${right}/${rest}`)).json()).toMatchObject({
      error: 'image.address_invalid',
    })
  // An unlisted host is refused even with a valid signature.
  const evil = `120x120/${encodeURIComponent('https://evil.example/a.png')}`
  expect((await fetchPicture(`${signatureOf(key, evil)}/${evil}`)).json()).toMatchObject({
    error: 'image.source_refused',
  })
})

test.each([
  ['missing.png', 'image.not_found'],
  ['broken.png', 'image.source_failed'],
  ['moved.png', 'image.source_failed'],
  ['page.png', 'image.unsupported'],
  ['drawn.svg', 'image.unsupported'],
  ['large.png', 'image.too_large'],
] as const)('%s from another site fails with %s and is not retried', async (file, error) => {
  const answer = await fetchPicture(`unsafe/100x100/${remote(file)}`)
  expect(answer.json()).toMatchObject({ error })
  expect(answer.statusCode).toBe(errors[error])
  expect(answer.headers['cache-control']).toBe('no-store')
  // A failing site is not contacted again for every reader.
  const before = requestCount
  expect((await fetchPicture(`unsafe/100x100/${remote(file)}`)).json()).toMatchObject({ error })
  expect(requestCount).toBe(before)
})

test('a listed host with an internal address is rejected', async () => {
  const inside = encodeURIComponent('http://127.0.0.1:9/a.png')
  expect((await fetchPicture(`unsafe/100x100/${inside}`)).json()).toMatchObject({
    error: 'image.source_refused',
  })
})

test('removing a host from the list takes effect immediately', async () => {
  const { db, topics } = node.platform
  const address = `unsafe/50x50/${remote('picture.png')}`
  expect((await fetchPicture(address)).statusCode).toBe(200)
  await updateSetting(db, 'imageHosts', '[]')
  await topics.flushed()
  expect((await fetchPicture(address)).json()).toMatchObject({ error: 'image.source_refused' })
  await updateSetting(db, 'imageHosts', JSON.stringify([`127.0.0.1:${port}`, '127.0.0.1:9']))
  await topics.flushed()
})

test('a remote picture is fetched once a day and stays available while the site is down', async () => {
  const address = `unsafe/60x60/${remote('daily.png')}`
  const before = requestCount
  await Promise.all(Array.from({ length: 10 }, () => fetchPicture(address)))
  await fetchPicture(address)
  expect(requestCount - before).toBe(1)
  vi.setSystemTime(Date.now() + 86_400_000)
  await invalidate(node.platform.db, 'config')
  await node.platform.topics.flushed()
  down = true
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await fetchPicture(address)).statusCode)
  down = false
  vi.useRealTimers()
  // A failing site is not contacted again for every reader, though yesterday's picture is served.
  expect([statuses, requestCount - before]).toEqual([[200, 200, 200], 2])
})

test('AVIF is returned once it has been generated in the background', async () => {
  const avif = { accept: 'image/avif,image/webp,*/*' }
  const address = `unsafe/90x60/files/${publicId}`
  const type = async () => (await fetchPicture(address, avif)).headers['content-type']
  expect([await type(), await type()]).toEqual(['image/webp', 'image/webp'])
  await vi.waitFor(async () => expect(await type()).toBe('image/avif'), { timeout: 5000 })
  expect((await fetchPicture(address)).headers['content-type']).toBe('image/webp')
})

test('files that are not pictures, truncated pictures and decompression bombs are rejected', async () => {
  const { db, files } = node.platform
  const storeFile = (bytes: Buffer, mediaType: string) =>
    files.keep(db, bytes, { mediaType, isPublic: true })
  const svg = await storeFile(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'image/svg+xml',
  )
  const lie = await storeFile(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
    'image/png',
  )
  const half = await storeFile((await picture).subarray(0, 500), 'image/png')
  const text = await storeFile(Buffer.from('hello'), 'text/plain')
  const bomb = await storeFile(
    await sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'white' } })
      .png()
      .toBuffer(),
    'image/png',
  )
  const errorOf = async (id: string) =>
    (await fetchPicture(`unsafe/10x10/files/${id}`)).json().error
  expect([
    await errorOf(svg),
    await errorOf(lie),
    await errorOf(half),
    await errorOf(text),
    await errorOf(bomb),
    await errorOf('999999'),
  ]).toEqual([
    'image.unsupported',
    'image.unsupported',
    'image.unsupported',
    'image.unsupported',
    'image.too_large',
    'image.not_found',
  ])
})

test('fuzzed addresses return 200 or 4xx', async () => {
  const piece = fc.oneof(
    fc.constantFrom('unsafe', 'fit-in', '250x200', '9999x1', 'filters:format(webp)', 'filters:x()'),
    fc.constantFrom(
      'files',
      '1',
      '..',
      '%2e%2e',
      'https:',
      '',
      '127.0.0.1',
      '%00',
      '%',
      '\\',
      '?a=b',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => {
      try {
        return encodeURIComponent(text)
      } catch {
        return '%f'
      }
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 7 }), async (pieces) => {
      const url = `/thumbor/${pieces.join('/')}`.replaceAll(/[^!-~]/g, '')
      const { statusCode } = await node.app.inject({ url })
      // Random addresses may hit the demo's public pictures.
      if (statusCode !== 200) expect([url, Math.floor(statusCode / 100)]).toEqual([url, 4])
    }),
    { numRuns: 500 },
  )
})

test('generating many pictures is rate-limited; cached pictures are still served', async () => {
  const limited = await openNode(app.url, { ATRIUM_DATA_DIR: folder, ATRIUM_RATE_LIMIT: '30' })
  const get = (size: number) =>
    limited.app.inject({ url: `/thumbor/unsafe/${size}x7/files/${publicId}`, headers: webp })
  const statuses: number[] = []
  for (let size = 1; size <= 4; size++) statuses.push((await get(size)).statusCode)
  expect(statuses).toEqual([200, 200, 200, 429])
  for (let again = 0; again < 50; again++) expect((await get(1)).statusCode).toBe(200)
  await limited.app.close()
  await limited.platform.close()
})

test('the cache is bounded, evicts the least recently read entries and survives a restart', async () => {
  const own = path.join(folder, 'bounded')
  const keys = [...'abcd'].map((letter) => letter.repeat(40)) as [string, string, string, string]
  let cache = await openImageCache(own, 3000)
  for (const key of keys.slice(0, 3)) await cache.write(key, Buffer.alloc(1000, key))
  expect(await cache.read(keys[0])).toEqual(Buffer.alloc(1000, keys[0]))
  await cache.write(keys[3], Buffer.alloc(1000))
  expect(keys.map(cache.has)).toEqual([true, false, true, true])
  await cache.write(keys[1], Buffer.alloc(5000))
  expect(cache.has(keys[1])).toBe(false)
  cache = await openImageCache(own, 3000)
  expect(await cache.read(keys[0])).toHaveLength(1000)
  rmSync(path.join(own, 'aa'), { recursive: true })
  expect(await cache.read(keys[0])).toBeUndefined()
  cache = await openImageCache(own, 1000)
  expect(keys.filter(cache.has)).toHaveLength(1)
  expect(
    readdirSync(own, { recursive: true }).filter((name) => String(name).length > 30),
  ).toHaveLength(1)
})
