import { buildings, type Course, coursesOf } from './courses.ts'
import { classes, type DemoClass, type DemoMember, generatedMembers } from './members.ts'
import { random } from './random.ts'

/** A weekly lesson of one class, or of several that are taught together. */
export type Lesson = {
  classCodes: string[]
  title: string
  titleEn: string
  teacherUsername: string
  teacherName: string
  room: string
  /** 0 is Monday. */
  weekday: number
  /** Index of the period in the day. */
  period: number
  weeks: 'all' | 'odd' | 'even'
  firstWeek: number
  lastWeek: number
  /** Ends with a written examination. */
  examined: boolean
}

type Fixed = [
  weekday: number,
  period: number,
  title: string,
  titleEn: string,
  room: string,
  more?: Partial<Lesson>,
]
const zhou = { teacherUsername: 'teacher', teacherName: '周明远' }
const colleague = (at: number) => {
  const member = teachersOf('CS')[at] as DemoMember
  return { teacherUsername: member.username, teacherName: member.name }
}

/** The weekly lessons of the demo student's class. */
const thirdYear: Fixed[] = [
  [
    0,
    0,
    '机器学习导论',
    'Introduction to Machine Learning',
    '教一 101',
    { ...zhou, classCodes: ['C-CT2401', 'C-CT2402'] },
  ],
  [0, 1, '操作系统', 'Operating Systems', '信息楼 A205', { ...colleague(1) }],
  [1, 1, '计算机网络', 'Computer Networks', '教二 304', { ...colleague(2) }],
  [1, 2, '编译原理', 'Compilers', '信息楼 A203', { ...colleague(3) }],
  [2, 0, '操作系统', 'Operating Systems', '信息楼 A205', { ...colleague(1) }],
  [
    2,
    2,
    '机器学习实验',
    'Machine Learning Laboratory',
    '信息楼 B203',
    { ...zhou, weeks: 'odd', examined: false },
  ],
  [
    2,
    3,
    '学术英语写作',
    'Academic English Writing',
    '外语楼 302',
    { ...outside('FL', 0), examined: false },
  ],
  [3, 0, '计算机网络', 'Computer Networks', '教二 304', { ...colleague(2) }],
  [3, 1, '数据库系统', 'Database Systems', '教三 305', { ...colleague(4) }],
  [
    3,
    4,
    '形势与政策',
    'Current Affairs',
    '教一 阶梯教室',
    { ...outside('HU', 0), firstWeek: 9, examined: false },
  ],
  [4, 0, '编译原理', 'Compilers', '信息楼 A203', { ...colleague(3) }],
  [
    4,
    2,
    '操作系统课程设计',
    'Operating Systems Project',
    '信息楼 B203',
    { ...colleague(1), examined: false },
  ],
  [
    4,
    3,
    '体育（羽毛球）',
    'Physical Education (Badminton)',
    '体育馆',
    { ...outside('O21', 0), examined: false },
  ],
]

/** Other lessons of the demo's teacher, who teaches every working day. */
const zhouBesides: Fixed[] = [
  [
    1,
    0,
    '数据结构',
    'Data Structures',
    '教一 203',
    { ...zhou, classCodes: ['C-CT2501', 'C-CT2502'] },
  ],
  [
    3,
    2,
    '数据结构',
    'Data Structures',
    '教一 203',
    { ...zhou, classCodes: ['C-CT2501', 'C-CT2502'] },
  ],
  [
    2,
    2,
    '机器学习实验',
    'Machine Learning Laboratory',
    '信息楼 B203',
    { ...zhou, classCodes: ['C-CT2402'], weeks: 'even', examined: false },
  ],
  [
    4,
    1,
    '不确定性推理',
    'Reasoning under Uncertainty',
    '信息楼 A301',
    { ...zhou, classCodes: [], examined: false },
  ],
]

function fixed([weekday, period, title, titleEn, room, more]: Fixed): Lesson {
  return {
    classCodes: ['C-CT2401'],
    title,
    titleEn,
    room,
    weekday,
    period,
    ...zhou,
    weeks: 'all',
    firstWeek: 1,
    lastWeek: 16,
    examined: true,
    ...more,
  }
}

/** All lessons of a term, without clashes of classes, teachers or rooms. */
export function timetable(): Lesson[] {
  const chance = random('timetable')
  const taken = new Set<string>()
  const lessons: Lesson[] = []
  const keys = (who: string[], weekday: number, period: number) =>
    who.map((one) => `${one}@${weekday}.${period}`)
  function put(lesson: Lesson) {
    for (const key of keys(
      [...lesson.classCodes, lesson.teacherUsername, lesson.room],
      lesson.weekday,
      lesson.period,
    ))
      taken.add(key)
    lessons.push(lesson)
  }
  for (const lesson of [...thirdYear, ...zhouBesides].map(fixed)) put(lesson)
  // The demo's student meets her tutor on Monday afternoon.
  taken.add('C-CT2401@0.2').add('C-CT2401@0.3')

  for (const ofClass of classes) {
    if (ofClass.code === 'C-CT2401') continue
    for (const course of coursesOf(ofClass.major.code, ofClass.schoolCode, ofClass.year)) {
      if (
        lessons.some(
          (lesson) => lesson.title === course.title && lesson.classCodes.includes(ofClass.code),
        )
      )
        continue
      place(ofClass, course)
    }
  }
  return lessons

  function place(ofClass: DemoClass, course: Course) {
    const teacher = chance.pick(teachersOf(course.schoolCode))
    const room = roomFor(course)
    const half = chance.chance(0.12)
    const weeks = course.alternate ? chance.pick(['odd', 'even'] as const) : 'all'
    const days = chance.shuffle([0, 1, 2, 3, 4])
    let left: number = course.lessons
    for (const weekday of [...days, ...days]) {
      if (left === 0) return
      const period = chance.weighted([
        [0, 4],
        [1, 4],
        [2, 4],
        [3, 3],
        [4, 1],
      ] as const)
      if (
        keys([ofClass.code, teacher.username, room], weekday, period).some((key) => taken.has(key))
      )
        continue
      left--
      put({
        classCodes: [ofClass.code],
        title: course.title,
        titleEn: course.titleEn,
        teacherUsername: teacher.username,
        teacherName: teacher.name,
        room,
        weekday,
        period,
        weeks,
        firstWeek: half ? 9 : 1,
        lastWeek: half ? 18 : 16,
        examined: course.lessons === 2,
      })
    }
  }

  function roomFor({ where, schoolCode }: Course) {
    if (where === 'field')
      return chance.pick(['体育馆', '田径场', '游泳馆', '网球场', '乒乓球馆', '武术房'])
    const building = buildings[schoolCode] ?? '教三'
    if (where === 'lab') return `${building} B${chance.int(1, 4)}0${chance.int(1, 8)}`
    return chance.chance(0.35)
      ? `${building} A${chance.int(1, 4)}0${chance.int(1, 9)}`
      : `${chance.pick(['教一', '教二', '教三'])} ${chance.int(1, 5)}${String(chance.int(1, 16)).padStart(2, '0')}`
  }
}

function teachersOf(organizationCode: string): DemoMember[] {
  return generatedMembers.filter(
    (member) =>
      member.organizationCode.startsWith(organizationCode) &&
      (member.identityCode === 'T01' ||
        (organizationCode === 'O21' && member.identityCode === 'E01')),
  )
}

function outside(organizationCode: string, at: number) {
  const member = teachersOf(organizationCode)[at] as DemoMember
  return { teacherUsername: member.username, teacherName: member.name }
}
