import { importRosters } from '../src/domains/work/timetables/import-rosters.ts'
import { importTimetable } from '../src/domains/work/timetables/import-timetable.ts'
import type { Db } from '../src/platform/database/db.ts'
import { StartError } from '../src/platform/environment.ts'
import { periods } from './courses.ts'
import { addDays, type Day, weekdayFrom, weekdayOf } from './dates.ts'
import { generatedMembers, namedMembers } from './members.ts'
import { insert } from './rows.ts'
import { currentTermStart, termsAt, zone } from './schedule.ts'
import { type Lesson, timetable } from './timetable.ts'

const later = (time: string, minutes: number) =>
  Temporal.PlainTime.from(time).add({ minutes }).toString({ smallestUnit: 'minute' })

/** Courses, lessons, examinations, some changes and the participants, imported like an institution's own. */
export async function fillTimetable(db: Db, today: Day) {
  // Each double period is two of 45 minutes with a five-minute break.
  await insert(
    db,
    'class_period',
    periods.flatMap(({ start }, at) =>
      [0, 50].map((minutes, half) => ({
        number: at * 2 + half + 1,
        starts_at: later(start, minutes),
        ends_at: later(start, minutes + 45),
      })),
    ),
  )
  const term = termsAt(today)[1]?.code
  const run = {
    db,
    issue(row: number, sentence: string) {
      throw new StartError(`The timetable of the demo, row ${row}: ${sentence}`)
    },
    note: () => {},
    read: () => {},
  }
  await importTimetable(run, numbered(timetableRows(today)), { timeZone: zone, term })
  await importRosters(run, numbered(rosterRows()), { term })
}

type Cells = Record<string, string>

async function* numbered(rows: readonly Cells[]) {
  for (const [at, cells] of rows.entries()) yield { row: at + 2, cells }
}

/** One course per teacher and group of classes that are taught together. */
function coursesOf(lessons: readonly Lesson[]) {
  const keyOf = ({ title, teacherUsername, classCodes }: Lesson) =>
    [title, teacherUsername, ...classCodes].join()
  return [...Map.groupBy(lessons, keyOf).values()].map((of, at) => ({
    code: `K${String(at + 1).padStart(4, '0')}`,
    lessons: of,
    first: of[0] as Lesson,
  }))
}

function timetableRows(today: Day): Cells[] {
  const start = currentTermStart(today)
  const courses = coursesOf(timetable())
  return [
    ...courses.flatMap(({ code, lessons, first }) =>
      lessons.map((lesson) => ({
        course: code,
        name: first.title,
        nameEn: first.titleEn,
        type: 'lesson',
        weeks: `${lesson.firstWeek}-${lesson.lastWeek}${lesson.weeks === 'odd' ? '(单)' : lesson.weeks === 'even' ? '(双)' : ''}`,
        weekday: String(lesson.weekday + 1),
        periods: `${lesson.period * 2 + 1}-${lesson.period * 2 + 2}`,
        location: lesson.room,
        teacher: lesson.teacherName,
        teachers: lesson.teacherUsername,
      })),
    ),
    // In the last two weeks, two hours in the morning or afternoon.
    ...courses
      .filter(({ first }) => first.examined && first.classCodes.length > 0)
      .map(({ code, first }, at) => ({
        course: code,
        type: 'exam',
        date: addDays(start, (18 + (at % 2)) * 7 + first.weekday),
        startTime: first.period < 2 ? '09:00' : '14:00',
        endTime: first.period < 2 ? '11:00' : '16:00',
        location: first.room,
        note: '请提前二十分钟到场，携带校园卡或身份证。',
      })),
    ...changedLessons(today, courses),
  ]
}

/** Two lessons are in another room, as announced in messages; one is cancelled and one is moved. */
const changedLessons = (today: Day, courses: ReturnType<typeof coursesOf>): Cells[] => {
  const thursday = weekdayFrom(today, 'thu', 1)
  const friday = weekdayFrom(today, 'fri', 1)
  const changes: [title: string, room: string, day: Day, what: Cells][] = [
    [
      '计算机网络',
      '教二 304',
      thursday,
      { type: 'moved', newLocation: '教三 305', note: '原教室检修' },
    ],
    [
      '数据结构',
      '教一 203',
      weekdayFrom(addDays(today, -1), 'thu', 1),
      { type: 'moved', newLocation: '教一 105', note: '原教室检修' },
    ],
    ['体育（羽毛球）', '体育馆', friday, { type: 'cancelled', note: '场馆维护' }],
    [
      '编译原理',
      '信息楼 A203',
      friday,
      {
        type: 'moved',
        newDate: addDays(friday, 4),
        newPeriods: '9-10',
        newLocation: '信息楼 A105',
      },
    ],
  ]
  return changes.flatMap(([title, room, day, what]) =>
    courses
      .filter(({ lessons }) =>
        lessons.some(
          (lesson) =>
            lesson.title === title && lesson.room === room && lesson.weekday === weekdayOf(day),
        ),
      )
      .slice(0, 1)
      .map(({ code }) => ({ course: code, date: day, ...what })),
  )
}

function rosterRows(): Cells[] {
  const members = [...namedMembers, ...generatedMembers]
  return coursesOf(timetable()).flatMap(({ code, first }) =>
    members
      .filter(({ groupCodes }) => first.classCodes.some((of) => groupCodes.includes(of)))
      .map(({ username }) => ({ course: code, username, role: 'student' })),
  )
}
