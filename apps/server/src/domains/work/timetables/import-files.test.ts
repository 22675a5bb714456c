import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { importOneRoster } from './import-oneroster.ts'
import { timetableImporters } from './importers.ts'

/* Files as registries export them, in a database that holds nothing else. */

const { url, db } = await ownDatabase()
const { folder, write } = ownFolder()
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

describe('a timetable', () => {
  const header = '教学班号,课程名称,周次,星期,节次,教室,教师'
  // 高数 in GB18030: what Excel writes in China.
  const gbk = (text: string) =>
    Buffer.from(
      [...text].flatMap((character) => [...(gb18030[character] ?? Buffer.from(character))]),
    )

  test('in GB18030, in UTF-8 with its mark and in UTF-16 is the same', async () => {
    const text = `${header}\r\nE1,高数,1-16周,周一,第1-2节,教一,\r\n`
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect(await read('timetable', write('a.csv', `\uFEFF${text}`))).toMatchObject({ added: 1 })
    expect(await read('timetable', write('b.csv', utf16))).toMatchObject({ unchanged: 1, added: 0 })
    expect(
      await read('timetable', write('c.csv', gbk(text)), listening({ encoding: 'gb18030' })),
    ).toMatchObject({ unchanged: 1, added: 0 })
    expect(await count('event_occurrence')).toBe(16)
  })

  test('in two encodings is refused, and a wrong one is named', async () => {
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

  test('of ten thousand lines is read, and read again without a change', async () => {
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

  test('that is cut off while it is written leaves everything as it was', async () => {
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

describe('OneRoster', () => {
  const files = {
    'manifest.csv': 'propertyName,value\noneroster.version,1.2\nfile.classes,bulk\n',
    'academicSessions.csv':
      'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear\ny,,,2031,schoolYear,2031-01-01,2031-12-31,,2031\nt-1,,,Autumn 2031,term,2031-09-01,2031-12-19,y,2031\n',
    'courses.csv': 'sourcedId,status,title\nc1,,Calculus\n',
    'classes.csv':
      'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds\nk1,,,Calculus A,,c1,CALC-1,scheduled,,s,t-1\nk2,,,Calculus B,,c1,CALC-1,scheduled,,s,t-1\nk3,tobedeleted,,Old,,c1,OLD,scheduled,,s,t-1\nk4,,,Lost,,c1,,scheduled,,s,t-9\n',
    'users.csv':
      'sourcedId,status,dateLastModified,enabledUser,username\nu1,,,true,S1\nu2,,,true,s2\nu3,,,true,nobody\n',
    'enrollments.csv':
      'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary\ne1,,,k1,s,u1,student,\ne2,,,k1,s,u2,teacher,true\ne3,,,k1,s,u3,student,\ne4,,,k2,s,u1,student,\ne5,,,k9,s,u1,student,\ne6,,,k1,s,u2,administrator,\n',
  }
  const take = (source: string, run = listening()) =>
    runImport(url, run, (importing) => importOneRoster(importing, source, settings))

  test('gives terms, courses and rosters, from a folder or a ZIP, the second time nothing', async () => {
    for (const [name, text] of Object.entries(files)) write(name, text)
    const run = listening()
    const report = await take(folder, run)
    expect(report).toMatchObject({ added: 1 + 3, changed: 0 })
    expect(run.issues).toEqual([
      '5: classes.csv: termSourcedIds t-9 is no term of this export',
      '6: enrollments.csv: classSourcedId k9 is not in classes.csv',
      expect.stringContaining('enrollments.csv: there is no member nobody'),
    ])
    expect(report.notes).toEqual(['roles that neither attend nor teach, left out: administrator'])
    const { rows } = await sql<{ code: string; name: string; role: string; username: string }>`
      select course.code, course.name, m.role, account.username from course
      join academic_term term on term.id = course.term_id and term.code = 't-1'
      join calendar_member m on m.calendar_id = course.calendar_id join account on account.id = m.account_id
      order by course.code, account.username`.execute(db)
    expect(rows).toEqual([
      { code: 'CALC-1', name: 'Calculus A', role: 'attends', username: 's1' },
      { code: 'CALC-1', name: 'Calculus A', role: 'teaches', username: 's2' },
      { code: 'k2', name: 'Calculus B', role: 'attends', username: 's1' },
    ])
    const zip = zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`export/${name}`, Buffer.from(text)]),
      ),
    )
    expect(await take(write('oneroster.zip', zip))).toMatchObject({ added: 0, changed: 0 })
    const { rows: term } = await sql<{ weeks: number }>`
      select weeks from academic_term where code = 't-1'`.execute(db)
    expect(term[0]?.weeks).toBe(16)
  })

  test('that is none is refused', async () => {
    await expect(take(write('no.zip', 'not a zip'))).rejects.toThrow('cannot be unpacked safely')
    await expect(take(`${folder}/nothing`)).rejects.toThrow('There is no folder')
  })
})

/** The characters these tests write, in GB18030. */
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
