import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { timetableImporters } from './importers.ts'

/* Files as exported by registries, in a database with nothing else. */

const { url, db } = await ownDatabase()
const { write } = ownFolder()
const settings = { timeZone: 'Asia/Shanghai', term: 'T' }

const read = (what: keyof typeof timetableImporters, file: string, run = listening(), more = {}) =>
  runImport(url, run, (importing) =>
    timetableImporters[what](importing, file, { ...settings, ...more }),
  )
const count = async (table: 'lesson' | 'course' | 'event_occurrence' | 'calendar_member') =>
  (
    await sql<{
      count: number
    }>`select count(*)::integer as count from ${sql.table(table)}`.execute(db)
  ).rows[0]?.count

beforeAll(async () => {
  await read('terms', write('terms.csv', 'code,name,startsOn,weeks\nT,2031 春,2031-03-03,16\n'))
  await read(
    'periods',
    write(
      'periods.csv',
      '节次,开始时间,结束时间\n1,8:00,8:45\n2,8:55,9:40\n第3节,10:00,10:45\n4,10:55,11:40\n',
    ),
  )
  await sql`insert into identity_type (code, name, name_en, label) values ('S', '学生', '', 'student')`.execute(
    db,
  )
  await sql`insert into organization (code, name, name_en, path) values ('O', '学校', '', '{O}')`.execute(
    db,
  )
  await sql`
    with people as (insert into person (name) select '某人' from generate_series(1, 40) returning id)
    insert into account (person_id, username, identity_type_code, organization_id, status)
    select id, 's' || row_number() over (order by id), 'S', (select id from organization), 'active' from people`.execute(
    db,
  )
})

describe('a timetable file', () => {
  const header = '教学班号,课程名称,周次,星期,节次,教室,教师'
  // GB18030 is the encoding Excel uses in China.
  const gbk = (text: string) =>
    Buffer.from(
      [...text].flatMap((character) => [...(gb18030[character] ?? Buffer.from(character))]),
    )

  test('is read alike in GB18030, UTF-8 with BOM and UTF-16', async () => {
    const text = `${header}\r\nE1,高数,1-16周,周一,第1-2节,教一,\r\n`
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect(await read('timetable', write('a.csv', `\uFEFF${text}`))).toMatchObject({ added: 1 })
    expect(await read('timetable', write('b.csv', utf16))).toMatchObject({ unchanged: 1, added: 0 })
    expect(
      await read('timetable', write('c.csv', gbk(text)), listening({ encoding: 'gb18030' })),
    ).toMatchObject({ unchanged: 1, added: 0 })
    expect(await count('event_occurrence')).toBe(16)
  })

  test('is rejected if it is empty, in mixed encodings or in an unknown one', async () => {
    const mixed = Buffer.concat([
      Buffer.from(`${header}\nE2,线代,1-16,1,1-2,教一,\nE3,`),
      Buffer.from([0xb8, 0xdf, 0xca, 0xfd]),
      Buffer.from(',1-16,1,3-4,,\n'),
    ])
    await expect(read('timetable', write('d.csv', mixed))).rejects.toThrow('two encodings')
    await expect(
      read('timetable', write('e.csv', `${header}\n`), listening({ encoding: 'klingon' })),
    ).rejects.toThrow('klingon')
    await expect(read('timetable', write('f.csv', ''))).rejects.toThrow('is empty')
  })

  test('of 10,000 lines is imported, and importing it again changes nothing', async () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, at) =>
        `L${at % 500},大课,${1 + (at % 16)},${1 + (Math.floor(at / 500) % 7)},1-2,教 ${at},`,
    )
    const file = write('long.csv', `${header}\n${lines.join('\n')}\n`)
    expect(await read('timetable', file)).toMatchObject({
      read: 10_000,
      added: 10_000,
      skipped: 0,
    })
    expect(await read('timetable', file)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 10_000,
    })
    expect(await count('course')).toBe(501)
  })

  test('is rolled back if its import fails, and can be imported again', async () => {
    const before = await count('lesson')
    const run = listening()
    const file = write('cut.csv', `${header}\nC1,断,1-16,1,1-2,,\nC2,断,1-16,2,1-2,,\n`)
    await expect(
      runImport(url, run, async (importing) => {
        await timetableImporters.timetable(importing, file, settings)
        throw new Error('the plug was pulled')
      }),
    ).rejects.toThrow('plug')
    expect(await count('lesson')).toBe(before)
    expect(await read('timetable', file)).toMatchObject({ added: 2 })
  })
})

/** The characters used in these tests, in GB18030. */
const gb18030: Record<string, Buffer> = Object.fromEntries(
  (
    [
      ['教', 'bdcc'],
      ['学', 'd1a7'],
      ['班', 'b0e0'],
      ['号', 'bac5'],
      ['课', 'bfce'],
      ['程', 'b3cc'],
      ['名', 'c3fb'],
      ['称', 'b3c6'],
      ['周', 'd6dc'],
      ['次', 'b4ce'],
      ['星', 'd0c7'],
      ['期', 'c6da'],
      ['节', 'bdda'],
      ['室', 'cad2'],
      ['师', 'caa6'],
      ['高', 'b8df'],
      ['数', 'cafd'],
      ['一', 'd2bb'],
      ['第', 'b5da'],
    ] as const
  ).map(([character, hex]) => [character, Buffer.from(hex, 'hex')]),
)
