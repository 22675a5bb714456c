import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { files, type UploadedFile } from '@atrium/contract/content/files'
import { personal } from '@atrium/contract/member/personal'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let student: Caller
let token: string
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  token = await app.tokenOf('student')
})

const boundary = 'x-test-boundary'
async function send(name: string, bytes: Uint8Array, as: string | null = token) {
  const answer = await app.app.inject({
    method: 'POST',
    url: personal.portrait.path,
    payload: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(as && { 'x-id-token': as }),
    },
  })
  const { data, error } = answer.json<{ data: { portraitUrl: string }; error?: string }>()
  return { status: answer.statusCode, data, error }
}
const photograph = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Make: 'a camera' } })
    .jpeg()
    .toBuffer()

test('a portrait is cropped to a square without metadata and set only for the member', async () => {
  const teacher = await app.as('teacher')
  const theirs = (await teacher(personal.me)).data.portraitUrl
  const { status, data } = await send('我.jpg', await photograph(900, 600))
  expect(status).toBe(200)
  expect((await student(personal.me)).data.portraitUrl).toBe(data.portraitUrl)
  expect((await teacher(personal.me)).data.portraitUrl).toBe(theirs)
  const { sha256 } = await app.platform.db
    .selectFrom('file')
    .innerJoin('person', 'person.portrait_file_id', 'file.id')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select('file.sha256')
    .where('account.username', '=', 'student')
    .executeTakeFirstOrThrow()
  const about = await sharp(
    await new Response(ReadableStream.from(app.platform.files.read(sha256))).arrayBuffer(),
  ).metadata()
  expect([about.width, about.height, about.exif]).toEqual([512, 512, undefined])
  expect((await app.app.inject({ url: data.portraitUrl })).statusCode).toBe(200)
  // It is not among the member's own files.
  const mine = await student(files.mine)
  expect((mine.data.list as UploadedFile[]).map(({ name }) => name)).not.toContain('我.jpg')
})

test.each([
  ['我.pdf', '%PDF-1.4', 415, 'file.type_refused'],
  ['我.jpg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 415, 'file.content_mismatch'],
  ['我.jpg', '', 400, 'file.empty'],
])(
  '%s with “%s” is rejected as a portrait and leaves no file',
  async (name, content, status, error) => {
    const before = (await student(personal.me)).data.portraitUrl
    expect(await send(name, Buffer.from(content))).toMatchObject({ status, error })
    expect((await student(personal.me)).data.portraitUrl).toBe(before)
    // Parts received by other test files at the same time disappear soon.
    const halfReceived = () =>
      readdirSync(app.platform.files.partsFolder).filter((one) => one.endsWith('.part'))
    await expect.poll(halfReceived).toEqual([])
  },
)

test('uploading a portrait requires a session', async () => {
  expect(await send('我.jpg', await photograph(8, 8), null)).toMatchObject({ status: 401 })
})

test('a member can edit their Latin name unless a directory manages it', async () => {
  const { userNameEn, editable } = (await student(personal.me)).data
  expect(editable).toEqual(['userNameEn'])
  const change = (name: string, as = student) => as(personal.change, { body: { userNameEn: name } })
  expect((await change(' Zhixia Lin ')).data).toMatchObject({ userNameEn: 'Zhixia Lin' })
  expect(await change('<b>')).toMatchObject({ status: 400 })
  expect(await change('x', app.visitor)).toMatchObject({ status: 401 })
  const { db } = app.platform
  await sql`insert into directory (code, settings) values ('staff', '{}') on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into directory_entry (directory_id, external_key, account_id)
    select directory.id, 'x', account.id from directory, account
    where directory.code = 'staff' and account.username = 'student'`.execute(db)
  expect(await change('Somebody')).toMatchObject({ status: 403, error: 'personal.not_editable' })
  expect((await student(personal.me)).data.editable).toEqual([])
  await sql`delete from directory_entry`.execute(db)
  await change(userNameEn)
})
