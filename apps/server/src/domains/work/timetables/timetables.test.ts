import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { timetables } from '@atrium/contract/work/timetables.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/test-app.ts'
import { expand } from '../schedule/recurrence.ts'
import { listSeries } from '../schedule/write-occurrences.ts'

/*
 * Uses a term of 16 weeks that begins on Monday 1 March 2027. All calls are made over HTTP, as operators and members
 * do.
 */

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await sql`delete from holiday where day >= '2027-02-01'`.execute(app.platform.db)
  await sql`delete from academic_term where starts_on > current_date`.execute(app.platform.db)
  await good(
    'terms',
    'code,name,startsOn,weeks\nT27,2027 春,2027-03-01,16\nT30,2030 春,2030-03-04,20\n',
  )
  await good(
    'periods',
    `number,startsAt,endsAt,campus,seasonFrom,seasonTo
1,08:00,08:45,,,
2,08:55,09:40,,,
3,10:00,10:45,,,
4,10:55,11:40,,,
5,14:00,14:45,,10-01,04-30
5,14:30,15:15,,05-01,09-30
6,14:55,15:40,,10-01,04-30
6,15:25,16:10,,05-01,09-30
1,08:30,09:15,江北,,
2,09:25,10:10,江北,,
`,
  )
})

type What = 'terms' | 'holidays' | 'periods' | 'timetable' | 'rosters'
type More = { term?: string; dryRun?: boolean; strict?: boolean; prune?: boolean; force?: boolean }

const send = async (what: What, text: string, more: More = {}) =>
  (await (await app.as('admin'))(timetables.import, { body: { what, text, term: 'T27', ...more } }))
    .data
async function good(what: What, text: string, more: More = {}) {
  const report = await send(what, text, more)
  expect(report).toMatchObject({ issues: [], written: !more.dryRun })
  return report
}

const head = 'course,name,type,weeks,weekday,periods,location,teacher,date,note\n'
/** The dates of a course in its calendar: local start, minutes, place. */
async function dates(course: string) {
  const { rows } = await sql<{ at: string; minutes: number; location: string }>`
    select to_char(o.starts_at at time zone 'Asia/Shanghai', 'MM-DD Dy HH24:MI') as at,
      (extract(epoch from o.ends_at - o.starts_at) / 60)::integer as minutes, coalesce(changed.location, event.location) as location
    from course join event on event.calendar_id = course.calendar_id join event_occurrence o on o.event_id = event.id
    left join event_override changed on (changed.event_id, changed.original_local) = (o.event_id, o.original_local)
    where course.code = ${course} order by o.starts_at`.execute(app.platform.db)
  return rows
}
const starts = async (course: string) => (await dates(course)).map(({ at }) => at)

const inbox = async (username: 'student' | 'teacher' | 'staff') =>
  (await (await app.as(username))(messages.list, { query: { pageSize: 50 } })).data.list
    .filter(({ appName }) => appName === '课表')
    .map(({ title, summary }) => `${title} | ${summary}`)

const seen = async (username: 'student' | 'teacher', from: string, to = from) =>
  (await (await app.as(username))(schedule.events, { query: { from, to } })).data.list
    .filter(({ kind }) => kind === 'course')
    .filter(({ title }) => title.startsWith('验'))
    .map(({ title, startsAt, location, struck, change }) => ({
      title,
      startsAt,
      location,
      struck,
      change: change && {
        kind: change.kind,
        at: change.at,
        location: change.location,
        locationEn: change.locationEn,
      },
    }))

describe('a timetable', () => {
  test('creates events from weeks, odd and even weeks, lists of weeks and dates', async () => {
    const text = `${head}V1,验证一,,1-16,1,1-2,教一 101,周明远,,
V2,验证二,,1-16(单),周三,3-4,教一 102,,,
V3,验证三,,"3,5,7-9周",5,1-2,教一 103,,,
V4,验证四,考试,,,1-2,教二 201,,2027-06-24,闭卷
`
    expect(await good('timetable', text)).toMatchObject({ read: 4, added: 4, changed: 0 })
    expect(await dates('V1')).toHaveLength(16)
    expect((await dates('V1'))[0]).toEqual({
      at: '03-01 Mon 08:00',
      minutes: 100,
      location: '教一 101',
    })
    expect(await starts('V2')).toEqual([
      '03-03 Wed 10:00',
      '03-17 Wed 10:00',
      '03-31 Wed 10:00',
      '04-14 Wed 10:00',
      '04-28 Wed 10:00',
      '05-12 Wed 10:00',
      '05-26 Wed 10:00',
      '06-09 Wed 10:00',
    ])
    expect(await starts('V3')).toEqual(
      ['03-19', '04-02', '04-16', '04-23', '04-30'].map((day) => `${day} Fri 08:00`),
    )
    expect(await starts('V4')).toEqual(['06-24 Thu 08:00'])
    expect(await good('timetable', text)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 4,
      notes: [],
    })
  })

  test('is stored as series that expand to the stored occurrences', async () => {
    await good('timetable', `${head}V5,验证五,,"1-4,7,10-16",2,5-6,教三 1,,,\n`)
    const { db } = app.platform
    const { rows } = await sql<{ id: string }>`
      select le.event_id as id from lesson_event le`.execute(db)
    const series = await listSeries(
      db,
      rows.map(({ id }) => id),
    )
    for (const [id, one] of series) {
      const { rows: written } = await sql<{ starts_at: string; ends_at: string }>`
        select starts_at, ends_at from event_occurrence where event_id = ${id} order by original_local`.execute(
        db,
      )
      expect(
        expand(one, Temporal.Instant.from('2027-02-01T00:00:00Z')).spans.map(
          ({ startsAt, endsAt }) => [startsAt, endsAt].map((at) => Date.parse(at)),
        ),
      ).toEqual(
        written.map(({ starts_at, ends_at }) => [starts_at, ends_at].map((at) => Date.parse(at))),
      )
    }
    expect(series.size).toBeGreaterThan(4)
  })

  test('uses the period times of the season and the campus', async () => {
    await good(
      'timetable',
      'course,name,weeks,weekday,periods,campus\nV6,验证六,8-10,2,5-6,\nV7,验证七,1,2,1-2,江北\n',
    )
    expect(await starts('V6')).toEqual(['04-20 Tue 14:00', '04-27 Tue 14:00', '05-04 Tue 14:30'])
    expect(await starts('V7')).toEqual(['03-02 Tue 08:30'])
  })

  test('keeps the local time across a daylight saving change', async () => {
    const { db } = app.platform
    const { importTimetable } = await import('./import-timetable.ts')
    const { runImport } = await import('#platform/ingest/import.ts')
    const rows = async function* () {
      yield {
        row: 2,
        cells: { course: 'DST', name: 'Clock', weeks: '2-5', weekday: '7', periods: '1-2' },
      }
    }
    await runImport(app.url, {}, (run) =>
      importTimetable(run, rows(), { timeZone: 'Europe/Berlin', term: 'T27' }),
    )
    const { rows: found } = await sql<{ starts_at: string }>`
      select o.starts_at from course join event_occurrence o on o.calendar_id = course.calendar_id
      where course.code = 'DST' order by 1`.execute(db)
    expect(found.map(({ starts_at }) => starts_at)).toEqual([
      '2027-03-14T07:00:00.000Z',
      '2027-03-21T07:00:00.000Z',
      '2027-03-28T06:00:00.000Z',
      '2027-04-04T06:00:00.000Z',
    ])
  })
})

describe('days off and make-up days', () => {
  test('move lessons, also across weeks, without changing the lesson rows', async () => {
    await good(
      'timetable',
      `${head}H1,验证假,,1-16,3,1-2,教一 1,,,\nH2,验证六,,1-16,6,1-2,教一 2,,,\n`,
    )
    const before = await starts('H1')
    expect(before).toContain('04-07 Wed 08:00')
    // Wednesday 7 April is off and taught on Sunday the 18th, in another week; Saturday the 24th is taught as a Monday.
    const report = await good(
      'holidays',
      'day,name,kind,taughtAs\n2027-04-07,校庆,off,\n2027-04-18,校庆补课,班,2027-04-07\n2027-04-19,运动会,休,\n2027-04-24,补课,班,周一\n',
    )
    expect(report.notes).toHaveLength(1)
    const after = await starts('H1')
    expect(after).not.toContain('04-07 Wed 08:00')
    expect(after).toContain('04-18 Sun 08:00')
    expect(after).toHaveLength(before.length)
    expect(await starts('V1')).toContain('04-24 Sat 08:00')
    // On a day taught as another one, its own lessons do not take place.
    expect(await starts('H2')).not.toContain('04-24 Sat 08:00')
    const { rows } = await sql<{ weeks: number[] }>`
      select weeks from lesson join course on course.id = lesson.course_id where course.code = 'H1'`.execute(
      app.platform.db,
    )
    expect(rows[0]?.weeks).toHaveLength(16)
    const { data } = await (await app.as('student'))(schedule.events, {
      query: { from: '2027-04-18', to: '2027-04-18' },
    })
    expect(data.holidays).toMatchObject([{ off: false, taughtAs: '2027-04-07' }])
    const normal =
      'day,name,kind\n2027-04-07,x,正常\n2027-04-18,x,正常\n2027-04-19,x,normal\n2027-04-24,x,normal\n'
    expect(await good('holidays', normal)).toMatchObject({ changed: 4, unchanged: 0 })
    expect(await starts('H1')).toEqual(before)
    expect(await good('holidays', normal)).toMatchObject({ added: 0, changed: 0, unchanged: 4 })
  })

  test('that are ambiguous or invalid are reported', async () => {
    const report = await send(
      'holidays',
      'day,name,kind,taughtAs\n2027-05-08,补课,班,周三\n2027-05-09,补课,班,2027-05-09\n2027-02-30,假,off,\n',
      { dryRun: true },
    )
    expect(report.issues.map(({ row, sentence }) => `${row} ${sentence}`)).toEqual([
      expect.stringContaining('4 day is “2027-02-30”'),
      expect.stringContaining('2 taughtAs names a weekday, but no day off'),
      expect.stringContaining('3 taughtAs 2027-05-09 is taught on'),
    ])
  })
})

test('a renamed term is shown in calendars at once', async () => {
  const query = { from: '2030-03-10', to: '2030-03-10' }
  const termOf = async () =>
    (await (await app.as('student'))(schedule.events, { query })).data.term?.name
  expect(await termOf()).toBe('2030 春')
  await good('terms', 'code,name,startsOn,weeks\nT30,2030 春季,2030-03-04,20\n')
  expect(await termOf()).toBe('2030 春季')
  await good('terms', 'code,name,startsOn,weeks\nT30,2030 春,2030-03-04,20\n')
})

describe('members', () => {
  const timetable = `${head}M1,验高数,,1-16,1,1-2,教一 101,周明远,,
M2,验物理,,1-16,2,3-4,教二 202,周明远,,
`
  const changes = (rows: string) =>
    `course,type,date,periods,newDate,newPeriods,newLocation,note\n${rows}`

  test('see only the lessons of their courses', async () => {
    await good('timetable', timetable)
    expect(
      await good(
        'rosters',
        'course,username,role\nM1,student,\nM2,student,学生\nM1,teacher,教师\n',
      ),
    ).toMatchObject({ added: 3, notes: [] })
    expect(await seen('student', '2027-03-01', '2027-03-02')).toMatchObject([
      {
        title: '验高数',
        startsAt: '2027-03-01T00:00:00.000Z',
        location: '教一 101',
        struck: false,
      },
      { title: '验物理' },
    ])
    expect(await seen('teacher', '2027-03-01', '2027-03-02')).toMatchObject([{ title: '验高数' }])
    expect(await inbox('student')).toEqual([])
  })

  test('are notified once of changes, and see the original lesson struck out', async () => {
    const text = changes(
      `M1,停课,2027-03-08,,,,,教师出差
M1,moved,2027-03-15,1-2,2027-03-18,3-4,教一 105,
M2,moved,2027-03-09,,,,教三 303,
`,
    )
    const dry = await send('timetable', text, { dryRun: true })
    expect(dry).toMatchObject({ added: 3, written: false, issues: [] })
    expect(dry.notes).toEqual([
      'dates cancelled: 1',
      'dates moved, added or in another room: 2',
      'people notified: 2',
    ])
    expect(await inbox('student')).toEqual([])
    await good('timetable', text)
    expect(await inbox('student')).toEqual([
      '课表有 3 处变动 | 验高数 3月8日周一 08:00 停课（教师出差）；验高数 3月15日周一 08:00 改为 3月18日周四 10:00 教一 105；验物理 3月9日周二 10:00 改在 教三 303',
    ])
    const { list } = (await (await app.as('student'))(messages.list, { query: { pageSize: 50 } }))
      .data
    const english = list.find(({ appName }) => appName === '课表')
    expect(english?.summaryEn).toContain('to Thu 18 Mar, 10:00 Teaching Building 1, 105; ')
    expect(english?.summaryEn).toContain('now in Teaching Building 3, 303')
    expect(await inbox('teacher')).toEqual([
      '课表有 2 处变动 | 验高数 3月8日周一 08:00 停课（教师出差）；验高数 3月15日周一 08:00 改为 3月18日周四 10:00 教一 105',
    ])
    expect(await seen('student', '2027-03-08')).toMatchObject([
      { title: '验高数', struck: true, change: { kind: 'cancelled', at: null } },
    ])
    expect(await seen('student', '2027-03-15', '2027-03-18')).toMatchObject([
      {
        title: '验高数',
        struck: true,
        change: { kind: 'moved', at: '2027-03-18T02:00:00.000Z', location: '教一 105' },
      },
      { title: '验物理', struck: false },
      {
        title: '验高数',
        struck: false,
        location: '教一 105',
        change: {
          kind: 'moved',
          at: '2027-03-15T00:00:00.000Z',
          location: '教一 101',
          locationEn: 'Teaching Building 1, 101',
        },
      },
    ])
    expect(await seen('student', '2027-03-09')).toMatchObject([
      { location: '教三 303', struck: false, change: { kind: 'place', location: '教二 202' } },
    ])

    // Importing the same file again changes nothing and notifies nobody.
    expect(await good('timetable', text)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: 3,
      notes: [],
    })
    expect(await good('timetable', timetable)).toMatchObject({
      changed: 0,
      unchanged: 2,
      notes: [],
    })
    expect(await inbox('student')).toHaveLength(1)
  })

  test('see a lesson moved twice at its last time, and unmarked once it is restored', async () => {
    await good('timetable', changes('M1,moved,2027-03-18,,2027-03-19,,,\n'))
    expect(await seen('student', '2027-03-15')).toMatchObject([
      { struck: true, change: { at: '2027-03-19T02:00:00.000Z' } },
    ])
    expect(await seen('student', '2027-03-18')).toMatchObject([{ struck: true }])
    expect(await seen('student', '2027-03-19')).toMatchObject([{ struck: false }])
    await good('timetable', changes('M1,恢复,2027-03-15,,,,,\nM1,恢复,2027-03-08,,,,,\n'))
    expect(await seen('student', '2027-03-15')).toMatchObject([{ struck: false }])
    expect(await seen('student', '2027-03-08')).toMatchObject([{ struck: false }])
    expect((await starts('M1')).slice(0, 3)).toEqual([
      '03-01 Mon 08:00',
      '03-08 Mon 08:00',
      '03-15 Mon 08:00',
    ])
  })

  test('are notified of a lesson that a new timetable file has moved', async () => {
    const before = (await inbox('student')).length
    // The ninth week moves from one row to another: one lesson that moved.
    await good(
      'timetable',
      `${head}M1,验高数,,"1-8,10-16",1,1-2,教一 101,周明远,,
M1,验高数,,9,4,1-2,教一 101,周明远,,
`,
    )
    expect((await inbox('student')).length).toBe(before + 1)
    expect((await inbox('student'))[0]).toContain('调课：验高数')
    expect(await seen('student', '2027-04-26', '2027-04-29')).toMatchObject([
      { struck: true, change: { kind: 'moved', at: '2027-04-29T00:00:00.000Z' } },
      { title: '验物理' },
      { title: '验高数', struck: false },
    ])
  })

  test('are notified once of joining or leaving a course; unknown ones are reported', async () => {
    const before = (await inbox('student')).length
    const report = await send(
      'rosters',
      'course,username,role\nM2,staff,\nM2,nobody,\nM9,student,\n',
      {
        force: true,
      },
    )
    expect(report.issues).toEqual([
      { row: 3, sentence: 'there is no member nobody' },
      { row: 4, sentence: 'course M9 is not known; import the timetable first' },
    ])
    expect(report.notes).toEqual([
      'places removed, because they are no longer in the file: 1',
      'people notified: 2',
    ])
    expect((await inbox('student'))[0]).toBe('你的课程名单有变动 | 退出：验物理')
    expect((await inbox('student')).length).toBe(before + 1)
    expect(await inbox('staff')).toEqual(['你的课程名单有变动 | 加入：验物理'])
    expect(await good('rosters', 'course,username,role\nM2,staff,\n')).toMatchObject({
      unchanged: 1,
      notes: [],
    })
    const refused = await send('rosters', 'course,username,role\nM2,student,\n')
    expect(refused).toMatchObject({ written: false })
    expect(refused.issues[0]?.sentence).toContain('1 of 1 places')
  })

  test('who attend and teach a course are stored as its teachers in any import order', async () => {
    const roleOf = async (username: string) =>
      (
        await sql<{ role: string }>`
          select member.role from calendar_member member join course using (calendar_id)
          join account on account.id = member.account_id
          where course.code = 'R1' and account.username = ${username}`.execute(app.platform.db)
      ).rows[0]?.role
    const lesson = (teachers: string) =>
      good(
        'timetable',
        `course,name,weeks,weekday,periods,teachers\nR1,验双,1-16,1,1-2,${teachers}\n`,
      )
    const roster = 'course,username,role\nR1,staff,\nR1,student,\n'
    await lesson('teacher')
    await good('rosters', roster)
    expect(await roleOf('staff')).toBe('attends')
    await lesson('teacher；staff')
    expect(await roleOf('staff')).toBe('teaches')
    expect(await good('rosters', roster)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
    expect(await roleOf('staff')).toBe('teaches')
    // A file with the teachers of the course replaces the list.
    expect(await good('rosters', `${roster}R1,teacher,teaches\n`)).toMatchObject({ changed: 1 })
    expect([await roleOf('staff'), await roleOf('teacher')]).toEqual(['attends', 'teaches'])
  })

  test('see changes of today’s lessons in the cached response at once', async () => {
    const day = Temporal.Now.plainDateISO('Asia/Shanghai')
    await good(
      'timetable',
      `course,name,type,date,startTime,endTime,location,term\nN1,验今日,补课,${day},00:00,23:59,教一 101,${termNow}\n`,
      { term: termNow },
    )
    const student = await app.as('student')
    expect((await student(schedule.today)).data.map(({ title }) => title)).not.toContain('验今日')
    await good('rosters', `course,username\nN1,student\n`, { term: termNow })
    expect((await student(schedule.today)).data.map(({ title }) => title)).toContain('验今日')
    await good('timetable', `course,type,date,note\nN1,停课,${day},停电\n`, {
      term: termNow,
      force: true,
    })
    expect(
      (await student(schedule.today)).data.find(({ title }) => title === '验今日'),
    ).toMatchObject({
      struck: true,
      change: { kind: 'cancelled', note: '停电' },
    })
    expect((await student(schedule.changes)).data[0]).toMatchObject({
      title: '验今日',
      kind: 'cancelled',
      locationEn: 'Teaching Building 1, 101',
      nowLocationEn: '',
    })
  })
})

/** The demo's current term has no code until it gets one. */
let termNow = ''
beforeAll(async () => {
  const row = await app.platform.db
    .selectFrom('academic_term')
    .select(['starts_on', 'code'])
    .where('starts_on', '<=', sql<string>`current_date`)
    .orderBy('starts_on', 'desc')
    .executeTakeFirstOrThrow()
  termNow = row.code ?? row.starts_on
})

describe('a file', () => {
  test('with invalid lines reports each of them and cancels no lessons', async () => {
    const first = `${head}B1,验坏,,1-16,1,1-2,教一,,,\nB1,验坏,,1-16,2,1-2,教一,,,\n`
    await good('timetable', first)
    const text = `${head}B1,验坏,,1-16,1,1-2,教一,,,
B1,,,16-1,1,1-2,,,,
B1,,,1-17,1,1-2,,,,
B1,,,,1,1-2,,,,
B1,,,1-16,8,1-2,,,,
B1,,,1-16,1,,,,,
B1,,,1-16,1,13-14,,,,
B1,,,1-16,1,2-1,,,,
B2,,,1-16,1,1-2,,,,
B1,,exam,,,1-2,,,,
B1,,exam,,,1-2,,,2031-01-01,
B1,,停课,,,,,,2027-03-03,
B1,,调课,,,,,,2027-03-01,
B1,,what,1,1,1-2,,,,
B1,验坏,,1-16,1,1-2,教一,,,
"",验坏,,1-16,1,1-2,教一,,,
B1,验坏
`
    const { issues, notes, skipped } = await send('timetable', text)
    expect(issues.map(({ row, sentence }) => `${row} ${sentence}`)).toEqual([
      '3 weeks is “16-1”: week 16 comes after week 1',
      '4 weeks contains week 17, but the term has 16 weeks',
      '5 weeks is empty',
      '6 weekday is “8” and must be a day of the week, 1 to 7',
      '7 periods is empty, and there is no startTime',
      '8 period 13 is not known; import periods first',
      '9 periods is “2-1”: period 2 comes after period 1',
      '11 date is empty, and there is no week with a weekday',
      '12 2031-01-01 is not in the term T27, nor near it',
      '14 gives neither a new time nor a new place for the lesson',
      expect.stringContaining('15 type is “what”'),
      expect.stringContaining('16 course and term and type'),
      '17 course is empty',
      '18 has 2 cells where the header has 10',
      '10 course B2 is new and has no name',
      '13 course B1 has no lesson on 2027-03-03',
    ])
    expect(skipped).toBe(16)
    expect(notes).toContain(
      'lessons kept although not in the file, because some of its lines could not be read: 1',
    )
    expect(await starts('B1')).toHaveLength(32)
  })

  test('that cancels more than a fifth of future lessons requires force', async () => {
    await good('timetable', `${head}F1,验多,,1-20,1,1-2,教一,,,\nF1,验多,,1-20,2,1-2,教一,,,\n`, {
      term: 'T30',
    })
    const less = `${head}F1,验多,,1-20,1,1-2,教一,,,\n`
    expect((await send('timetable', less, { term: 'T30', dryRun: true })).notes).toContain(
      'This cancels 20 of 40 future lessons. This needs --force.',
    )
    const refused = await send('timetable', less, { term: 'T30' })
    expect(refused).toMatchObject({ written: false, changed: 0 })
    expect(refused.issues[0]?.sentence).toContain('20 of 40')
    expect(await starts('F1')).toHaveLength(40)
    await good('timetable', less, { term: 'T30', force: true })
    expect(await starts('F1')).toHaveLength(20)
  })

  test('that is truncated writes nothing', async () => {
    const broken = `${head}X1,验断,,1-16,1,1-2,教一,,,\nX2,"验断,,1-16,2,1-2,教一,,,\n`
    const { written, issues } = await send('timetable', broken)
    expect(written).toBe(false)
    expect(issues[0]?.sentence).toContain('never closed')
    expect(await starts('X1')).toEqual([])
  })

  test('without a required column is rejected, and JSON is read with Chinese or English field names', async () => {
    expect((await send('timetable', 'name,weeks\n高数,1-16\n')).issues).toMatchObject([
      { row: 0, sentence: expect.stringContaining('there is no column course') },
    ])
    expect(await send('timetable', '{"course":1}')).toMatchObject({
      added: 0,
      skipped: 1,
      issues: [{ row: 1, sentence: 'weeks is empty' }],
    })
    const json = await send(
      'timetable',
      JSON.stringify([
        { 课程号: 'J1', 课程名称: '验 JSON', 周次: [1, 2, 3], 星期: 3, 节次: '1-2', 教室: '教一' },
      ]),
    )
    expect(json).toMatchObject({ added: 1, issues: [] })
    expect(await starts('J1')).toHaveLength(3)
    const english = { course: 'J1', name: '验 JSON', weeks: '1-3', weekday: 3, periods: '1-2' }
    expect(
      await send('timetable', JSON.stringify([{ ...english, location: '教一' }])),
    ).toMatchObject({ added: 0, changed: 0, unchanged: 1, issues: [] })
  })

  test('can be imported only by operators', async () => {
    const body = { what: 'timetable', text: head }
    expect(await (await app.as('student'))(timetables.import, { body })).toMatchObject({
      status: 403,
    })
    expect(await app.visitor(timetables.import, { body })).toMatchObject({ status: 401 })
  })
})
