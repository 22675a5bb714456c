import { periodMinutes } from './courses.ts'
import { addDays, type Day, daysBetween, mondayOf } from './dates.ts'
import { type DemoHoliday, holidaysOf } from './holidays.ts'
import { groups } from './members.ts'
import { audiences, type DemoRule, type Tone } from './services.ts'

export type DemoTerm = { code: string; name: string; nameEn: string; startsOn: Day; weeks: number }

export type DemoCalendar = {
  key: string
  kind: 'personal' | 'course' | 'public'
  /** department whose operators manage it */
  departmentCode?: string
  name: string
  nameEn: string
  color: Tone
  /** Either an owner or an audience. */
  ownerUsername?: string
  audience?: DemoRule[]
  /** Shown to the whole audience; otherwise to subscribers only. */
  shownToAll: boolean
}

export type DemoEvent = {
  calendarKey: string
  uid: string
  kind: 'course' | 'event'
  title: string
  titleEn: string
  location: string
  person: string
  description: string
  /** Wall-clock time in the event's time zone: YYYY-MM-DDTHH:MM. */
  startsLocal: string
  minutes: number
  allDay: boolean
  timeZone: string
  rrule: string
  excludedLocal: string[]
}

export const zone = 'Asia/Shanghai'
const weeksOfTerm = 20

/** Three terms; today is always in the twelfth week of the second. */
export function termsAt(today: Day): DemoTerm[] {
  const start = mondayOf(addDays(today, -77))
  return [-26, 0, 25].map((weeks) => term(addDays(start, weeks * 7)))
}
export const currentTermStart = (today: Day) => mondayOf(addDays(today, -77))

function term(startsOn: Day): DemoTerm {
  const [year, month] = startsOn.split('-').map(Number) as [number, number]
  // A term that starts in July or later is the first of a school year.
  const first = month >= 7 ? year : year - 1
  return {
    code: `${first}-${first + 1}-${month >= 7 ? 1 : 2}`,
    name: `${first}—${first + 1} 学年第${month >= 7 ? '一' : '二'}学期`,
    nameEn: `${month >= 7 ? 'First' : 'Second'} term ${first}/${String(first + 1).slice(2)}`,
    startsOn,
    weeks: weeksOfTerm,
  }
}

export function holidaysAt(today: Day): DemoHoliday[] {
  const year = Number(today.slice(0, 4))
  return holidaysOf([year - 1, year, year + 1])
}

/** Public and group calendars, and those of the named accounts. Course calendars come from the timetable. */
export function calendarsAt(): DemoCalendar[] {
  return [
    {
      key: 'academic',
      kind: 'public',
      departmentCode: 'O03',
      name: '校历',
      nameEn: 'Academic calendar',
      color: 'amber',
      audience: audiences.members,
      shownToAll: true,
    },
    {
      key: 'lectures',
      kind: 'public',
      departmentCode: 'O08',
      name: '学术讲座',
      nameEn: 'Lectures',
      color: 'violet',
      audience: audiences.members,
      shownToAll: false,
    },
    {
      key: 'culture',
      kind: 'public',
      departmentCode: 'O21',
      name: '文体活动',
      nameEn: 'Sport and culture',
      color: 'teal',
      audience: audiences.members,
      shownToAll: false,
    },
    {
      key: 'postgraduate',
      kind: 'course',
      name: '研究生公共课',
      nameEn: 'Postgraduate courses',
      color: 'blue',
      audience: audiences.postgraduates,
      shownToAll: true,
    },
    ...groups
      .filter(({ kind }) => kind === 'club')
      .map(
        (club): DemoCalendar => ({
          key: `club:${club.code}`,
          kind: 'public',
          name: club.name,
          nameEn: club.nameEn,
          color: 'green',
          audience: [{ effect: 'include', kind: 'group', target: club.code }],
          shownToAll: true,
        }),
      ),
    ...['student', 'teacher', 'staff', 'admin'].map(
      (username): DemoCalendar => ({
        key: `own:${username}`,
        kind: 'personal',
        name: '我的日程',
        nameEn: 'My calendar',
        color: 'orange',
        ownerUsername: username,
        shownToAll: false,
      }),
    ),
    {
      key: 'research:teacher',
      kind: 'personal',
      name: '科研',
      nameEn: 'Research',
      color: 'green',
      ownerUsername: 'teacher',
      shownToAll: false,
    },
    {
      key: 'study:student',
      kind: 'personal',
      name: '学习计划',
      nameEn: 'Study plan',
      color: 'teal',
      ownerUsername: 'student',
      shownToAll: false,
    },
  ]
}

/** Subscriptions to calendars that are not shown to all. */
export const subscriptions: Record<string, string[]> = {
  student: ['lectures', 'culture'],
  teacher: ['lectures'],
  staff: ['culture'],
  admin: ['culture'],
}

/** Events of the demo; lessons come from the timetable. */
export function eventsAt(today: Day): { calendars: DemoCalendar[]; events: DemoEvent[] } {
  const start = currentTermStart(today)
  const off = holidaysAt(today)
    .filter((holiday) => holiday.off)
    .map(({ day }) => day)
  return {
    calendars: calendarsAt(),
    events: [
      ...postgraduateCourses(start, off),
      ...academicCalendar(today, start),
      ...lectures(today),
      ...culture(today, start),
      ...clubEvenings(start),
      ...personal(today, start),
    ],
  }
}

type More = Partial<
  Pick<
    DemoEvent,
    'location' | 'person' | 'description' | 'rrule' | 'timeZone' | 'kind' | 'excludedLocal'
  >
>

function simple(
  calendarKey: string,
  uid: string,
  title: string,
  titleEn: string,
  startsLocal: string,
  minutes: number,
  more: More = {},
): DemoEvent {
  return {
    calendarKey,
    uid,
    title,
    titleEn,
    startsLocal,
    minutes,
    kind: 'event',
    location: '',
    person: '',
    description: '',
    allDay: false,
    timeZone: zone,
    rrule: '',
    excludedLocal: [],
    ...more,
  }
}

/** An all-day event; the last day is inclusive. */
function allDay(
  calendarKey: string,
  uid: string,
  title: string,
  titleEn: string,
  first: Day,
  last: Day,
  more: More = {},
): DemoEvent {
  const days = daysBetween(first, last) + 1
  return {
    ...simple(calendarKey, uid, title, titleEn, `${first}T00:00`, days * 1440, more),
    allDay: true,
  }
}

/** A weekly event from the first week of the term to its end. */
function weekly(
  calendarKey: string,
  uid: string,
  title: string,
  titleEn: string,
  start: Day,
  weekday: number,
  time: string,
  minutes: number,
  more: More = {},
) {
  const days = more.rrule?.match(/BYDAY=(.*)/)?.[1]?.split(',').length ?? 1
  const count = (weeksOfTerm * days) / (more.rrule?.includes('INTERVAL=2') ? 2 : 1)
  return simple(calendarKey, uid, title, titleEn, `${addDays(start, weekday)}T${time}`, minutes, {
    ...more,
    rrule: `FREQ=WEEKLY;COUNT=${count}${more.rrule ? `;${more.rrule}` : ''}`,
  })
}

function postgraduateCourses(start: Day, off: Day[]): DemoEvent[] {
  const courses: [weekday: number, time: string, title: string, titleEn: string, room: string][] = [
    [0, '18:30', '研究生学术英语', 'Academic English for Postgraduates', '外语楼 报告厅'],
    [1, '13:30', '科研伦理与学术规范', 'Research Ethics', '教一 阶梯教室'],
    [2, '08:00', '矩阵论', 'Matrix Theory', '理科楼 108'],
    [3, '10:00', '数值计算方法', 'Numerical Methods', '理科楼 108'],
    [4, '13:30', '文献检索与写作', 'Literature Search and Writing', '图书馆东楼 502'],
  ]
  return courses.map(([weekday, time, title, titleEn, room], at) => {
    const days = Array.from({ length: 16 }, (_, week) => addDays(start, week * 7 + weekday))
    return simple(
      'postgraduate',
      `postgraduate-${at}`,
      title,
      titleEn,
      `${days[0]}T${time}`,
      periodMinutes,
      {
        kind: 'course',
        location: room,
        person: '研究生院',
        rrule: 'FREQ=WEEKLY;COUNT=16',
        excludedLocal: days.filter((day) => off.includes(day)).map((day) => `${day}T${time}`),
      },
    )
  })
}

/** 校历 */
function academicCalendar(today: Day, start: Day): DemoEvent[] {
  const week = (number: number, weekday = 0) => addDays(start, (number - 1) * 7 + weekday)
  const entry = (uid: string, title: string, titleEn: string, first: Day, last = first) =>
    allDay('academic', uid, title, titleEn, first, last)
  return [
    entry('register', '学生报到注册', 'Registration', addDays(start, -2), addDays(start, -1)),
    entry('begin', '学期上课开始', 'Teaching begins', start),
    entry('resit', '补考与缓考', 'Resits and deferred examinations', week(2, 3), week(2, 4)),
    entry('drop', '补退选截止', 'Last day to add or drop courses', week(2, 6)),
    entry('freshmen', '新生入学教育周', 'Welcome week', week(1), week(1, 4)),
    entry('review', '期中教学检查', 'Mid-term review of teaching', week(9), week(10, 4)),
    entry(
      'sports',
      '第三十八届校运动会',
      '38th sports meeting',
      addDays(today, -2),
      addDays(today, -1),
    ),
    entry(
      'select-1',
      '下学期选课：预选',
      'Course selection: first choice',
      addDays(today, 1),
      addDays(today, 5),
    ),
    entry(
      'select-2',
      '下学期选课：正选',
      'Course selection: main round',
      addDays(today, 9),
      addDays(today, 12),
    ),
    entry('fair', '应届毕业生大型双选会', 'Graduate job fair', addDays(today, 6)),
    entry('evaluation', '学生评教', 'Course evaluation', week(15), week(17, 4)),
    entry('proposal', '研究生论文开题', 'Thesis proposals', week(13), week(15, 4)),
    entry('last', '学期课程结束', 'Teaching ends', week(18, 4)),
    entry('exams', '期末考试', 'Examinations', week(19), week(20, 4)),
    entry('grades', '成绩录入截止', 'Grades due', week(20, 6)),
    entry('vacation', '学生假期', 'Vacation', week(21), week(25, 6)),
    entry('next', '下学期上课开始', 'Next term begins', addDays(start, 25 * 7)),
  ]
}

function lectures(today: Day): DemoEvent[] {
  const list: [
    days: number,
    time: string,
    title: string,
    titleEn: string,
    place: string,
    person: string,
  ][] = [
    [
      -9,
      '19:00',
      '引力波探测的下一个十年',
      'The next decade of gravitational-wave astronomy',
      '物理楼 106',
      '严景安',
    ],
    [-2, '14:30', '排队的经济学', 'The economics of queues', '经管楼 402', '潘晓敏'],
    [0, '19:00', '夜读：给工程师的哲学课', 'Philosophy for engineers', '图书馆东楼 501', '莫文清'],
    [
      1,
      '15:30',
      '岚湖水生态开放观测',
      'Open day at the lake observatory',
      '岚湖西岸观测站',
      '秦漱石',
    ],
    [
      3,
      '12:20',
      '数据科学午间谈：为什么平均数常常骗人',
      'Data Science at Noon: why averages mislead',
      '信息楼 B 座一层大厅',
      '杜若川',
    ],
    [
      4,
      '19:00',
      '让机器学会说“我不知道”',
      'Teaching machines to say “I don’t know”',
      '信息楼报告厅 A101',
      '周明远',
    ],
    [
      6,
      '10:00',
      '软体机器人：没有骨头怎样用力',
      'Soft robots: strength without bones',
      '工程训练中心 203',
      '梁晚舟',
    ],
    [10, '15:30', '老桥的体检', 'Listening to old bridges', '土木楼 109', '付永辉'],
    [
      13,
      '19:00',
      '译者的隐身与现身',
      'The visible and invisible translator',
      '外语楼 305',
      '方静宁',
    ],
    [18, '14:30', '声音的建筑', 'The architecture of sound', '音乐厅', '贾美玲'],
  ]
  return list.map(([days, time, title, titleEn, location, person], at) =>
    simple('lectures', `lecture-${at}`, title, titleEn, `${addDays(today, days)}T${time}`, 90, {
      location,
      person,
    }),
  )
}

function culture(today: Day, start: Day): DemoEvent[] {
  return [
    weekly('culture', 'film', '周五影院', 'Friday film', start, 4, '19:30', 130, {
      location: '大学生活动中心',
    }),
    weekly('culture', 'market', '周末市集', 'Weekend market', start, 5, '10:00', 360, {
      location: '岚湖东岸草坪',
    }),
    weekly(
      'culture',
      'guided',
      '校史馆公众导览',
      'Guided tour of the museum',
      start,
      6,
      '10:00',
      60,
      { location: '校史馆' },
    ),
    simple(
      'culture',
      'ferry',
      '话剧《渡口》加演',
      'The Ferry: extra performance',
      `${addDays(today, -4)}T19:00`,
      110,
      {
        location: '大学生活动中心',
      },
    ),
    allDay(
      'culture',
      'exhibition',
      '“计算与艺术”联合展',
      'Computing and art: exhibition',
      addDays(today, -31),
      addDays(today, 11),
      {
        location: '美术馆',
      },
    ),
  ]
}

function clubEvenings(start: Day): DemoEvent[] {
  const list: [
    code: string,
    weekday: number,
    time: string,
    minutes: number,
    title: string,
    titleEn: string,
    place: string,
  ][] = [
    ['A-badminton', 5, '15:00', 120, '羽毛球协会训练', 'Badminton practice', '体育馆 2 号馆'],
    ['A-photo', 6, '09:30', 150, '周日外拍', 'Sunday photo walk', '东门集合'],
    ['A-choir', 2, '19:00', 120, '合唱团排练', 'Choir rehearsal', '音乐厅排练厅'],
    ['A-rowing', 5, '06:00', 80, '赛艇晨训', 'Morning rowing', '岚湖码头'],
    ['A-robot', 5, '13:30', 180, '机器人周末工坊', 'Robotics workshop', '工程训练中心 B102'],
    ['A-code', 6, '14:00', 180, '周赛与讲评', 'Weekly contest and review', '信息楼 A101'],
    ['A-volunteer', 6, '08:30', 210, '社区志愿服务', 'Community service', '南门集合'],
    ['A-drama', 3, '19:00', 150, '话剧社排练', 'Drama rehearsal', '大学生活动中心 204'],
    ['A-astro', 4, '19:30', 120, '老观象台值守', 'Old observatory evening', '岚山老观象台'],
    ['A-debate', 1, '19:00', 120, '辩论训练', 'Debate practice', '教三 201'],
    ['A-poem', 6, '19:00', 90, '诗歌朗读会', 'Poetry reading', '图书漂流亭'],
    ['A-mountain', 5, '07:30', 300, '岚山步道行走', 'Walk on Lanshan', '北门集合'],
  ]
  return list.map(([code, weekday, time, minutes, title, titleEn, location]) =>
    weekly(`club:${code}`, `club-${code}`, title, titleEn, start, weekday, time, minutes, {
      location,
    }),
  )
}

function personal(today: Day, start: Day): DemoEvent[] {
  const day = (days: number) => addDays(today, days)
  return [
    ...ofStudent(day, start),
    ...ofTeacher(day, start),
    ...ofStaff(day, start),
    ...ofAdmin(day, start),
  ]
}

type DayFrom = (days: number) => Day

/** The student has something every day, also at weekends. */
const ofStudent = (day: DayFrom, start: Day): DemoEvent[] => [
  weekly(
    'own:student',
    'tutor',
    '与导师讨论开题',
    'Proposal meeting with my tutor',
    start,
    0,
    '15:00',
    60,
    {
      location: '线上',
      person: '周明远',
      description: '每周一次，会前一晚把笔记发给周老师。会议号见校园视频会议。',
    },
  ),
  weekly('own:student', 'run', '晨跑', 'Morning run', start, 1, '06:40', 40, {
    location: '田径场',
    rrule: 'BYDAY=TU,TH',
  }),
  // New York has daylight saving time: this is at 20:00 in summer and 21:00 in winter in Jianglan.
  weekly(
    'own:student',
    'abroad',
    '“河流与城市”跨校小组讨论',
    'Rivers and Cities: group call',
    start,
    2,
    '08:00',
    60,
    {
      location: '线上',
      timeZone: 'America/New_York',
      description: '与境外同学同组，时间以对方当地 8:00 为准。',
    },
  ),
  weekly('own:student', 'family', '给家里打电话', 'Call home', start, 6, '19:30', 30),
  allDay('own:student', 'birthday', '妈妈生日', 'Mum’s birthday', day(5), day(5)),
  allDay('own:student', 'camp', '程序设计竞赛集训', 'Programming contest camp', day(13), day(15), {
    location: '信息楼 B402',
  }),
  simple('own:student', 'dentist', '校医院口腔科复诊', 'Dentist', `${day(2)}T17:10`, 30, {
    location: '校医院 201',
  }),
  simple(
    'own:student',
    'return-books',
    '还《算法导论》',
    'Return a library book',
    `${day(3)}T12:30`,
    20,
    { location: '图书馆主馆' },
  ),
  weekly('study:student', 'read', '读论文小组', 'Reading group', start, 3, '15:20', 90, {
    location: '图书馆东楼 507',
  }),
  weekly(
    'study:student',
    'plan',
    '整理一周笔记',
    'Go over the week’s notes',
    start,
    5,
    '09:30',
    90,
    { location: '图书馆东楼' },
  ),
  weekly(
    'study:student',
    'review',
    '操作系统复习',
    'Revise operating systems',
    start,
    6,
    '10:00',
    120,
    { location: '图书馆东楼' },
  ),
  allDay(
    'study:student',
    'compiler',
    '编译原理实验三截止',
    'Compilers: third lab due',
    day(4),
    day(4),
  ),
]

const ofTeacher = (day: DayFrom, start: Day): DemoEvent[] => [
  weekly(
    'research:teacher',
    'group',
    '课题组组会',
    'Research group meeting',
    start,
    1,
    '15:20',
    95,
    { location: '信息楼 B405' },
  ),
  weekly(
    'own:teacher',
    'tutor',
    '与林知夏讨论开题',
    'Proposal meeting with Lin Zhixia',
    start,
    0,
    '15:00',
    60,
    { location: '线上' },
  ),
  weekly(
    'own:teacher',
    'faculty',
    '学院教学例会',
    'School teaching meeting',
    start,
    4,
    '15:20',
    60,
    { location: '信息楼 A210', rrule: 'INTERVAL=2' },
  ),
  weekly('own:teacher', 'office-hour', '答疑', 'Office hour', start, 3, '16:00', 60, {
    location: '信息楼 B407',
  }),
  weekly(
    'research:teacher',
    'london',
    '期刊编辑部例会',
    'Editorial board call',
    start,
    2,
    '10:30',
    60,
    { location: '线上', timeZone: 'Europe/London' },
  ),
  weekly('own:teacher', 'badminton', '教工羽毛球', 'Staff badminton', start, 5, '09:00', 120, {
    location: '体育馆',
  }),
  weekly('own:teacher', 'piano', '送女儿学琴', 'Daughter’s piano lesson', start, 5, '15:00', 60, {
    location: '江北',
  }),
  weekly('own:teacher', 'hill', '岚山步道', 'Walk on Lanshan', start, 6, '08:30', 120),
  weekly('research:teacher', 'writing', '写作', 'Writing', start, 6, '14:30', 150),
  allDay(
    'research:teacher',
    'conference',
    '全国机器学习学术年会',
    'National conference on machine learning',
    day(9),
    day(11),
    { location: '临汐市' },
  ),
  allDay(
    'research:teacher',
    'proposal',
    '基金申请书校内截止',
    'Internal deadline for the grant proposal',
    day(4),
    day(4),
  ),
  simple(
    'own:teacher',
    'lecture',
    '主讲：让机器学会说“我不知道”',
    'Give the lecture “I don’t know”',
    `${day(4)}T18:30`,
    120,
    { location: '信息楼报告厅 A101' },
  ),
]

/** The staff member of the registrar's office. */
const ofStaff = (day: DayFrom, start: Day): DemoEvent[] => [
  weekly('own:staff', 'meeting', '处务会', 'Office meeting', start, 0, '08:30', 60, {
    location: '教一 106',
  }),
  weekly(
    'own:staff',
    'counter',
    '服务窗口值班',
    'Duty at the service desk',
    start,
    1,
    '08:00',
    210,
    { location: '教一 105', rrule: 'BYDAY=TU,TH' },
  ),
  weekly('own:staff', 'exam', '考务协调会', 'Examinations coordination', start, 2, '14:00', 60, {
    location: '教一 110',
  }),
  weekly('own:staff', 'report', '教学运行周报', 'Weekly report', start, 4, '16:00', 45),
  weekly('own:staff', 'yoga', '教工瑜伽', 'Staff yoga', start, 5, '10:00', 60, {
    location: '教工之家 202',
  }),
  weekly(
    'own:staff',
    'market',
    '陪孩子去植物园',
    'Botanic garden with the children',
    start,
    6,
    '09:30',
    150,
  ),
  allDay(
    'own:staff',
    'select',
    '预选开放，值守',
    'First round of course selection',
    day(1),
    day(1),
  ),
  allDay(
    'own:staff',
    'training',
    '全国教务信息化研讨班',
    'Registrars’ workshop',
    day(16),
    day(18),
    { location: '临汐市' },
  ),
]

const ofAdmin = (day: DayFrom, start: Day): DemoEvent[] => [
  weekly('own:admin', 'stand-up', '运行晨会', 'Morning check', start, 0, '08:40', 20, {
    location: '信息楼 A102',
    rrule: 'BYDAY=MO,TU,WE,TH,FR',
  }),
  weekly('own:admin', 'change', '变更窗口', 'Change window', start, 2, '22:00', 120, {
    location: '主机房',
  }),
  weekly('own:admin', 'desk', '服务台工单复盘', 'Service desk review', start, 4, '16:00', 60, {
    location: '信息楼 A204',
  }),
  weekly('own:admin', 'backup', '备份恢复演练', 'Restore drill', start, 5, '10:00', 60, {
    location: '主机房',
    rrule: 'INTERVAL=2',
  }),
  weekly('own:admin', 'ride', '骑行', 'Cycling', start, 5, '16:00', 120, {
    location: '江岸步道',
  }),
  weekly('own:admin', 'cook', '家庭日', 'Family day', start, 6, '11:00', 240),
  simple(
    'own:admin',
    'storage',
    '云盘存储扩容',
    'Extension of the cloud drive',
    `${day(0)}T23:00`,
    420,
    { location: '主机房', description: '期间云盘只读，完成后核对校验和。' },
  ),
  allDay('own:admin', 'drill', '网络安全攻防演练', 'Security exercise', day(8), day(10)),
]
