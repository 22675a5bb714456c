import { expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import {
  listening,
  ouyangInGb18030,
  ownDatabase,
  ownFolder,
} from '../../../../test/own-database.ts'
import { repairTruncatedFeed } from './feed-text.ts'
import { distinct, writeArticles } from './import-feed.ts'
import { readFolder } from './import-folder.ts'

const here = { column: 'handbook', timeZone: 'Asia/Shanghai' }

test('Markdown and HTML files are imported as articles and matched by path', async () => {
  const { folder, write } = ownFolder()
  write(
    'a.md',
    '---\ntitle: "报到"\ndate: 2026-09-01\nauthor: 学工处\n---\n\n# 小题\n\n**带** 证件。',
  )
  write(
    'b.html',
    '<html><head><title>宿舍</title></head><body><p onclick="x()">几<script>x()</script>号楼</p></body></html>',
  )
  write('c.md', Buffer.concat([Buffer.from('# '), ouyangInGb18030]))
  write('<img src=x onerror=x()>.md', '没有题目')
  write('notes.txt', 'not read')
  write('huge.md', 'x'.repeat(2_100_000))
  const { items } = await readFolder(folder, here)
  const byKey = new Map(items.map(({ item }) => [item?.key, item]))
  expect(byKey.get('a.md')).toMatchObject({
    title: '报到',
    author: '学工处',
    publishedAt: '2026-08-31T16:00:00.000Z',
    body: '<h1>小题</h1>\n<p><strong>带</strong> 证件。</p>',
  })
  expect(byKey.get('b.html')).toMatchObject({ title: '宿舍', body: '<p>几号楼</p>' })
  expect(byKey.get('c.md')).toMatchObject({ title: '欧阳', body: '' })
  expect(byKey.get('<img src=x onerror=x()>.md')?.title).toBe('<img src=x onerror=x()>')
  expect(items.flatMap(({ issue }) => issue ?? [])).toEqual(['huge.md is larger than 2 MB'])

  const { url, db } = await ownDatabase()
  const load = async () => {
    const read = await readFolder(folder, here)
    return runImport(url, listening(), (run) =>
      writeArticles(
        run,
        { source: read.source, articles: distinct(read.items, run.issue) },
        { ...here, rules: [{ effect: 'include', kind: 'everybody' }] },
      ),
    )
  }
  expect(await load()).toMatchObject({ added: 4, skipped: 1 })
  write('a.md', '# 报到须知')
  expect(await load()).toMatchObject({ added: 0, changed: 1, unchanged: 3 })
  expect(await db.selectFrom('article').select('id').execute()).toHaveLength(4)
})

test('a folder without Markdown or HTML files is rejected with a clear message', async () => {
  const { folder } = ownFolder()
  await expect(readFolder(folder, here)).rejects.toThrow('contains no Markdown or HTML files')
})

test.each<[string, string, string | undefined]>([
  ['complete RSS', '<rss><channel><item>1</item></channel></rss>', undefined],
  [
    'complete Atom followed by a comment',
    '<feed><entry>1</entry></feed><!-- 3 ms -->\n',
    undefined,
  ],
  [
    'truncated RSS',
    '<rss><channel><item>1</item><item>2',
    '<rss><channel><item>1</item></channel></rss>',
  ],
  ['truncated Atom', '<feed><entry>1</entry><en', '<feed><entry>1</entry></feed>'],
  ['truncated within the first article', '<rss><channel><item>1', ''],
  ['JSON', '{"items":[]}', undefined],
])('a truncated feed is closed after its last complete article: %s', (_, xml, whole) => {
  expect(repairTruncatedFeed(xml)).toBe(whole)
})
