import { choiceCell, codeCell, integerCell, listCell, textCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { readDay, readMonthDay, readPeriods, readTime, readWeekday, readWeeks } from './rules.ts'

const orNothing =
  <T>(read: (cell: string) => T) =>
  (cell: string): T | undefined =>
    cell === '' ? undefined : read(cell)

const numberBetween = (min: number, max: number) => (cell: string) => {
  const number = integerCell(cell)
  if (number < min || number > max)
    throw new RowIssue(`is ${number} and must be from ${min} to ${max}`)
  return number
}

const courseCode = {
  headers: [
    'course',
    'courseCode',
    '教学班',
    '教学班号',
    '教学班代码',
    '课程代码',
    '课程号',
    '课序号',
  ],
  required: true,
  read: codeCell,
} as const
const term = {
  headers: ['term', 'termCode', '学期', '学年学期', '学期代码'],
  read: orNothing(codeCell),
} as const

const rowKinds = {
  lesson: ['', '课', '上课', '理论', '实验', '正常'],
  extra: ['补课', '加课'],
  exam: ['考试', '期末考试', '补考'],
  cancelled: ['停课', '取消', 'canceled'],
  moved: ['调课', '调整', '换教室', 'changed'],
  restored: ['恢复', '复课'],
  course: ['课程', '教学班'],
} as const

/** The columns of a timetable file; listed in docs/operate.md. */
export const timetableFields = {
  course: courseCode,
  name: {
    headers: ['name', 'courseName', '课程名称', '课程', '课程名'],
    read: orNothing(textCell(100)),
  },
  nameEn: { headers: ['nameEn', 'courseNameEn', '英文名称', '课程英文名'], read: textCell(150) },
  term,
  type: { headers: ['type', '类型', '类别'], read: choiceCell(rowKinds) },
  key: { headers: ['key', 'lessonId', '课次编号', '安排编号', '编号'], read: textCell(100) },
  weeks: {
    headers: ['weeks', '周次', '上课周次', '起止周'],
    // The length of the term is not known yet: only validated here, and parsed again later.
    read: (cell: string) => {
      if (cell !== '') readWeeks(cell)
      return cell
    },
  },
  weekday: { headers: ['weekday', 'day', '星期', '星期几', '周几'], read: orNothing(readWeekday) },
  periods: { headers: ['periods', '节次', '上课节次', '节'], read: orNothing(readPeriods) },
  startTime: { headers: ['startTime', '开始时间'], read: orNothing(readTime) },
  endTime: { headers: ['endTime', '结束时间'], read: orNothing(readTime) },
  date: { headers: ['date', '日期', '上课日期', '考试日期', '原日期'], read: orNothing(readDay) },
  newDate: { headers: ['newDate', '新日期', '调至日期'], read: orNothing(readDay) },
  newPeriods: { headers: ['newPeriods', '新节次', '调至节次'], read: orNothing(readPeriods) },
  newStartTime: { headers: ['newStartTime', '新开始时间'], read: orNothing(readTime) },
  newEndTime: { headers: ['newEndTime', '新结束时间'], read: orNothing(readTime) },
  newLocation: {
    headers: ['newLocation', '新教室', '新地点', '调至教室'],
    read: orNothing(textCell(100)),
  },
  campus: { headers: ['campus', '校区'], read: textCell(60) },
  location: {
    headers: ['location', 'room', '教室', '地点', '上课地点', '考场'],
    read: textCell(100),
  },
  teacher: { headers: ['teacher', '教师', '任课教师', '教师姓名'], read: textCell(100) },
  teachers: { headers: ['teachers', 'teacherIds', '教师工号', '工号'], read: listCell },
  note: { headers: ['note', '备注', '原因', '说明'], read: textCell(300) },
} as const

export const rosterFields = {
  course: courseCode,
  username: {
    headers: ['username', '学工号', '学号', '工号', '账号'],
    required: true,
    read: (cell: string) => textCell(128)(cell).toLowerCase(),
  },
  role: {
    headers: ['role', '角色', '身份'],
    read: choiceCell({
      attends: ['', 'student', '学生'],
      teaches: ['teacher', '教师', '老师', '助教'],
    }),
  },
  term,
} as const

export const termFields = {
  code: { headers: ['code', '代码', '学期代码', '学年学期'], required: true, read: codeCell },
  name: { headers: ['name', '名称', '学期名称'], required: true, read: textCell(100) },
  nameEn: { headers: ['nameEn', '英文名称'], read: textCell(150) },
  startsOn: { headers: ['startsOn', '开始日期', '第一周'], required: true, read: readDay },
  weeks: { headers: ['weeks', '周数', '教学周数'], required: true, read: numberBetween(1, 60) },
} as const

export const holidayFields = {
  day: { headers: ['day', 'date', '日期'], required: true, read: readDay },
  name: { headers: ['name', '名称'], required: true, read: textCell(60) },
  nameEn: { headers: ['nameEn', '英文名称'], read: textCell(100) },
  kind: {
    headers: ['kind', 'type', '类型'],
    read: choiceCell({
      off: ['', '休', '放假', '休息'],
      working: ['班', '上班', '调休', '补班'],
      normal: ['正常', '取消'],
    }),
  },
  taughtAs: {
    headers: ['taughtAs', '按', '上课按', '补课日期'],
    read: (cell: string): { day: string } | { weekday: number } | undefined => {
      if (cell === '') return undefined
      if (/\d{4}/.test(cell)) return { day: readDay(cell) }
      return { weekday: readWeekday(cell.replace(/的?课(表)?$/, '')) }
    },
  },
} as const

export const periodFields = {
  number: {
    headers: ['number', 'period', '节次', '节'],
    required: true,
    read: (cell: string) => numberBetween(1, 30)(cell.replaceAll(/[第节]/g, '')),
  },
  startsAt: { headers: ['startsAt', 'startTime', '开始时间'], required: true, read: readTime },
  endsAt: { headers: ['endsAt', 'endTime', '结束时间'], required: true, read: readTime },
  campus: { headers: ['campus', '校区'], read: textCell(60) },
  seasonFrom: {
    headers: ['seasonFrom', '作息开始', '季节开始'],
    read: (cell: string) => (cell === '' ? '' : readMonthDay(cell)),
  },
  seasonTo: {
    headers: ['seasonTo', '作息结束', '季节结束'],
    read: (cell: string) => (cell === '' ? '' : readMonthDay(cell)),
  },
} as const
