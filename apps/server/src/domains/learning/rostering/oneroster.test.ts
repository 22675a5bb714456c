import { rmSync } from 'node:fs'
import { zipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { importOneRoster } from './import-oneroster.ts'

/* Imports OneRoster exports into an empty database. */

const { url, db } = await ownDatabase()
const { folder, write } = ownFolder()
const settings = { timeZone: 'Asia/Shanghai' }

beforeAll(async () => {
  await sql`insert into identity_type (code, name, name_en, label) values ('S', '学生', '', 'student')`.execute(
    db,
  )
  await sql`insert into organization (code, name, name_en, path) values ('O', '学校', '', '{O}')`.execute(
    db,
  )
  await sql`
    with people as (insert into person (name) select '某人' from generate_series(1, 3) returning id)
    insert into account (person_id, username, identity_type_code, organization_id, status)
    select id, 's' || row_number() over (order by id), 'S', (select id from organization), 'active' from people`.execute(
    db,
  )
})

describe('a OneRoster import', () => {
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
  const importFrom = (source: string, run = listening()) =>
    runImport(url, run, (importing) => importOneRoster(importing, source, settings))

  test('reads terms, courses and rosters from a folder or ZIP, and changes nothing when repeated', async () => {
    for (const [name, text] of Object.entries(files)) write(name, text)
    const run = listening()
    const report = await importFrom(folder, run)
    expect(report).toMatchObject({ added: 1 + 3, changed: 0 })
    expect(run.issues).toEqual([
      '5: classes.csv: termSourcedIds t-9 is not a term of this export',
      '6: enrollments.csv: classSourcedId k9 is not in classes.csv',
      expect.stringContaining('enrollments.csv: there is no member nobody'),
    ])
    expect(report.notes).toEqual([
      'left out because their role neither attends nor teaches: administrator',
    ])
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
    expect(await importFrom(write('oneroster.zip', zip))).toMatchObject({ added: 0, changed: 0 })
    const { rows: term } = await sql<{ weeks: number }>`
      select weeks from academic_term where code = 't-1'`.execute(db)
    expect(term[0]?.weeks).toBe(16)
  })

  test('reads assignments, marks and credits, and changes nothing when repeated', async () => {
    const due = `${Temporal.Now.plainDateISO().add({ days: 5 })}`
    const more: Record<string, string> = {
      'orgs.csv': 'sourcedId,status,name,type\ns,,Campus,school\n',
      'courses.csv': 'sourcedId,status,title,metadata.credits\nc1,,Calculus,3.5\n',
      'categories.csv': 'sourcedId,status,title\nhw,,Homework\nfin,,总评\n',
      'lineItems.csv': `sourcedId,status,title,description,dueDate,classSourcedId,categorySourcedId,resultValueMax
li1,,Set 1,Exercises 1-5,${due},k1,hw,20
li2,,Test,,,k1,hw,10
li3,,Final,,,k1,fin,100
li4,,Lost,,,k9,hw,10
li5,,Late,,soon,k1,hw,10
`,
      'results.csv': `sourcedId,status,lineItemSourcedId,studentSourcedId,scoreStatus,score,textScore,comment
r1,,li1,u1,submitted,,,
r2,,li2,u1,fully graded,8.5,,good
r3,,li3,u1,fully graded,88,B+,
r4,,li2,u3,fully graded,3,,
r5,,li9,u1,fully graded,3,,
`,
    }
    for (const [name, text] of Object.entries(more)) write(name, text)
    const run = listening()
    await importFrom(folder, run)
    expect(run.issues.filter((one) => /lineItems|results/.test(one))).toEqual([
      '5: lineItems.csv: classSourcedId k9 is not in classes.csv',
      '6: lineItems.csv: dueDate is “soon” and must be a date such as 2026-11-24',
      '6: results.csv: lineItemSourcedId li9 is not in lineItems.csv',
      '5: results.csv: there is no member nobody',
    ])
    const state = async () => {
      const { rows } = await sql<object>`
        select a.kind, a.title, a.points::float8 as points, a.event_id is not null as dated, r.handed_at is not null as handed,
          r.score::float8 as score, r.grade, r.published_at is not null as published
        from study_assignment a left join study_result r on r.assignment_id = a.id order by a.source_key`.execute(
        db,
      )
      return rows
    }
    expect(await state()).toEqual([
      {
        kind: 'work',
        title: 'Set 1',
        points: 20,
        dated: true,
        handed: true,
        score: null,
        grade: '',
        published: false,
      },
      {
        kind: 'mark',
        title: 'Test',
        points: 10,
        dated: false,
        handed: true,
        score: 8.5,
        grade: '',
        published: true,
      },
      {
        kind: 'total',
        title: 'Final',
        points: 100,
        dated: false,
        handed: true,
        score: 88,
        grade: 'B+',
        published: true,
      },
    ])
    expect(await importFrom(folder)).toMatchObject({ added: 0, changed: 0 })
    const { rows: credits } = await sql<{
      credits: string
    }>`select credits from study_course`.execute(db)
    expect(credits).toEqual([{ credits: '3.5' }, { credits: '3.5' }])

    // Records missing from the source are deleted if every line was valid.
    write('lineItems.csv', (more['lineItems.csv'] ?? '').replace(/li2.*\n|li4.*\n|li5.*\n/g, ''))
    write('results.csv', (more['results.csv'] ?? '').replace(/r[245].*\n/g, ''))
    write('enrollments.csv', files['enrollments.csv'].replace(/e3.*\n|e5.*\n/g, ''))
    write('classes.csv', files['classes.csv'].replace(/k4.*\n/, ''))
    await importFrom(folder)
    expect(await state()).toHaveLength(2)
  })

  test('clears marks that the source withdrew or no longer has', async () => {
    const header =
      'sourcedId,status,lineItemSourcedId,studentSourcedId,scoreStatus,score,textScore,comment\n'
    const li =
      'sourcedId,status,title,description,dueDate,classSourcedId,categorySourcedId,resultValueMax\n'
    const lines = {
      first: 'm1,,q1,u1,fully graded,7,,\n',
      second: 'm2,,q2,u1,fully graded,8,,good\n',
      third: 'm3,,q3,u1,fully graded,9,,\n',
    }
    const results = (...list: string[]) => write('results.csv', header + list.join(''))
    const marks = async () => {
      const { rows } = await sql<{ mark: string }>`
        select assignment.source_key || ' ' || coalesce(score::float8::text, '-') || ' ' || (published_at is not null) as mark
        from study_result result join study_assignment assignment on assignment.id = result.assignment_id
        where source_key like 'q%' order by 1`.execute(db)
      return rows.map(({ mark }) => mark)
    }
    write(
      'lineItems.csv',
      `${li}q1,,Quiz 1,,,k1,hw,10\nq2,,Quiz 2,,,k1,hw,10\nq3,,Quiz 3,,,k1,hw,10\n`,
    )
    results(lines.first, lines.second, lines.third)
    // A mark of a teacher and one of another system, of the same student.
    await sql`
      with made as (
        insert into study_assignment (course_id, kind, title, source, source_key)
        select id, 'mark', 'Elsewhere', source, source_key from course,
          (values (null, null), ('other', 'q9')) as given(source, source_key) where course.code = 'CALC-1'
        returning id
      )
      insert into study_result (assignment_id, account_id, score, marked_at, published_at)
      select made.id, account.id, 5, now(), now() from made, account where username = 's1'`.execute(
      db,
    )
    await importFrom(folder)
    expect(await marks()).toEqual(['q1 7 true', 'q2 8 true', 'q3 9 true', 'q9 5 true'])

    // Withdrawn explicitly, while an invalid line keeps everything else; r9 gives the same mark anew.
    results(
      lines.first.replace(',,', ',tobedeleted,'),
      'm4,,q9,u9,fully graded,1,,\n',
      lines.third,
      lines.third.replace('m3,,', 'm9,tobedeleted,'),
    )
    expect(await importFrom(folder)).toMatchObject({ changed: 1 })
    expect(await marks()).toEqual(['q1 - false', 'q2 8 true', 'q3 9 true', 'q9 5 true'])
    // No such file: nothing is known of marks.
    rmSync(`${folder}/results.csv`)
    expect(await importFrom(folder)).toMatchObject({ changed: 0 })
    expect(await marks()).toEqual(['q1 - false', 'q2 8 true', 'q3 9 true', 'q9 5 true'])
    // Missing from a valid file.
    results(lines.third)
    expect(await importFrom(folder)).toMatchObject({ changed: 1 })
    expect(await marks()).toEqual(['q1 - false', 'q2 - false', 'q3 9 true', 'q9 5 true'])
    const { rows } = await sql<{ score: number }>`
      select score::float8 as score from study_result result
      join study_assignment assignment on assignment.id = result.assignment_id where source is null`.execute(
      db,
    )
    expect(rows).toEqual([{ score: 5 }])
    expect(await importFrom(folder)).toMatchObject({ added: 0, changed: 0 })
    results(lines.first, lines.third)
    await importFrom(folder)
    expect(await marks()).toEqual(['q1 7 true', 'q2 - false', 'q3 9 true', 'q9 5 true'])
  })

  test('reports issues by row of the file, even after skipped rows', async () => {
    const long = 'x'.repeat(101)
    write(
      'academicSessions.csv',
      `${files['academicSessions.csv']}t-2,,,${long},term,2032-02-01,2032-05-19,y,2031\n`,
    )
    write(
      'classes.csv',
      `${files['classes.csv'].replace(/k4.*\n/, '')}k5,,,${long},,c1,,scheduled,,s,t-1\n`,
    )
    const run = listening()
    await importFrom(folder, run)
    expect(run.issues).toEqual([
      expect.stringMatching(/^4: academicSessions.csv: name /),
      expect.stringMatching(/^5: classes.csv: name /),
    ])
    write('academicSessions.csv', files['academicSessions.csv'])
    write('classes.csv', files['classes.csv'].replace(/k4.*\n/, ''))
  })

  test('of another version, or with changes only, is rejected', async () => {
    write('manifest.csv', 'propertyName,value\noneroster.version,2.0\n')
    await expect(importFrom(folder)).rejects.toThrow('is OneRoster 2.0')
    write('manifest.csv', 'propertyName,value\noneroster.version,1.2\nfile.users,delta\n')
    await expect(importFrom(folder)).rejects.toThrow('users.csv contains only changes')
    write('manifest.csv', files['manifest.csv'])
  })

  test('of an invalid ZIP or a missing folder is rejected', async () => {
    await expect(importFrom(write('no.zip', 'not a zip'))).rejects.toThrow(
      'cannot be unpacked safely',
    )
    await expect(importFrom(`${folder}/nothing`)).rejects.toThrow('There is no folder')
  })
})
