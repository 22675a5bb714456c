import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { files, type UploadedFile } from '@atrium/contract/content/files'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBackup } from '#platform/database/backup-format.ts'
import { restoreBackup } from '#platform/database/restore-backup.ts'
import { writeBackup } from '#platform/database/write-backup.ts'
import { openStorage } from '#platform/storage/open-storage.ts'
import { openCommand } from '../../../../test/command.ts'
import { eicar, startClamd } from '../../../../test/fake-clamd.ts'
import { startS3 } from '../../../../test/fake-s3.ts'
import { feedServer } from '../../../../test/feed-server.ts'
import { ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { testSecret } from '../../../../test/setup.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { collectFiles } from './collect-garbage.ts'
import { convertPending, hasOffice } from './office.ts'
import { rescanQuarantined } from './rescan-quarantine.ts'

type Node = Awaited<ReturnType<typeof openNode>>
let atrium: TestApp
let token: string
const { folder } = ownFolder()
const nodes: Node[] = []
beforeAll(async () => {
  atrium = await testApp()
  token = await atrium.tokenOf('student')
})
afterAll(async () => {
  for (const { app, platform } of nodes) {
    await app.close()
    await platform.close()
  }
})

async function node(variables: Record<string, string>) {
  const opened = await openNode(atrium.url, variables)
  nodes.push(opened)
  const call = (method: 'GET' | 'POST', url: string, headers = {}, payload?: Buffer) =>
    opened.app.inject({
      method,
      url,
      headers: { 'x-id-token': token, ...headers },
      ...(payload && { payload }),
    })
  return {
    platform: opened.platform,
    fetch: (url: string, headers = {}) => call('GET', url, headers),
    async upload(name: string, bytes: Uint8Array | string) {
      const body = Buffer.concat([
        Buffer.from(
          `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
        ),
        Buffer.from(bytes),
        Buffer.from('\r\n--b--\r\n'),
      ])
      const type = { 'content-type': 'multipart/form-data; boundary=b' }
      const answer = await call('POST', files.upload.path, type, body)
      return answer.json<{ data: UploadedFile; error?: string }>()
    },
  }
}

describe('an S3 bucket', () => {
  test('stores and serves uploads, is backed up and restored, and loses unreferenced files', async () => {
    const s3 = await startS3()
    const { upload, fetch, platform } = await node({
      ...s3.variables,
      ATRIUM_DATA_DIR: path.join(folder, 's3'),
    })
    const content = randomBytes(300_000).toString('hex')
    const { data } = await upload('讲义.txt', content)
    expect(s3.refused).toEqual([])
    expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{2}\/[0-9a-f]{64}$/)])
    expect((await fetch(data.url)).body).toBe(content)
    const part = await fetch(data.url, { range: 'bytes=10-19' })
    expect([part.statusCode, part.body]).toEqual([206, content.slice(10, 20)])

    // A backup includes the bucket's content and restores it into a folder or another bucket.
    const own = await ownDatabase({ migrated: false })
    const backup = path.join(folder, 's3.backup')
    const written = await writeBackup(
      { url: atrium.url, secret: testSecret, storage: platform.files.storage },
      backup,
    )
    const [object] = s3.objects.keys()
    const sha256 = object?.slice(3) as string
    expect(written.missing).not.toContain(sha256)
    await checkBackup(backup)
    const storage = await openStorage({ ATRIUM_DATA_DIR: path.join(folder, 'restored') })
    const dataDir = path.join(folder, 'restored')
    await restoreBackup({ url: own.url, dataDir, storage, secret: undefined }, backup)
    expect(await storage.size(sha256)).toBe(content.length)

    // The listing is paged; unreferenced objects are deleted from the bucket.
    for (const name of ['a', 'b', 'c', 'd'])
      await upload(`${name}.txt`, randomBytes(9).toString('hex'))
    for (const object of s3.objects.values()) object.at = new Date(0)
    await sql`update file set used_at = to_timestamp(0) where name is not null`.execute(platform.db)
    await collectFiles(platform)
    expect(s3.objects.size).toBe(0)

    s3.break(true)
    expect(await upload('later.txt', 'later')).toMatchObject({ error: 'server.failed' })
    s3.break(false)
    const { rows } = await sql`select 1 from file where name = 'later.txt'`.execute(platform.db)
    expect(rows).toEqual([])
    await s3.stop()
  }, 60_000)

  test('receives the pictures of articles imported on the command line', async () => {
    const s3 = await startS3()
    const site = await feedServer()
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    site.hold('/gate.png', png, { 'content-type': 'image/png' })
    const articles = path.join(folder, 'articles')
    mkdirSync(articles)
    writeFileSync(path.join(articles, 'a.md'), `# 校门\n\n![](${site.address('/gate.png')})`)
    const { url } = await ownDatabase()
    const dataDir = path.join(folder, 's3-import')
    const { atrium: command } = openCommand(url, dataDir)
    const run = await command(['import', 'news', articles, '--column', 'campus'], '', {
      ...s3.variables,
      ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${site.port}`,
    })
    expect(run).toMatchObject({ code: 0, output: expect.not.stringContaining('pictures left out') })
    expect(s3.objects.size).toBe(1)
    await s3.stop()
  }, 60_000)
})

describe('clamd', () => {
  test('scans every upload, and uploads are rejected while it is unavailable', async () => {
    const clamd = await startClamd()
    const { upload } = await node({ ATRIUM_CLAMD: clamd.address })
    expect((await upload('clean.txt', randomBytes(400_000).toString('hex'))).data.held).toBe(false)
    expect(await upload('bad.txt', `before ${eicar} after`)).toMatchObject({
      error: 'file.infected',
    })
    expect(clamd.scanned()).toBe(2)
    await clamd.stop()
    expect(await upload('clean.txt', 'clean')).toMatchObject({ error: 'file.scanner_down' })
  })

  test('can hold uploads while it is unavailable, until they are scanned', async () => {
    const clamd = await startClamd()
    const { upload, fetch, platform } = await node({
      ATRIUM_CLAMD: clamd.address,
      ATRIUM_CLAMD_DOWN: 'hold',
    })
    await clamd.stop()
    const clean = await upload('held.txt', randomBytes(9).toString('hex'))
    const bad = await upload('held bad.txt', eicar)
    expect([clean.data.held, bad.data.held]).toEqual([true, true])
    expect((await fetch(clean.data.url)).statusCode).toBe(404)
    expect((await fetch(`/files/${clean.data.id}/preview`)).json()).toMatchObject({
      error: 'file.held',
    })
    await rescanQuarantined(platform)
    expect((await fetch(clean.data.url)).statusCode).toBe(404)
    const back = await startClamd()
    await rescanQuarantined({ ...platform, env: { ...platform.env, ATRIUM_CLAMD: back.address } })
    expect((await fetch(clean.data.url)).statusCode).toBe(200)
    expect((await fetch(bad.data.url)).statusCode).toBe(404)
    await back.stop()
  })
})

const document = (words: string) =>
  zipSync({
    '[Content_Types].xml': strToU8(
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`,
    ),
  })

describe('an office file', () => {
  const preview = async (one: Awaited<ReturnType<typeof node>>, id: string) =>
    (await one.fetch(`/files/${id}/preview`)).json().data

  test('has no preview if LibreOffice is not installed', async () => {
    const without = await node({ ATRIUM_OFFICE: 'off' })
    const { data } = await without.upload('a.docx', document('hello'))
    expect(data.kind).toBe('office')
    expect(await preview(without, data.id)).toMatchObject({ kind: 'none', status: 'unavailable' })
  })

  test('is converted to PDF by a restricted process without our environment variables', async () => {
    // Stands in for LibreOffice: accepts its arguments and records its environment.
    const bin = path.join(folder, 'office')
    mkdirSync(bin, { mode: 0o755 })
    chmodSync(folder, 0o755)
    const program = path.join(bin, 'soffice')
    writeFileSync(
      program,
      `#!/bin/sh
while [ "$1" != --outdir ]; do shift; done
[ -s "$3" ] || exit 1
{ printf '%%PDF-1.4\\n'; env; id -u; ulimit -v; } > "$2/document.pdf"
`,
      { mode: 0o755 },
    )
    const one = await node({ ATRIUM_OFFICE: program })
    const { data } = await one.upload('报告.docx', document('hello there'))
    expect(await preview(one, data.id)).toMatchObject({ kind: 'pdf', status: 'waiting' })
    await convertPending(one.platform)
    const made = await preview(one, data.id)
    expect(made).toMatchObject({ kind: 'pdf', status: 'ready', name: '报告.docx' })
    const { body } = await one.fetch(made.url)
    expect(body).toMatch(/^%PDF/)
    expect(body).not.toContain('ATRIUM')
    expect(body).toMatch(/\n6000000\n$/)
    if (process.getuid?.() === 0) expect(body).toMatch(/\n65534\n/)
    // The PDF is collected after its document.
    await sql`update file set used_at = to_timestamp(0)`.execute(one.platform.db)
    await collectFiles(one.platform)
    await collectFiles(one.platform)
    expect((await one.fetch(made.url)).statusCode).toBe(404)
  })

  test('that cannot be converted is tried twice and then has a failed preview', async () => {
    // Fails, and records that it ran.
    const program = path.join(folder, 'failing-office')
    const tries = path.join(folder, 'tries')
    mkdirSync(tries)
    chmodSync(folder, 0o755)
    chmodSync(tries, 0o777)
    writeFileSync(program, `#!/bin/sh\nmktemp -p '${tries}'\nexit 1\n`, { mode: 0o755 })
    const one = await node({ ATRIUM_OFFICE: program })
    const { data } = await one.upload('b.docx', document('bad'))
    await preview(one, data.id)
    await convertPending(one.platform)
    expect(await preview(one, data.id)).toMatchObject({ status: 'failed' })
    expect(readdirSync(tries)).toHaveLength(2)
  })

  const office = hasOffice('soffice')
  if (!office) console.log('LibreOffice is not on the PATH: its own test is skipped')
  test.runIf(office)(
    'is converted to PDF by LibreOffice',
    async () => {
      const one = await node({ ATRIUM_OFFICE: 'soffice' })
      const { data } = await one.upload('c.docx', document('江岚大学'))
      await preview(one, data.id)
      await convertPending(one.platform)
      const made = await preview(one, data.id)
      expect(made).toMatchObject({ kind: 'pdf', status: 'ready' })
      expect((await one.fetch(made.url)).body).toMatch(/^%PDF-1/)
    },
    120_000,
  )
})
