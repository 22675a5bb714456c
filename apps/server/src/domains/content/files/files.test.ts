import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { files, resumableFiles, type UploadedFile } from '@atrium/contract/content/files'
import type { FastifyInstance } from 'fastify'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { secondAccount } from '../../../../demo/members.ts'
import { ouyangInGb18030 } from '../../../../test/own-database.ts'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { collectFiles } from './collect-garbage.ts'
import { boundaryOf, readForm } from './multipart.ts'
import { disposition } from './send-file.ts'

let atrium: TestApp
let student: Caller
let token: string
beforeAll(async () => {
  atrium = await testApp()
  student = await atrium.as('student')
  token = await atrium.tokenOf('student')
})
const halfReceived = () =>
  readdirSync(atrium.platform.files.partsFolder).filter((name) => name.endsWith('.part'))
/** No test leaves a partial upload behind. Those of test files running concurrently disappear shortly. */
afterEach(() => expect.poll(halfReceived).toEqual([]))

const boundary = 'x-test-boundary'
const form = (name: string, bytes: Uint8Array | string, field = 'file') =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

async function send(body: Buffer, as: string | null = token, app: FastifyInstance = atrium.app) {
  const response = await app.inject({
    method: 'POST',
    url: files.upload.path,
    payload: body,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(as && { 'x-id-token': as }),
    },
  })
  const { data, error } = response.json<{ data: UploadedFile; error?: string }>()
  return { status: response.statusCode, data, error }
}
const upload = (name: string, bytes: Uint8Array | string, as?: string) =>
  send(form(name, bytes), as)
const fetchFile = (url: string, headers: Record<string, string> = {}) =>
  atrium.app.inject({ method: 'GET', url, headers })
/** Unique content for every test. */
const text = (words = 'hello') => `${words} ${randomBytes(8).toString('hex')}\n`

describe('an upload', () => {
  test('keeps its file name and can only be read at its signed address', async () => {
    const content = text('期末总结')
    const { status, data } = await upload('期末/总结 (1).txt', content)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      name: '总结 (1).txt',
      mediaType: 'text/plain',
      kind: 'text',
      held: false,
    })
    const answer = await fetchFile(data.url)
    expect(answer.body).toBe(content)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
      'content-disposition':
        'inline; filename="__ (1).txt"; filename*=UTF-8\'\'%E6%80%BB%E7%BB%93%20%281%29.txt',
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    expect((await fetchFile(`/files/${data.id}`)).statusCode).toBe(404)
    expect((await fetchFile(data.url.replace('signature=', 'signature=x'))).statusCode).toBe(404)
    const downloaded = await fetchFile(`${data.url}&download=1`)
    expect(downloaded.headers['content-disposition']).toMatch(/^attachment; /)
  })

  test('requires a session', async () => {
    expect(await send(form('a.txt', 'a'), null)).toMatchObject({
      status: 401,
      error: 'session.required',
    })
  })

  test('cannot be listed, previewed or deleted by others without its signed address', async () => {
    const { data } = await upload('mine.txt', text())
    const teacher = await atrium.as('teacher')
    expect((await student(files.mine)).data.list[0]?.id).toBe(data.id)
    expect((await teacher(files.mine)).data.list.map(({ id }) => id)).not.toContain(data.id)
    for (const endpoint of [files.preview, files.remove])
      expect(await teacher(endpoint, { params: { id: data.id } })).toMatchObject({
        status: 404,
        error: 'file.not_found',
      })
    expect((await student(files.preview, { params: { id: data.id } })).status).toBe(200)
    // Anybody with the signed address may preview the file.
    const { searchParams } = new URL(data.url, 'http://a')
    const given = { params: { id: data.id }, query: Object.fromEntries(searchParams) }
    expect((await teacher(files.preview, given)).status).toBe(200)
  })

  test('previewed with a signed address keeps that address and its expiry', async () => {
    const { data } = await upload('until.txt', text())
    const { searchParams } = new URL(data.url, 'http://a')
    const given = { params: { id: data.id }, query: Object.fromEntries(searchParams) }
    vi.setSystemTime(Date.now() + 5 * 60_000)
    try {
      const look = await atrium.visitor(files.preview, given)
      expect(look).toMatchObject({ status: 200, data: { url: data.url } })
      expect(look.data.downloadUrl).toBe(`${data.url}&download=1`)
      const own = await student(files.preview, { params: { id: data.id } })
      expect(own.data.url).not.toBe(data.url)
    } finally {
      vi.useRealTimers()
    }
  })

  test('of the same content by two members creates two files that share its bytes and are deleted independently', async () => {
    const content = text()
    const one = await upload('a.txt', content)
    const again = await upload('a.txt', content)
    const other = await upload('a.txt', content, await atrium.tokenOf('teacher'))
    expect(again.data.id).toBe(one.data.id)
    expect(other.data.id).not.toBe(one.data.id)
    const { storage } = atrium.platform.files
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from file where id in (${one.data.id}, ${other.data.id})`.execute(
      atrium.platform.db,
    )
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(rows).toEqual([{ sha256 }, { sha256 }])
    const keys = (await Array.fromAsync(storage.list())).map(({ key }) => key)
    expect(keys.filter((key) => key.includes(sha256))).toHaveLength(1)
    expect((await student(files.remove, { params: { id: one.data.id } })).status).toBe(200)
    await collectFiles(atrium.platform)
    expect((await fetchFile(one.data.url)).statusCode).toBe(404)
    expect((await fetchFile(other.data.url)).body).toBe(content)
  })

  test.each<[string, string, Uint8Array | string, string]>([
    [
      'HTML with a PNG extension',
      'a.png',
      '<html><script>alert(1)</script>',
      'file.content_mismatch',
    ],
    [
      'an executable with a PDF extension',
      'a.pdf',
      'MZ\u0090\u0000\u0003',
      'file.content_mismatch',
    ],
    ['an SVG', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'file.type_refused'],
    ['an HTML page', 'a.html', '<p>', 'file.type_refused'],
    ['a file without an extension', 'README', 'a', 'file.type_refused'],
    ['an empty file', 'a.txt', '', 'file.empty'],
    [
      'binary data with a text extension',
      'a.txt',
      new Uint8Array([65, 0, 66]),
      'file.content_mismatch',
    ],
    [
      'binary data after a byte order mark',
      'a.txt',
      Buffer.from('fffe7f454c46020101000000000000000000', 'hex'),
      'file.content_mismatch',
    ],
    [
      'UTF-16 with an unpaired surrogate',
      'a.txt',
      Buffer.from('feff0041d83d0042', 'hex'),
      'file.content_mismatch',
    ],
    [
      'UTF-16 with an odd number of bytes',
      'a.txt',
      Buffer.from('fffe410042', 'hex'),
      'file.content_mismatch',
    ],
    ['UTF-16 with NUL', 'a.txt', Buffer.from('fffe410000004200', 'hex'), 'file.content_mismatch'],
    [
      'a plain ZIP with a DOCX extension',
      'a.docx',
      zipSync({ 'a.txt': new Uint8Array(9) }),
      'file.content_mismatch',
    ],
    [
      'a truncated picture',
      'a.png',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'file.content_mismatch',
    ],
  ])('of %s is rejected', async (_, name, bytes, error) => {
    expect(await upload(name, bytes)).toMatchObject({ error })
  })

  test('of a ZIP with an excessive compression ratio or a broken directory is rejected', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(25_000_000) }, { level: 4 })
    for (const name of ['a.zip', 'a.docx'])
      expect(await upload(name, bomb)).toMatchObject({ status: 415, error: 'file.archive_refused' })
    const honest = zipSync({ 'a.txt': randomBytes(1000) })
    expect((await upload('b.zip', honest)).status).toBe(200)
    // A central directory that is cut off, or at the wrong offset.
    expect(await upload('c.zip', honest.subarray(0, -8))).toMatchObject({
      error: 'file.archive_refused',
    })
  })

  test.each([
    ['a.zip', {}],
    [
      'a.docx',
      {
        '[Content_Types].xml': Buffer.from(
          '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        ),
      },
    ],
  ])('of %s that declares 10 bytes for 30 MB of content is rejected', async (name, files) => {
    const lying = Buffer.from(
      zipSync({ ...files, 'word/document.xml': new Uint8Array(30_000_000) }),
    )
    for (const [mark, sizeAt] of [
      ['PK\x03\x04', 22],
      ['PK\x01\x02', 24],
    ] as const)
      lying.writeUInt32LE(10, lying.lastIndexOf(Buffer.from(mark, 'latin1')) + sizeAt)
    expect(await upload(name, lying)).toMatchObject({ status: 415, error: 'file.archive_refused' })
  })

  test('of a picture with 100 million pixels is rejected by its header, before it is decoded', async () => {
    // Its content is a single pixel: decoding it would fail as a content mismatch.
    const red = { width: 1, height: 1, channels: 3, background: 'red' } as const
    const png = await sharp({ create: red }).png().toBuffer()
    png.writeUInt32BE(10_000, 16)
    png.writeUInt32BE(10_000, 20)
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
    expect(await upload('a.png', png)).toMatchObject({
      status: 413,
      error: 'file.picture_too_large',
    })
  })

  test('of a photo removes its camera and location metadata', async () => {
    const taken = await sharp({
      create: { width: 40, height: 20, channels: 3, background: '#28c' },
    })
      .withExif({ IFD0: { Model: 'Secret phone' }, IFD3: { GPSLatitude: '31/1 2/1 3/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(taken).metadata()).exif).toBeDefined()
    const { data } = await upload('照片.JPG', taken)
    const kept = (await fetchFile(data.url)).rawPayload
    const about = await sharp(kept).metadata()
    expect(about).toMatchObject({ format: 'jpeg', width: 20, height: 40 })
    expect(about.exif).toBeUndefined()
    expect(kept.includes('Secret phone')).toBe(false)
  })

  test('that is truncated or malformed is rejected and leaves no partial file', async () => {
    const whole = form('a.txt', text())
    expect(await send(whole.subarray(0, -20))).toMatchObject({ error: 'file.upload_broken' })
    expect(await send(Buffer.from('no form'))).toMatchObject({ error: 'file.upload_broken' })
    expect(await send(form('a.txt', 'a', 'other'))).toMatchObject({ error: 'file.upload_broken' })
    const two = Buffer.concat([
      form('a.txt', 'a').subarray(0, -4),
      Buffer.from('\r\n'),
      form('b.txt', 'b').subarray(boundary.length + 4),
    ])
    expect(await send(two)).toMatchObject({ error: 'file.upload_broken' })
  })

  test('that exceeds the size limit or the remaining quota is rejected, also when concurrent', async () => {
    const { db } = atrium.platform
    await updateSetting(db, 'uploadLargestMB', '1')
    await expect
      .poll(async () => (await upload('a.txt', 'a'.repeat(1_100_000))).error)
      .toBe('file.too_large')
    await updateSetting(db, 'uploadLargestMB', '200')
    const teacher = await atrium.tokenOf('staff')
    await updateSetting(db, 'uploadQuotaMB', '1')
    const half = () =>
      upload(`${randomBytes(4).toString('hex')}.txt`, randomBytes(350_000).toString('hex'), teacher)
    await expect
      .poll(async () => (await atrium.withToken(teacher)(files.mine)).data.quotaBytes)
      .toBe(1024 ** 2)
    // Two concurrent uploads: only one still fits.
    const errors = (await Promise.all([half(), half()])).map(({ error }) => error)
    expect(errors.filter((error) => error === 'file.quota_full')).toHaveLength(1)
    await updateSetting(db, 'uploadQuotaMB', '1024')
  })
})

describe('reading a file', () => {
  test('returns the whole content to concurrent readers, even if one is slow or disconnects', async () => {
    const wav = Buffer.concat([
      Buffer.from('RIFF\x00\x00\x00\x00WAVEfmt ', 'latin1'),
      randomBytes(6_000_000),
    ])
    const { data } = await upload('長い録音.wav', wav)
    const address = await atrium.app.listen({ port: 0, host: '127.0.0.1' })
    const fetchSlowly = async (breaths: number) => {
      const hash = createHash('sha256')
      const answer = await fetch(`${address}${data.url}`)
      for await (const bytes of answer.body ?? []) {
        hash.update(bytes)
        for (let breath = 0; breath < breaths; breath++) await setImmediate()
      }
      return hash.digest('hex')
    }
    const away = new AbortController()
    const left = fetch(`${address}${data.url}`, { signal: away.signal }).then(async (answer) => {
      await answer.body?.getReader().read()
      away.abort()
    })
    const whole = createHash('sha256').update(wav).digest('hex')
    expect(await Promise.all([fetchSlowly(0), fetchSlowly(20), left])).toEqual([
      whole,
      whole,
      undefined,
    ])
  })

  test('with HEAD returns only the headers and does not read the content', async () => {
    const { data } = await upload('headers.txt', text())
    const pour = vi.spyOn(atrium.platform.files, 'pour')
    const answer = await atrium.app.inject({ method: 'HEAD', url: data.url })
    expect(answer.headers['content-length']).toBe(String(data.byteSize))
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(pour).not.toHaveBeenCalled()
    pour.mockRestore()
  })

  test('returns the requested range', async () => {
    const content = randomBytes(5000)
    const wav = Buffer.concat([Buffer.from('RIFF\x00\x00\x00\x00WAVEfmt ', 'latin1'), content])
    const { data } = await upload('录音.wav', wav)
    expect(data.kind).toBe('audio')
    const part = await fetchFile(data.url, { range: 'bytes=100-199' })
    expect(part.statusCode).toBe(206)
    expect(part.headers).toMatchObject({
      'content-range': `bytes 100-199/${wav.length}`,
      'content-length': '100',
      'accept-ranges': 'bytes',
    })
    expect(part.rawPayload).toEqual(wav.subarray(100, 200))
    const last = await fetchFile(data.url, { range: 'bytes=-10' })
    expect(last.rawPayload).toEqual(wav.subarray(-10))
    const open = await fetchFile(data.url, { range: `bytes=${wav.length - 5}-` })
    expect(open.rawPayload).toEqual(wav.subarray(-5))
    const beyond = await fetchFile(data.url, { range: 'bytes=99999-' })
    expect(beyond.statusCode).toBe(416)
    expect(beyond.headers['content-range']).toBe(`bytes */${wav.length}`)
    // A different version was requested, or an unsupported range: the whole file.
    const other = await fetchFile(data.url, { range: 'bytes=0-9', 'if-range': '"other"' })
    expect([other.statusCode, other.rawPayload.length]).toEqual([200, wav.length])
    expect((await fetchFile(data.url, { range: 'bytes=0-1,4-5' })).statusCode).toBe(200)
    const known = await fetchFile(data.url, { 'if-none-match': String(part.headers.etag) })
    expect(known.statusCode).toBe(304)
  })

  test('encodes special characters in the file name for old and new browsers', () => {
    expect(disposition('attachment', 'a"b\\c%.txt')).toBe(
      'attachment; filename="a_b_c_.txt"; filename*=UTF-8\'\'a%22b%5Cc%25.txt',
    )
    expect(disposition('inline', "it's *.txt")).toContain("UTF-8''it%27s%20%2A.txt")
  })
})

test('a picture that has not been scanned is not served in any size', async () => {
  const dots = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { data } = await upload('held.png', dots)
  const { db } = atrium.platform
  const hold = (held: boolean) =>
    db.updateTable('file').set({ scanned: !held }).where('id', '=', data.id).execute()
  const small = `/thumbor/unsafe/5x5/${encodeURIComponent(data.url)}`
  await hold(true)
  expect((await fetchFile(small)).json()).toMatchObject({ error: 'image.not_found' })
  await hold(false)
  expect((await fetchFile(small)).statusCode).toBe(200)
})

describe('a preview', () => {
  const preview = async (name: string, bytes: Uint8Array | string) => {
    const { data, error } = await upload(name, bytes)
    expect(error).toBeUndefined()
    return (await student(files.preview, { params: { id: data.id } })).data
  }

  test('of a text shows its beginning, whatever its encoding', async () => {
    expect(await preview('a.txt', '江岚\r\n大学')).toMatchObject({
      kind: 'text',
      text: '江岚\n大学',
    })
    expect(await preview('b.txt', ouyangInGb18030)).toMatchObject({ text: '欧阳' })
    expect(await preview('c.txt', Buffer.from('\ufeff学', 'utf16le'))).toMatchObject({ text: '学' })
    const swapped = Buffer.from('\ufeff大学 A', 'utf16le').swap16()
    expect(await preview('e.txt', swapped)).toMatchObject({ text: '大学 A' })
    const long = await preview('d.txt', '长'.repeat(200_000))
    expect(long.truncated).toBe(true)
    expect(long.text).toMatch(/^长{80000,}\ufffd?$/)
  })

  test('of a table shows its first rows', async () => {
    expect(await preview('a.csv', '姓名,分数\n"李, 一",90\n')).toMatchObject({
      kind: 'table',
      rows: [
        ['姓名', '分数'],
        ['李, 一', '90'],
      ],
      truncated: false,
    })
    const many = await preview(
      'b.csv',
      Array.from({ length: 2000 }, (_, at) => `${at};x`).join('\n'),
    )
    expect(many.rows).toHaveLength(300)
    expect(many.truncated).toBe(true)
  })

  test('of a file without a name has the title of an article that shows it to the reader', async () => {
    const { db, files: kept } = atrium.platform
    const teacher = await atrium.as('teacher')
    const about = { mediaType: 'text/plain', isPublic: true }
    const id = await kept.keep(db, Buffer.from(text()), about)
    const previewBy = async (who: Caller) => (await who(files.preview, { params: { id } })).data
    expect(await previewBy(teacher)).not.toHaveProperty('title')
    const article = await db
      .selectFrom('article')
      .innerJoin('news_column', 'news_column.id', 'article.column_id')
      .select(['article.id', 'article.title', 'article.title_en'])
      .where('news_column.code', '=', 'teachers')
      .limit(1)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('article')
      .set({ image_file_id: id })
      .where('id', '=', article.id)
      .execute()
    const { title, title_en: titleEn } = article
    expect(await previewBy(teacher)).toMatchObject({ title, titleEn })
    // Students may not see that article.
    expect(await previewBy(student)).not.toHaveProperty('title')
    const { data: named } = await upload('名.txt', text())
    expect((await student(files.preview, { params: { id: named.id } })).data).not.toHaveProperty(
      'title',
    )
  })

  test('is unavailable for an archive, and rejected while previews are disabled', async () => {
    const { data } = await upload('a.zip', zipSync({ 'a.txt': randomBytes(20) }))
    const asked = () => student(files.preview, { params: { id: data.id } })
    expect((await asked()).data).toMatchObject({ kind: 'none', status: 'unavailable' })
    await updateSetting(atrium.platform.db, 'enableFilePreview', '0')
    await expect.poll(async () => (await asked()).error).toBe('file.preview_off')
    await updateSetting(atrium.platform.db, 'enableFilePreview', '1')
    await expect.poll(async () => (await asked()).status).toBe(200)
  })
})

describe('collecting unreferenced files', () => {
  const age = (id: string) =>
    sql`update file set used_at = now() - interval '30 days' where id = ${id}`.execute(
      atrium.platform.db,
    )
  const isThere = async (id: string) => {
    const row = await atrium.platform.db
      .selectFrom('file')
      .select('sha256')
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined
  }

  test('deletes them and their content after the grace period, and keeps referenced files', async () => {
    const { db, files: store } = atrium.platform
    const content = randomBytes(200).toString('hex')
    const [old, fresh, referred, named] = await Promise.all(
      ['old', 'fresh', 'referred', 'named'].map(
        async (name) => (await upload(`${name}.txt`, content + name)).data.id,
      ),
    )
    await sql`update service set icon_file_id = ${referred} where id = (select min(id) from service)`.execute(
      db,
    )
    await sql`update article set body = body || ${`<img src="/files/${named}/x.png">`} where id = (select min(id) from article)`.execute(
      db,
    )
    for (const id of [old, referred, named]) await age(id as string)
    const sha256 = createHash('sha256').update(`${content}old`).digest('hex')
    expect(await store.storage.size(sha256)).toBeGreaterThan(0)
    await collectFiles(atrium.platform)
    expect(
      await Promise.all([old, fresh, referred, named].map((id) => isThere(id as string))),
    ).toEqual([false, true, true, true])
    expect(await store.storage.size(sha256)).toBeUndefined()
    expect(await student(files.remove, { params: { id: referred as string } })).toMatchObject({
      status: 409,
      error: 'file.in_use',
    })
    await sql`update service set icon_file_id = null where icon_file_id = ${referred}`.execute(db)
  })

  test('keeps the demo’s own pictures', async () => {
    const { db } = atrium.platform
    await sql`update file set used_at = now() - interval '30 days' where name is null`.execute(db)
    const count = () =>
      db
        .selectFrom('file')
        .select(sql<number>`count(*)::integer`.as('n'))
        .where('name', 'is', null)
        .executeTakeFirstOrThrow()
    const before = await count()
    await collectFiles(atrium.platform)
    expect(await count()).toEqual(before)
  })

  test('keeps content that is uploaded again at the same time', async () => {
    const content = text('raced')
    const first = await upload('raced.txt', content)
    await age(first.data.id)
    const [again] = await Promise.all([upload('raced.txt', content), collectFiles(atrium.platform)])
    expect((await fetchFile(again.data.url)).body).toBe(content)
  })

  test('deletes stray content and abandoned partial uploads', async () => {
    const { files: store } = atrium.platform
    const sha256 = randomBytes(32).toString('hex')
    const folder = path.join(store.storage.place, sha256.slice(0, 2))
    await store.keep(atrium.platform.db, randomBytes(10), {
      mediaType: 'text/plain',
      isPublic: false,
    })
    mkdirSync(folder, { recursive: true })
    const stray = path.join(folder, sha256)
    const half = path.join(store.partsFolder, 'half')
    const long = new Date(Date.now() - 40 * 86_400_000)
    for (const file of [stray, half]) {
      await writeFile(file, 'x')
      await utimes(file, long, long)
    }
    await collectFiles(atrium.platform)
    expect([existsSync(stray), existsSync(half)]).toEqual([false, false])
  })
})

describe('a resumable upload', () => {
  const tus = (
    method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: Buffer,
    as = token,
    app = atrium.app,
  ) =>
    app.inject({
      method,
      url,
      headers: { 'tus-resumable': '1.0.0', 'x-id-token': as, ...headers },
      ...(payload && { payload }),
    })
  const begin = (name: string, length: number, as?: string, app?: FastifyInstance) =>
    tus(
      'POST',
      resumableFiles,
      {
        'upload-length': String(length),
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
      undefined,
      as,
      app,
    )
  const piece = { 'content-type': 'application/offset+octet-stream' }

  test('continues at its offset after an interruption, for its owner only', async () => {
    const content = Buffer.from(text('讲义').repeat(2000))
    const begun = await begin('讲义.txt', content.length)
    expect(begun.statusCode).toBe(201)
    const url = String(begun.headers.location)
    expect(url).toMatch(/^\/files\/resumable\/[0-9a-f]{32}$/)
    const first = await tus(
      'PATCH',
      url,
      { ...piece, 'upload-offset': '0' },
      content.subarray(0, 9000),
    )
    expect(first.statusCode).toBe(204)
    expect((await tus('HEAD', url, {})).headers['upload-offset']).toBe('9000')
    const teacher = await atrium.tokenOf('teacher')
    expect((await tus('HEAD', url, {}, undefined, teacher)).statusCode).toBe(404)
    const wrong = await tus('PATCH', url, { ...piece, 'upload-offset': '9' }, Buffer.from('x'))
    expect(wrong.statusCode).toBe(409)
    const last = await tus(
      'PATCH',
      url,
      { ...piece, 'upload-offset': '9000' },
      content.subarray(9000),
    )
    expect(last.statusCode).toBe(200)
    const { data } = last.json<{ data: UploadedFile }>()
    expect(data).toMatchObject({ name: '讲义.txt', byteSize: content.length })
    expect((await fetchFile(data.url)).rawPayload).toEqual(content)
    expect((await tus('HEAD', url, {})).statusCode).toBe(404)
  })

  test('counts towards the quota from its start until it is abandoned', async () => {
    const { db, files: kept, topics } = atrium.platform
    const admin = await atrium.tokenOf('admin')
    await updateSetting(db, 'uploadQuotaMB', '1')
    await topics.flushed()
    const first = String((await begin('a.mp4', 700_000, admin)).headers.location)
    expect((await begin('b.mp4', 700_000, admin)).json()).toMatchObject({
      error: 'file.quota_full',
    })
    expect((await begin('b.mp4', 300_000, admin)).statusCode).toBe(201)
    // Uploads of other members are unaffected.
    const teacher = await atrium.tokenOf('teacher')
    expect((await begin('c.mp4', 700_000, teacher)).statusCode).toBe(201)
    const hourAgo = new Date(Date.now() - 3_600_000)
    const id = first.split('/').at(-1) ?? ''
    await utimes(path.join(kept.partsFolder, 'resumable', id), hourAgo, hourAgo)
    expect((await begin('d.mp4', 700_000, admin)).statusCode).toBe(201)
    expect((await tus('HEAD', first, {}, undefined, admin)).statusCode).toBe(404)
    await updateSetting(db, 'uploadQuotaMB', '1024')
    await topics.flushed()
  })

  test('counts towards the quota together with concurrent uploads on all nodes', async () => {
    const { db, topics } = atrium.platform
    const member = await atrium.tokenOf(secondAccount.username)
    const other = await openNode(atrium.url)
    try {
      await updateSetting(db, 'uploadQuotaMB', '1')
      await topics.flushed()
      await other.platform.topics.flushed()
      const many = Array.from({ length: 12 }, (_, at) =>
        begin(`${at}.mp4`, 300_000, member, at % 2 === 0 ? atrium.app : other.app),
      )
      const statuses = (await Promise.all(many)).map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 201)).toHaveLength(3)
      expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    } finally {
      await other.app.close()
      await other.platform.close()
      await updateSetting(db, 'uploadQuotaMB', '1024')
      await topics.flushed()
    }
  })

  test('is rejected at its start for a wrong type or size, and at its end for wrong content', async () => {
    expect((await begin('a.exe', 10)).json()).toMatchObject({ error: 'file.type_refused' })
    expect((await begin('a.mp4', 3_000_000_000)).statusCode).toBe(413)
    const begun = await begin('a.pdf', 4)
    const answer = await tus(
      'PATCH',
      String(begun.headers.location),
      { ...piece, 'upload-offset': '0' },
      Buffer.from('nope'),
    )
    expect(answer.statusCode).toBe(415)
    expect(answer.json()).toMatchObject({ error: 'file.content_mismatch', data: null })
    const stopped = await begin('a.mp4', 1000)
    expect((await tus('DELETE', String(stopped.headers.location), {})).statusCode).toBe(204)
  })
})

describe('a multipart form', () => {
  test('is parsed the same however it is split into chunks', async () => {
    const content = Buffer.from(`a\r\n--${boundary.slice(1)}\r\n\r\nb\r\n-`)
    const whole = form('名 "x".txt', content)
    for (const size of [1, 2, 7, 31, 1000]) {
      const pieces = async function* () {
        for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
      }
      const read: Buffer[] = []
      for await (const event of readForm(pieces(), boundary))
        if (event.kind === 'bytes') read.push(event.bytes)
      expect(Buffer.concat(read)).toEqual(content)
    }
  })

  test.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
    ['multipart/form-data', undefined],
    ['application/json', undefined],
    [undefined, undefined],
  ])('with the content type %s has the boundary %s', (header, found) => {
    expect(boundaryOf(header)).toBe(found)
  })
})
