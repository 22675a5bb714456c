import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ouyangInGb18030, ownDatabase } from '../../../../test/own-database.ts'
import { decodeXml, feedText } from './feed-text.ts'
import { importFeed, readDate, readFeed } from './import-feed.ts'

const here = { from: 'feed.xml', timeZone: 'Asia/Shanghai' }
const rss = (items: string, link = 'https://news.example.edu/') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>新闻</title><link>${link}</link>${items}</channel></rss>`
const item = (title: string, more = '') => `<item><title>${title}</title>${more}</item>`

test('articles are matched by site and key, updated on change, and keep local settings', async () => {
  const { url, db } = await ownDatabase()
  const feed = (text: string, settings = listening()) =>
    runImport(url, settings, (run) =>
      importFeed(run, Buffer.from(text), {
        ...here,
        column: 'campus',
        columnName: '校园',
        rules: [{ effect: 'include', kind: 'everybody' }],
      }),
    )
  const first = rss(
    `${item('开学', '<guid>1</guid><link>/a/1</link><pubDate>Fri, 20 Nov 2026 08:00:00 +0800</pubDate>')}${item('停电', '<guid>2</guid>')}`,
  )

  expect(await feed(first, listening({ dryRun: true }))).toMatchObject({ added: 2, written: false })
  expect(await db.selectFrom('news_column').selectAll().execute()).toEqual([])
  expect(await feed(first)).toMatchObject({ added: 2, notes: ['news column created: campus'] })
  expect(await feed(first)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })

  await db
    .updateTable('article')
    .set({ pinned: true, read_count: 9, status: 'withdrawn' })
    .where('source_key', '=', '1')
    .execute()
  expect(await feed(first.replace('开学', '开学了'))).toMatchObject({ changed: 1, unchanged: 1 })
  expect(
    await db.selectFrom('article').selectAll().where('source_key', '=', '1').executeTakeFirst(),
  ).toMatchObject({
    title: '开学了',
    url: 'https://news.example.edu/a/1',
    published_at: '2026-11-20T00:00:00.000Z',
    pinned: true,
    read_count: 9,
    status: 'withdrawn',
  })
  const settings = listening()
  expect(
    await feed(rss(`${item('三', '<guid>3</guid>')}${item('四', '<guid>3</guid>')}`), settings),
  ).toMatchObject({ added: 1, skipped: 1 })
  expect(settings.issues).toEqual(['2: has the same key as an earlier article: 3'])
})

/** Feeds of three kinds of site; the third declares GB2312 but uses GB18030. */
test.each([
  ['wordpress.rss.xml', ['新增两种外文数据库试用', '考试周延长开放时间 – 东楼与北区'], '二十四点'],
  ['jekyll.atom.xml', ['学术报告：可验证的系统软件 & 它的代价', '实验室开放日'], '机器人'],
  ['gb18030.rss.xml', ['关于郑喆、朱镕媛等同学学籍异动的公示', '重修报名的通知'], '㐆老师'],
])('%s is imported completely and without duplicates', async (file, titles, words) => {
  const { url, db } = await ownDatabase()
  const bytes = await readFile(new URL(`../../../../test/feeds/${file}`, import.meta.url))
  const feed = () =>
    runImport(url, listening(), (run) =>
      importFeed(run, bytes, {
        ...here,
        column: 'campus',
        columnName: '校园',
        rules: [{ effect: 'include', kind: 'everybody' }],
      }),
    )
  expect(await feed()).toMatchObject({ added: 2, skipped: 0 })
  expect(await feed()).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  const stored = await db.selectFrom('article').select(['title', 'body']).orderBy('title').execute()
  expect(stored.map(({ title }) => title).sort()).toEqual([...titles].sort())
  expect(stored.map(({ body }) => body).join()).toContain(words)
})

test('article bodies keep text and pictures, and active content is removed', async () => {
  const { items } = await readFeed(
    rss(
      item(
        '一',
        '<link>/n/1</link><description><![CDATA[<p onclick="x()">正文<img src="a.png" onerror="x()"><script>x()</script><a href="javascript:x()">去</a><iframe src="//x"></iframe></p>]]></description>',
      ),
    ),
    here,
  )
  expect(items[0]?.item).toMatchObject({
    body: '<p>正文<img src="https://news.example.edu/n/a.png" loading="lazy" /><a rel="noopener noreferrer" target="_blank">去</a></p>',
    summary: '正文去',
  })
})

test('Atom and RDF feeds are parsed', async () => {
  const atom = await readFeed(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><id>urn:1</id><link href="https://a.example/"/><updated>2026-11-21T00:00:00Z</updated><entry><id>tag:1</id><title type="html">A &amp;lt; &lt;b&gt;b&lt;/b&gt;</title><updated>2026-11-21T00:00:00Z</updated><content type="text">1 &lt; 2</content></entry></feed>',
    here,
  )
  expect(atom).toMatchObject({
    source: 'https://a.example/',
    items: [{ item: { key: 'tag:1', title: 'A < b', body: '<p>1 &lt; 2</p>' } }],
  })
  const rdf = await readFeed(
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://r.example/"><title>x</title><link>https://r.example/</link></channel><item rdf:about="https://r.example/1"><title>R</title><link>https://r.example/1</link><dc:date>2026-11-21</dc:date></item></rdf:RDF>',
    here,
  )
  expect(rdf).toMatchObject({
    source: 'https://r.example/',
    items: [{ item: { title: 'R', publishedAt: '2026-11-20T16:00:00.000Z' } }],
  })
})

test('a file that is not a feed or names no site is rejected with a clear message', async () => {
  await expect(readFeed('<html></html>', here)).rejects.toThrow(
    'feed.xml is not an RSS, RDF, Atom or JSON feed.',
  )
  await expect(readFeed(rss('', ''), here)).rejects.toThrow('does not say which site it comes from')
  await expect(
    readFeed(
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&a;</title></channel></rss>',
      here,
    ),
  ).rejects.toThrow('is not an RSS')
})

test('the charset is taken from the response, the document or detection', async () => {
  const body = Buffer.concat([Buffer.from('<a>'), ouyangInGb18030, Buffer.from('</a>')])
  expect(decodeXml(body, undefined, 'x')).toBe('<a>欧阳</a>')
  expect(decodeXml(body, 'gb2312', 'x')).toBe('<a>欧阳</a>')
  expect(
    decodeXml(
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="GBK"?>'), body]),
      undefined,
      'x',
    ),
  ).toContain('欧阳')
  expect(decodeXml(Buffer.from('\uFEFF<a>欧阳</a>'), 'gbk', 'x')).toBe('<a>欧阳</a>')
  expect(() => decodeXml(Buffer.from([0xff, 0xff, 0x00]), 'utf-8', 'x')).toThrow(
    'x is not a text in utf-8.',
  )
})

test.each([
  ['Sat, 21 Nov 2026 08:00:00 GMT', '2026-11-21T08:00:00.000Z'],
  ['2026-11-21T08:00:00+08:00', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21 08:00', '2026-11-21T00:00:00.000Z'],
  ['2026/11/21', '2026-11-20T16:00:00.000Z'],
  ['2026-13-45', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('the date %s is parsed as %s', (text, instant) => {
  expect(readDate(text, 'Asia/Shanghai')).toBe(instant)
})

const atom = (prefix: string, namespace: string) =>
  `<?xml version="1.0"?><${prefix}feed xmlns${namespace}="http://www.w3.org/2005/Atom"><${prefix}link href="https://a.example/"/><${prefix}entry><${prefix}id>1</${prefix}id><${prefix}title>通知</${prefix}title><${prefix}content type="html"><![CDATA[<p>写作 <atom:feed> 的例子</p>]]></${prefix}content></${prefix}entry></${prefix}feed>`

test.each([
  ['<atom:feed>', atom('atom:', ':atom')],
  ['<feed>', atom('', '')],
  [
    '<rss:rss>',
    '<rss:rss version="2.0" xmlns:rss="http://backend.userland.com/rss2"><rss:channel><rss:link>https://a.example/</rss:link><rss:item><rss:title>通知</rss:title></rss:item></rss:channel></rss:rss>',
  ],
])('a feed with the root element %s is parsed', async (_, xml) => {
  const { source, items } = await readFeed(feedText(Buffer.from(xml), undefined, 'x'), here)
  expect(source).toBe('https://a.example/')
  expect(items.map(({ item }) => item?.title)).toEqual(['通知'])
})

test('a namespace prefix inside text content is kept', () => {
  expect(feedText(Buffer.from(atom('atom:', ':atom')), undefined, 'x')).toContain(
    '<![CDATA[<p>写作 <atom:feed> 的例子</p>]]>',
  )
})

const utf32 = (text: string, order: 'LE' | 'BE') =>
  Buffer.concat(
    [...text].map((character) => {
      const four = Buffer.alloc(4)
      four[`writeUInt32${order}`](character.codePointAt(0) ?? 0)
      return four
    }),
  )
test.each([
  ['UTF-32LE with a byte order mark', utf32('\uFEFF<a>欧𠮷</a>', 'LE'), undefined],
  ['UTF-32BE with a byte order mark', utf32('\uFEFF<a>欧𠮷</a>', 'BE'), undefined],
  ['UTF-32LE without a byte order mark', utf32('<a>欧𠮷</a>', 'LE'), undefined],
  ['UTF-32BE without a byte order mark', utf32('<a>欧𠮷</a>', 'BE'), 'utf-32'],
  ['UTF-16LE without a byte order mark', Buffer.from('<a>欧𠮷</a>', 'utf16le'), undefined],
])('a feed in %s is decoded', (_, bytes, charset) => {
  expect(decodeXml(bytes, charset, 'x')).toBe('<a>欧𠮷</a>')
})

test('text wrongly declared as UTF-32 is rejected with a clear message', () => {
  expect(() => decodeXml(Buffer.from('<a>not at all</a>'), 'utf-32', 'x')).toThrow(
    'x is not a text in UTF-32.',
  )
})

test('a feed that names no site uses the site given by the operator', async () => {
  const named = { ...here, site: 'https://news.example.edu' }
  expect((await readFeed(rss(item('a'), ''), named)).source).toBe('https://news.example.edu/')
  // The feed's own address takes precedence.
  expect((await readFeed(rss(item('a'), 'https://other.example/'), named)).source).toBe(
    'https://other.example/',
  )
})
