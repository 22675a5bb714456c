import fc from 'fast-check'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withOwnTransaction } from '#platform/database/own-transaction.ts'
import { StartError } from '#platform/environment.ts'
import {
  listening,
  nameInGb18030,
  ouyangInGb18030,
  ownDatabase,
  ownFolder,
  reading,
} from '../../../test/own-database.ts'
import { integerCell, listCell, textCell } from './cells.ts'
import { type Import, readRows, runImport } from './import.ts'
import { copyInto } from './write-rows.ts'

const fields = {
  code: { headers: ['code', '代码'], required: true, read: textCell(1000) },
  name: { headers: ['name', '姓名'], read: textCell(1000) },
  size: { headers: ['size'], read: integerCell },
  tags: { headers: ['tags'], read: listCell },
} as const

const files = ownFolder()
async function read(
  content: string | Uint8Array,
  name = 'rows.csv',
  settings: Partial<Pick<Import, 'encoding' | 'columns'>> = {},
) {
  const run = { ...reading(), ...settings }
  const rows: { row: number; values: Record<string, unknown> }[] = []
  for await (const row of readRows(run, files.write(name, content), fields, 'code')) rows.push(row)
  return { rows, issues: run.issues, notes: run.notes }
}

test('CSV rows have their line number, also after multi-line cells', async () => {
  const { rows, issues } = await read(
    '\uFEFFcode,name\r\na,"two\r\nlines"\r\n\r\nb,"says ""hi"""\r\n,nobody\r\nc\r\na,again\r\nd,plain "quote"\r\n',
  )
  expect(rows).toEqual([
    { row: 2, values: { code: 'a', name: 'two\nlines' } },
    { row: 5, values: { code: 'b', name: 'says "hi"' } },
    { row: 9, values: { code: 'd', name: 'plain "quote"' } },
  ])
  expect(issues).toEqual([
    '6: code is empty',
    '7: has 1 cells where the header has 2',
    '8: code a is in row 2 already',
  ])
})

test('CSV cells are read correctly in UTF-8 and UTF-16 with LF and CRLF', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'ab,;"\n\t 学𠮷\\|'), maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 20 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('utf8', 'utf16le'),
      async (names, end, encoding) => {
        const quoted = names.map(
          (name, index) => `k${index},"${name.replaceAll('"', '""').replaceAll('\n', end)}"`,
        )
        const { rows, issues } = await read(
          Buffer.from(`\uFEFFcode,name${end}${quoted.join(end)}`, encoding as BufferEncoding),
        )
        expect(issues).toEqual([])
        expect(rows.map((row) => row.values.name)).toEqual(
          names.map((name) => name.trim().normalize('NFC')),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('GB18030 is detected', async () => {
  const { rows } = await read(
    Buffer.concat([
      Buffer.from('code,'),
      nameInGb18030,
      Buffer.from('\n1,'),
      ouyangInGb18030,
      Buffer.from('\n'),
    ]),
  )
  expect(rows).toEqual([{ row: 2, values: { code: '1', name: '欧阳' } }])
})

test('headers in both languages and other separators are accepted, unknown columns are noted', async () => {
  const { rows, notes } = await read('代码;姓 名;备注\n1;甲;x\n')
  expect(rows).toEqual([{ row: 2, values: { code: '1', name: '甲' } }])
  expect(notes).toEqual(['ignored, because these columns are unknown: 备注'])
})

test('JSON is read as an array or as one object per line', async () => {
  const array = await read(
    '[{"code": 1, "tags": ["x", "y"]}, 5, {"code": "2", "name": {"a": 1}}, {"code": "3", "size": "many"}]',
    'rows.json',
  )
  expect(array.rows).toEqual([{ row: 1, values: { code: '1', tags: ['x', 'y'] } }])
  expect(array.issues).toEqual([
    '2: is not a JSON object',
    '3: name must be a text, a number or a list of texts',
    '4: size is “many” and must be a whole number',
  ])
  const lines = await read('{"code":"1"}\n\n{"code":\n{"code":"2","name":null}\n', 'rows.ndjson')
  expect(lines.rows).toEqual([
    { row: 1, values: { code: '1' } },
    { row: 4, values: { code: '2', name: '' } },
  ])
  expect(lines.issues).toEqual(['3: is not a JSON object on one line'])
})

test.each([
  [
    'an unclosed quotation mark',
    'code,name\n1,x\n2,"open\n3,y\n',
    /rows\.csv:3: a cell begins here with a quotation mark that is never closed/,
  ],
  ['a missing key column', 'name\nx\n', /there is no column code.*代码/],
  [
    'two columns for the same field',
    'code,代码\n1,2\n',
    /the columns code and 代码 both mean code/,
  ],
  ['an empty file', '', /is empty/],
  ['a damaged workbook', Buffer.from('PK\x03\x04…'), /cannot be unpacked safely/],
  ['a workbook in the old format', Buffer.from('d0cf11e0', 'hex'), /is an office document/],
  [
    'a file that is not text',
    Buffer.from([0x61, 0xff, 0xff, 0x00]),
    /is not a text in UTF-8, GB18030 or Big5/,
  ],
  ['UTF-32', Buffer.from('fffe000063000000', 'hex'), /is written in UTF-32/],
  ['broken JSON', '[{"code": 1}', /is not valid JSON/],
])('%s fails the whole import with one sentence', async (_, content, sentence) => {
  await expect(read(content)).rejects.toThrow(StartError)
  await expect(read(content)).rejects.toThrow(sentence)
})

test('COPY stores every text unchanged', async () => {
  const { url } = await ownDatabase({ migrated: false })
  const text = fc.string({ unit: fc.constantFrom(...'a\\\n\r\t"{},N 学𠮷\'') })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, fc.array(text)), { maxLength: 30 }), (rows) =>
      withOwnTransaction(url, async ({ db, client }) => {
        await sql`create temp table kept (at integer, one text, many text[], none text) on commit drop`.execute(
          db,
        )
        await copyInto(
          client,
          'kept',
          ['at', 'one', 'many', 'none'],
          rows.map(([one, many], at) => [at, one, many, null]),
        )
        const { rows: found } = await sql<{
          one: string
          many: string[]
          none: null
        }>`select one, many, none from kept order by at`.execute(db)
        expect(found).toEqual(rows.map(([one, many]) => ({ one, many, none: null })))
      }),
    ),
    { numRuns: 30 },
  )
})

/** code,name / 1,張偉 / 2,王芳 in Big5. */
const big5 = Buffer.from('636f64652c6e616d650a312cb169b0b60a322ca4fdaada0a', 'hex')

test('Big5 is detected', async () => {
  expect((await read(big5)).rows.map(({ values }) => values.name)).toEqual(['張偉', '王芳'])
})

test('a file with an ambiguous encoding is rejected unless --encoding is set', async () => {
  // One name: 歐陽 in Big5, 稼锭 in GB18030.
  const unsure = Buffer.concat([
    Buffer.from('code,name\n1,'),
    Buffer.from('bcdab6a7', 'hex'),
    Buffer.from('\n'),
  ])
  await expect(read(unsure)).rejects.toThrow(
    /cannot be detected with certainty: gb18030 \(稼锭\) or big5 \(歐陽\)\? Set it with --encoding/,
  )
  for (const [encoding, name] of [
    ['big5', '歐陽'],
    ['GBK', '稼锭'],
  ] as const)
    expect((await read(unsure, 'rows.csv', { encoding })).rows[0]?.values.name).toBe(name)
  await expect(read(unsure, 'rows.csv', { encoding: 'latin-9000' })).rejects.toThrow(
    '--encoding latin-9000 is not known',
  )
  await expect(read(unsure, 'rows.csv', { encoding: 'utf-8' })).rejects.toThrow(
    /is not a text in utf-8/,
  )
})

test('a file in two encodings is rejected, with a line of each', async () => {
  const mixed = Buffer.concat([
    Buffer.from('code,name\n1,李娜\n2,'),
    ouyangInGb18030,
    Buffer.from('\n3,王芳\n'),
  ])
  await expect(read(mixed)).rejects.toThrow(
    /is written in two encodings: line 2 is UTF-8, line 3 is not/,
  )
})

const sheet = (rows: string) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
const text = (cell: string, value: string) =>
  `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
function workbook(rows: string) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const part = (words: string) => Buffer.from(`<?xml version="1.0"?>${words}`)
  return zipSync({
    '[Content_Types].xml': part(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    'xl/workbook.xml': part(
      `<workbook xmlns="${main}" xmlns:r="${related}"><sheets><sheet name="人员" sheetId="1" r:id="rId1"/><sheet name="说明" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': part(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${related}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${related}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="${related}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': part(
      `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': part(sheet(rows)),
    'xl/worksheets/sheet2.xml': part(sheet('')),
  })
}

test('the first sheet of a workbook is read with the row numbers of Excel', async () => {
  const { rows, issues, notes } = await read(
    workbook(
      `<row r="1">${text('A1', '代码')}${text('B1', '姓名')}${text('C1', 'size')}</row>
       <row r="2"><c r="A2"><v>20260001234567</v></c>${text('B2', '欧阳')}<c r="C2"><v>3</v></c></row>
       <row r="4"><c r="A4"><v>2.0260002E7</v></c><c r="B4" s="1"><v>46348</v></c><c r="C4"><v>4</v></c></row>
       <row r="5">${text('B5', '无代码')}<c r="C5"><v>5</v></c></row>`,
    ),
    'rows.xlsx',
  )
  expect(rows).toEqual([
    { row: 2, values: { code: '20260001234567', name: '欧阳', size: 3 } },
    { row: 4, values: expect.objectContaining({ code: '20260002', name: '2026-11-22' }) },
  ])
  expect(issues).toEqual(['5: code is empty'])
  expect(notes).toEqual(['not read, only the first sheet is: 说明'])
})

test('a workbook that unpacks to too much data is rejected', async () => {
  const bomb = workbook(`<row r="1">${text('A1', ' '.repeat(40_000_000))}</row>`)
  await expect(read(bomb, 'rows.xlsx')).rejects.toThrow(/it is too large when unpacked/)
})

test('columns are mapped to fields as the operator specifies', async () => {
  const columns = new Map([
    ['学 号', 'code'],
    ['显示名', '姓名'],
  ])
  const { rows, notes } = await read('学号,code,显示名\n1,x,甲\n', 'rows.csv', { columns })
  expect(rows).toEqual([{ row: 2, values: { code: '1', name: '甲' } }])
  expect(notes).toEqual(['ignored, because these columns are unknown: code'])
  const json = await read('[{"学号": "1", "显示名": "甲"}]', 'rows.json', { columns })
  expect(json.rows[0]?.values).toMatchObject({ code: '1', name: '甲' })
  await expect(read('code\n1\n', 'rows.csv', { columns })).rejects.toThrow(
    /--map names the column 学 号, which .* does not have\. It has: code\./,
  )
  await expect(
    read('学号\n1\n', 'rows.csv', { columns: new Map([['学号', 'number']]) }),
  ).rejects.toThrow('--map 学号=number: there is no column number here. There are: code, name')
})

test('an import waits for the running one if asked to', async () => {
  const { url } = await ownDatabase()
  const counts = { added: 0, changed: 0, unchanged: 0 }
  const order: string[] = []
  let second: Promise<unknown> | undefined
  await runImport(url, listening(), async () => {
    await new Promise<void>((waits) => {
      second = runImport(url, { ...listening(), onWait: waits }, async () => {
        order.push('second')
        return counts
      })
    })
    order.push('first')
    return counts
  })
  await second
  expect(order).toEqual(['first', 'second'])
})

test('a second import is rejected while one is running', async () => {
  const { url } = await ownDatabase()
  const nothing = { added: 0, changed: 0, unchanged: 0 }
  await runImport(url, listening(), async () => {
    await expect(runImport(url, listening(), async () => nothing)).rejects.toThrow(
      'Another import is running',
    )
    return nothing
  })
})
