import { expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { hideMissing, importQuestions, writeQuestions } from './import-questions.ts'
import { pairRows, readMarkdownFaq, readPageFaq } from './read-faq.ts'

const own = ownDatabase()
const { write } = ownFolder()

const stored = async () =>
  (await own).db
    .selectFrom('knowledge_question')
    .select(['question', 'answer', 'wordings', 'online', 'revision', 'url'])
    .orderBy('id')
    .execute()

test('a CSV file adds questions, updates them by code and reports invalid rows', async () => {
  const { url } = await own
  const file = write(
    'faq.csv',
    '编号,问题,答案,其他问法,复核日期,部门编码\n' +
      'a,怎么请假？,在线提交。,请假流程；休假,2027-01-01,\n' +
      'b,怎么销假？,回来后点销假。,,下周,\n' +
      'c,怎么退宿？,找宿管。,,,NOWHERE\n',
  )
  const settings = listening()
  const report = await runImport(url, settings, (run) => importQuestions(run, file))
  expect(report).toMatchObject({ added: 1, changed: 0, skipped: 2, written: true })
  expect(settings.issues.sort()).toEqual([
    '3: reviewOn is “下周” and must be a day such as 2026-09-01',
    '4: organizationCode NOWHERE is not known; import organisations first',
  ])
  expect(await stored()).toMatchObject([
    { question: '怎么请假？', wordings: ['请假流程', '休假'], revision: 1 },
  ])
  const newer = write('newer.csv', 'code,question,answer\na,怎么请假？,在“请假”里提交。\n')
  expect(await runImport(url, {}, (run) => importQuestions(run, newer))).toMatchObject({
    changed: 1,
    unchanged: 0,
  })
  // A missing column leaves the stored value unchanged.
  expect(await stored()).toMatchObject([
    { answer: '在“请假”里提交。', wordings: ['请假流程', '休假'], revision: 2 },
  ])
  expect(await runImport(url, {}, (run) => importQuestions(run, newer))).toMatchObject({
    unchanged: 1,
  })
})

test('Markdown: each heading becomes a question with the text below it as the answer', () => {
  expect(
    readMarkdownFaq(
      '---\ntitle: FAQ\n---\n# 常见问题\n\n## 几点开门？\n\n早上 **8 点**。\n\n- 周末 9 点\n- 见[说明](https://a.example/x)\n\n## 空的\n\n## <b>脚本</b>\n<script>alert(1)</script>\n',
    ),
  ).toEqual([
    {
      question: '几点开门？',
      answer: '早上 8 点。\n• 周末 9 点\n• 见说明 (https://a.example/x)',
    },
    { question: '<b>脚本</b>', answer: '<script>alert(1)</script>' },
  ])
})

test.each([
  [
    'schema.org data',
    `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"FAQPage","mainEntity":[
      {"@type":"Question","name":"Open when?","acceptedAnswer":{"@type":"Answer","text":"<p>At 8.</p><p>Daily.</p>"}}]}]}</script>
      <details><summary>Other?</summary>No</details>`,
    [{ question: 'Open when?', answer: 'At 8.\nDaily.' }],
  ],
  [
    'details elements',
    '<nav>Menu</nav><details><summary> Open <b>when</b>? </summary><p>At 8.</p><script>x()</script></details>',
    [{ question: 'Open when?', answer: 'At 8.' }],
  ],
  [
    'a definition list',
    '<dl><dt>Open when?</dt><dd>At 8.</dd><dd>Daily.</dd><dt>Empty?</dt></dl>',
    [{ question: 'Open when?', answer: 'At 8.\nDaily.' }],
  ],
  [
    'headings that are questions',
    '<body><h1>Library</h1><p>Welcome</p><div><h3>Open when?</h3><p>At 8.</p></div><h3>Contact</h3><p>Tel</p></body>',
    [{ question: 'Open when?', answer: 'At 8.' }],
  ],
  [
    'no questions',
    '<p>Only text. Or a broken <script type="application/ld+json">{</script></p>',
    [],
  ],
])('reads the questions of a page with %s', (_, html, pairs) => {
  expect(readPageFaq(html)).toEqual(pairs)
})

test('importing a page again hides the questions that it no longer contains', async () => {
  const { url } = await own
  const page = 'https://library.example/faq'
  const read = (html: string) =>
    runImport(url, {}, async (run) => {
      const rows = pairRows(readPageFaq(html), page, run.issue)
      const counts = await writeQuestions(run, page, rows, {})
      await hideMissing(
        run,
        page,
        rows.map(({ values }) => values.question),
      )
      return counts
    })
  await read('<dl><dt>甲？</dt><dd>一</dd><dt>乙？</dt><dd>二</dd><dt>乙？</dt><dd>三</dd></dl>')
  await read('<dl><dt>甲？</dt><dd>一</dd></dl>')
  expect((await stored()).slice(1)).toMatchObject([
    { question: '甲？', online: true, url: page },
    { question: '乙？', online: false },
  ])
})
