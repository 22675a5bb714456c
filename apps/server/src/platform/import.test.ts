import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  listening,
  ouyangInGb18030,
  ownDatabase,
  ownFolder,
  reading,
} from '../../test/own-database.ts'
import { StartError } from './environment.ts'
import { copyInto, integerCell, listCell, readRows, runImport, textCell } from './import.ts'
import { withOwnTransaction } from './own-transaction.ts'

const fields = {
  code: { headers: ['code', '代码'], required: true, read: textCell(1000) },
  name: { headers: ['name', '姓名'], read: textCell(1000) },
  size: { headers: ['size'], read: integerCell },
  tags: { headers: ['tags'], read: listCell },
} as const

const files = ownFolder()
async function read(content: string | Uint8Array, name = 'rows.csv') {
  const run = reading()
  const rows: { row: number; values: Record<string, unknown> }[] = []
  for await (const row of readRows(run, files.write(name, content), fields, 'code')) rows.push(row)
  return { rows, faults: run.faults, notes: run.notes }
}

test('rows carry the number of their line, whatever stands in the cells', async () => {
  const { rows, faults } = await read(
    '\uFEFFcode,name\r\na,"two\r\nlines"\r\n\r\nb,"says ""hi"""\r\n,nobody\r\nc\r\na,again\r\nd,plain "quote"\r\n',
  )
  expect(rows).toEqual([
    { row: 2, values: { code: 'a', name: 'two\nlines' } },
    { row: 5, values: { code: 'b', name: 'says "hi"' } },
    { row: 9, values: { code: 'd', name: 'plain "quote"' } },
  ])
  expect(faults).toEqual([
    '6: code is empty',
    '7: has 1 cells where the header has 2',
    '8: code a is in row 2 already',
  ])
})

test('what was written as CSV is read back, in any encoding and with any line end', async () => {
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
        const { rows, faults } = await read(
          Buffer.from(`\uFEFFcode,name${end}${quoted.join(end)}`, encoding as BufferEncoding),
        )
        expect(faults).toEqual([])
        expect(rows.map((row) => row.values.name)).toEqual(
          names.map((name) => name.trim().normalize('NFC')),
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('a GB18030 file is read without being told so', async () => {
  const { rows } = await read(
    Buffer.concat([Buffer.from('code,name\n1,'), ouyangInGb18030, Buffer.from('\n')]),
  )
  expect(rows).toEqual([{ row: 2, values: { code: '1', name: '欧阳' } }])
})

test('headers are known in both languages, with other separators, and unknown columns are told', async () => {
  const { rows, notes } = await read('代码;姓 名;备注\n1;甲;x\n')
  expect(rows).toEqual([{ row: 2, values: { code: '1', name: '甲' } }])
  expect(notes).toEqual(['not read, because nothing here has such a column: 备注'])
})

test('JSON comes as an array or as one object a line', async () => {
  const array = await read(
    '[{"code": 1, "tags": ["x", "y"]}, 5, {"code": "2", "name": {"a": 1}}, {"code": "3", "size": "many"}]',
    'rows.json',
  )
  expect(array.rows).toEqual([{ row: 1, values: { code: '1', tags: ['x', 'y'] } }])
  expect(array.faults).toEqual([
    '2: is not a JSON object',
    '3: name must be a text, a number or a list of texts',
    '4: size is “many” and must be a whole number',
  ])
  const lines = await read('{"code":"1"}\n\n{"code":\n{"code":"2","name":null}\n', 'rows.ndjson')
  expect(lines.rows).toEqual([
    { row: 1, values: { code: '1' } },
    { row: 4, values: { code: '2', name: '' } },
  ])
  expect(lines.faults).toEqual(['3: is not a JSON object on one line'])
})

test.each([
  [
    'an open quotation mark',
    'code,name\n1,x\n2,"open\n3,y\n',
    /rows\.csv:3: a cell begins here with a quotation mark that is never closed/,
  ],
  ['no such column', 'name\nx\n', /there is no column code.*代码/],
  ['two columns of one meaning', 'code,代码\n1,2\n', /the columns code and 代码 both mean code/],
  ['an empty file', '', /is empty/],
  ['a workbook', Buffer.from('PK\x03\x04…'), /is an office document/],
  ['no text', Buffer.from([0x61, 0xff, 0xff, 0x00]), /is not a text in UTF-8 or GB18030/],
  ['broken JSON', '[{"code": 1}', /is not valid JSON/],
])('%s stops the whole import with a sentence', async (_, content, sentence) => {
  await expect(read(content)).rejects.toThrow(StartError)
  await expect(read(content)).rejects.toThrow(sentence)
})

test('COPY brings every text into the database as it is', async () => {
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

test('two imports at once: the second is told to wait', async () => {
  const { url } = await ownDatabase()
  const nothing = { added: 0, changed: 0, unchanged: 0 }
  await runImport(url, listening(), async () => {
    await expect(runImport(url, listening(), async () => nothing)).rejects.toThrow(
      'Another import is running',
    )
    return nothing
  })
})
