import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { messages } from '@atrium/contract/work/messages'
import { beforeAll, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { ownFolder } from '../../../../test/own-database.ts'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { importMessages } from './import-messages.ts'

const files = ownFolder()
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

async function importText(text: string) {
  const file = path.join(files.folder, 'messages.csv')
  writeFileSync(file, text)
  const issues: string[] = []
  const report = await runImport(
    app.url,
    { onIssue: (row, sentence) => issues.push(`${row} ${sentence}`) },
    (run) => importMessages(run, file),
  )
  return { ...report, issues }
}
const head = 'key,username,app,title,content,sentAt,readAt,starred\n'

test('imports messages with read and starred state, once and without notifications', async () => {
  const student = await app.as('student')
  const before = (await student(messages.unread)).data.withMuted
  const text = `${head}${[
    'old-1,student,library,旧消息,<p onclick="x()">正文</p>,2026-10-01T08:00:00+08:00,2026-10-01T09:00:00+08:00,1',
    'old-1,teacher,library,旧消息,<p>正文</p>,2026-10-01T08:00:00+08:00,,',
    'old-2,student,library,另一条,,2024-01-01T08:00:00+08:00,,',
  ].join('\n')}\n`
  expect(await importText(text)).toMatchObject({ added: 3, unchanged: 0, skipped: 0, issues: [] })
  expect(await importText(text)).toMatchObject({ added: 0, unchanged: 3 })
  const { list } = (await student(messages.list, { query: { keyWords: '旧消息' } })).data
  expect(list).toMatchObject([
    { title: '旧消息', read: true, starred: true, sentAt: '2026-10-01T00:00:00.000Z' },
  ])
  const id = list[0]?.id
  expect((await student(messages.read, { query: { id } })).data.content).toBe('<p>正文</p>')
  expect((await (await app.as('teacher'))(messages.read, { query: { id } })).data.read).toBe(false)
  // The message from two years ago is unread and counts.
  expect((await student(messages.unread)).data.withMuted).toBe(before + 1)
  const waiting = await app.platform.db.selectFrom('notification_waiting').selectAll().execute()
  expect(waiting).toEqual([])
})

test('reports invalid rows with a reason and imports the others', async () => {
  const rows = [
    'new-1,student,library,好,,2026-10-01T08:00:00+08:00,,',
    'new-1,student,library,好,,2026-10-01T08:00:00+08:00,,',
    'new-2,nobody,library,好,,2026-10-01T08:00:00+08:00,,',
    'new-3,student,no-app,好,,2026-10-01T08:00:00+08:00,,',
    'new-4,student,library,好,,2026-10-01,,',
    'new-5,student,library,好,,2996-10-01T08:00:00+08:00,,',
    ',student,library,好,,2026-10-01T08:00:00+08:00,,',
  ]
  const report = await importText(`${head}${rows.join('\n')}\n`)
  expect(report).toMatchObject({ added: 1, skipped: 6 })
  expect(report.issues).toEqual([
    expect.stringMatching(/^3 key and username new-1 · student is in row 2 already/),
    expect.stringMatching(/^4 username nobody is not known/),
    expect.stringMatching(/^5 app no-app is not registered/),
    expect.stringMatching(/^6 sentAt is “2026-10-01” and must be a time/),
    expect.stringMatching(/^7 sentAt is in the future/),
    expect.stringMatching(/^8 key is empty/),
  ])
})
