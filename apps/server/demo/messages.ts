import { addDays, at, dayOf, writeDates } from './dates.ts'
import { type DemoMember, generatedMembers } from './members.ts'
import { messagesEnglish } from './messages-english.ts'
import { namedMessages } from './messages-named.ts'
import { random } from './random.ts'
import type { Tone } from './services.ts'

export type DemoMessageApp = {
  code: string
  name: string
  nameEn: string
  glyph: string
  tone: Tone
  /** Sender name of its messages. */
  sender: string
  senderEn: string
  url: string
  /** its messages may ignore quiet hours and cannot be turned off */
  urgentKind?: true
}

const page = (path: string) => `https://${path}`
export const messageApps: DemoMessageApp[] = [
  {
    code: 'jw',
    name: '教务处',
    nameEn: 'Registrar’s Office',
    glyph: 'calendar',
    tone: 'blue',
    sender: '教学运行科',
    senderEn: 'Teaching operations',
    url: page('jw.jianglan.example/home'),
  },
  {
    code: 'school',
    name: '学院通知',
    nameEn: 'School notices',
    glyph: 'chat',
    tone: 'orange',
    sender: '学院办公室',
    senderEn: 'School office',
    url: '',
  },
  {
    code: 'library',
    name: '图书馆',
    nameEn: 'Library',
    glyph: 'library',
    tone: 'violet',
    sender: '流通部',
    senderEn: 'Circulation',
    url: page('lib.jianglan.example/loans'),
  },
  {
    code: 'card',
    name: '一卡通',
    nameEn: 'Campus card',
    glyph: 'card',
    tone: 'green',
    sender: '卡务中心',
    senderEn: 'Card centre',
    url: page('card.jianglan.example/home'),
  },
  {
    code: 'safety',
    name: '安全中心',
    nameEn: 'Security Centre',
    glyph: 'shield',
    tone: 'teal',
    sender: '统一身份认证',
    senderEn: 'Identity service',
    url: '/pagesA/safeSet/safeSet',
    urgentKind: true,
  },
  {
    code: 'repair',
    name: '后勤报修',
    nameEn: 'Repairs',
    glyph: 'tool',
    tone: 'amber',
    sender: '维修服务中心',
    senderEn: 'Repair centre',
    url: page('repair.jianglan.example/home'),
  },
  {
    code: 'finance',
    name: '财务处',
    nameEn: 'Finance Office',
    glyph: 'wallet',
    tone: 'blue',
    sender: '财务大厅',
    senderEn: 'Finance hall',
    url: page('cw.jianglan.example/claims'),
  },
  {
    code: 'student',
    name: '学生处',
    nameEn: 'Student Affairs Office',
    glyph: 'people',
    tone: 'orange',
    sender: '学生事务大厅',
    senderEn: 'Student affairs hall',
    url: page('xg.jianglan.example/home'),
  },
  {
    code: 'research',
    name: '科研院',
    nameEn: 'Office of Research',
    glyph: 'flask',
    tone: 'violet',
    sender: '项目管理部',
    senderEn: 'Project office',
    url: page('ky.jianglan.example/projects'),
  },
  {
    code: 'hospital',
    name: '校医院',
    nameEn: 'University Hospital',
    glyph: 'health',
    tone: 'green',
    sender: '门诊部',
    senderEn: 'Outpatients',
    url: page('hospital.jianglan.example/booking'),
  },
  {
    code: 'it',
    name: '信息化中心',
    nameEn: 'IT Centre',
    glyph: 'desktop',
    tone: 'teal',
    sender: '服务台 8585',
    senderEn: 'Service desk 8585',
    url: page('help.jianglan.example/home'),
  },
]

export type DemoAsk = {
  titleEn?: string
  summaryEn?: string
  urgent?: boolean
  /** days after sending */
  confirmWithin?: number
  choices?: { value: string; text: string; textEn: string }[]
  actions?: { text: string; textEn: string; url: string }[]
}

export type DemoMessage = {
  appCode: string
  title: string
  summary: string
  content: string
  /** empty without an English version */
  titleEn: string
  summaryEn: string
  sender: string
  senderEn: string
  url: string
  sentAt: Date
  /** the response it asks for; none: reading is enough */
  asks?: DemoAsk
  /** identity types of its audience; none: sent to members by name */
  identities?: string[]
  to: { username: string; readAt: Date | null; starred: boolean }[]
}

export function messagesAt(now: Date): DemoMessage[] {
  return [...toNamed(now), ...asking(now), ...broadcasts(now), ...toOthers(now)]
}

function toNamed(now: Date): DemoMessage[] {
  return Object.entries(namedMessages).flatMap(([username, list]) =>
    list.map(([app, days, time, title, text, mark], place) => {
      const sentAt = moment(now, days, time, place)
      const readAt = mark === '!' ? null : later(sentAt, 25 + ((place * 7) % 90), now)
      return message(app, title, text, sentAt, now, [{ username, readAt, starred: mark === '*' }])
    }),
  )
}

/** Messages that require a response. */
const asked: [days: number, time: string, to: string[], ...Text, DemoAsk][] = [
  [
    0,
    '08:30',
    ['student'],
    'school',
    '宿舍安全承诺书请在本周内确认',
    '请阅读《宿舍安全承诺书》并确认。逾期未确认将由辅导员电话提醒。',
    {
      titleEn: 'Confirm the dormitory safety agreement this week',
      summaryEn:
        'Please read the dormitory safety agreement and confirm it. Tutors will call those who have not.',
      confirmWithin: 5,
    },
  ],
  [
    0,
    '08:05',
    ['student', 'teacher', 'staff'],
    'it',
    '周五晚的系统维护，哪个时段对你影响更小？',
    '本周五晚将升级核心交换机，期间校园网中断约一小时。请选择对你影响更小的时段。',
    {
      titleEn: 'Maintenance on Friday: which hour suits you better?',
      summaryEn:
        'The core switch is replaced on Friday night; the network is down for about an hour. Choose the hour that disturbs you less.',
      confirmWithin: 3,
      choices: [
        { value: '22', text: '22:00–23:00', textEn: '22:00–23:00' },
        { value: '23', text: '23:00–24:00', textEn: '23:00–24:00' },
        { value: 'any', text: '都可以', textEn: 'Either' },
      ],
    },
  ],
  [
    1,
    '18:20',
    ['student', 'teacher', 'staff', 'admin'],
    'safety',
    '大风蓝色预警：请关好门窗',
    '今晚至明日上午阵风 7 级，请关好门窗，远离临时搭建物。',
    {
      titleEn: 'High wind alert: close windows and doors',
      summaryEn:
        'Gusts of force 7 tonight and tomorrow morning. Close windows and doors and keep away from scaffolding.',
      urgent: true,
      actions: [{ text: '查看预警', textEn: 'See the alert', url: '/pages/newsInfo/newsInfo' }],
    },
  ],
]

function asking(now: Date): DemoMessage[] {
  return asked.map(([days, time, to, app, title, text, asks], place) => {
    const sentAt = moment(now, days, time, place)
    const readers = to.map((username) => ({ username, readAt: null, starred: false }))
    return { ...message(app, title, text, sentAt, now, readers), url: '', asks }
  })
}

type Text = [app: string, title: string, text: string]

/** Messages sent to many members. */
const toAll: [days: number, time: string, who: 'students' | 'employees', ...Text][] = [
  [
    0,
    '07:20',
    'students',
    'jw',
    '下学期选课预选明日 10:00 开放',
    '预选不限名额，结束后抽签，先选与后选机会相同。请先完成本学期教学评价。',
  ],
  [
    3,
    '16:00',
    'students',
    'it',
    '校园网认证页面将更新',
    '新页面支持中英文和大字号，原账号密码不变。',
  ],
  [
    8,
    '09:00',
    'students',
    'library',
    '“还书不罚款”活动开始',
    '活动期间归还超期图书免除全部超期费用。',
  ],
  [
    6,
    '14:45',
    'students',
    'student',
    '《宿舍安全承诺书》待签署',
    '请在{+12}前完成线上签署，约需三分钟。',
  ],
  [
    0,
    '07:30',
    'employees',
    'it',
    '云盘今晚扩容，期间只读',
    '今晚 23:00 至次日 6:00 云盘只读，请提前保存。',
  ],
  [
    5,
    '09:00',
    'employees',
    'finance',
    '年终结账时间提醒',
    '本年度报销单据接收截止{+30}，请合理安排。',
  ],
  [
    10,
    '08:40',
    'employees',
    'hospital',
    '年度健康体检开始',
    '各单位时间已推送到个人日程，可自行改期一次。',
  ],
]

function broadcasts(now: Date): DemoMessage[] {
  const chance = random('broadcasts')
  const isStudent = (member: DemoMember) => member.identityCode.startsWith('S')
  return toAll.map(([days, time, who, app, title, text], place) => {
    const sentAt = moment(now, days, time, place)
    const to = generatedMembers
      .filter(
        (member) => member.identityCode !== 'G01' && isStudent(member) === (who === 'students'),
      )
      .map(({ username }) => ({
        username,
        readAt: chance.chance(days ? 0.85 : 0.3) ? later(sentAt, chance.int(3, 900), now) : null,
        starred: false,
      }))
    const identities = [
      ...new Set(generatedMembers.map(({ identityCode }) => identityCode)),
    ].filter((code) => code !== 'G01' && code.startsWith('S') === (who === 'students'))
    return { ...message(app, title, text, sentAt, now, to), identities }
  })
}

type Draw = ReturnType<typeof random>
const places = ['第一食堂', '第二食堂', '第三食堂', '校园超市', '图书馆咖啡角', '洗衣房']
const books = [
  '《算法导论》',
  '《红楼梦》',
  '《数学分析讲义》',
  '《城市发展史》',
  '《流体力学》',
  '《乡土中国》',
  '《细胞生物学》',
  '《建筑十书》',
  '《经济学原理》',
  '《诗词格律》',
]
const faults = ['空调不制冷', '灯管闪烁', '水龙头漏水', '门锁松动', '网口无信号', '窗户关不严']
const money = (chance: Draw, low: number, high: number) =>
  (chance.int(low * 10, high * 10) / 10).toFixed(2)

/** Messages that a system sends to a single person. */
const studentTexts: ((chance: Draw) => Text)[] = [
  (chance) => [
    'card',
    `消费 ${money(chance, 4, 26)} 元，余额 ${money(chance, 30, 280)} 元`,
    `${chance.pick(places)}消费。如非本人操作，请及时挂失。`,
  ],
  (chance) => [
    'library',
    `你借阅的${chance.pick(books)}将于 ${chance.int(1, 5)} 天后到期`,
    '无人预约的图书可续借一次，请在“我的借阅”中办理。',
  ],
  (chance) => [
    'repair',
    '你的报修已完成，请评价',
    `${chance.pick(faults)}：维修员已处理，单号 R-${chance.int(31000, 40000)}。`,
  ],
  (chance) => [
    'jw',
    `《${chance.pick(['大学英语', '高等数学 A', '大学物理', '线性代数', '学术英语写作', '形势与政策'])}》调课通知`,
    `本周课程调至${chance.pick(['教一', '教二', '教三'])} ${chance.int(1, 4)}0${chance.int(1, 9)}，时间不变。`,
  ],
  (chance) => ['student', '请假已批准', `事假 ${chance.int(1, 3)} 天，请按时返校并销假。`],
  (chance) => [
    'school',
    '班级通知',
    chance.pick([
      '本周班会改到周三晚，请准时参加。',
      '请核对个人学籍信息，有误请联系教学秘书。',
      '学院运动队招募，有意者请在社团之家报名。',
      '实习意向登记本周截止。',
    ]),
  ],
  (chance) => [
    'hospital',
    '就诊预约成功',
    `${chance.pick(['内科', '口腔科', '皮肤科', '眼科'])}，请提前十分钟到诊。候诊号 ${chance.int(1, 60)}。`,
  ],
]
const employeeTexts: ((chance: Draw) => Text)[] = [
  (chance) => ['finance', '报销单已到账', `${money(chance, 120, 4800)} 元已转入工资卡。`],
  (chance) => [
    'card',
    `消费 ${money(chance, 8, 30)} 元，余额 ${money(chance, 60, 500)} 元`,
    '教工餐厅消费。',
  ],
  (chance) => [
    'research',
    '项目经费到账提醒',
    `到账 ${money(chance, 5000, 90000)} 元，请在经费查询中核对。`,
  ],
  (chance) => [
    'school',
    '会议通知',
    chance.pick([
      '教学例会本周五下午举行，请提前阅读材料。',
      '部门例会改为线上，会议号见日程。',
      '年度考核个人总结请于月底前填写。',
    ]),
  ],
  (chance) => [
    'library',
    `预约图书${chance.pick(books)}已到馆`,
    '为你保留七天，请到总服务台领取。',
  ],
  (chance) => ['it', '邮箱容量提醒', `邮箱已用 ${chance.int(70, 95)}%，请清理大附件。`],
]
const guestTexts: ((chance: Draw) => Text)[] = [
  (chance) => [
    'school',
    '校友返校日邀请',
    `今年返校日将开放老校门、校史馆和${chance.pick(['图书馆东楼', '老观象台', '江岸绿道'])}，欢迎报名。`,
  ],
  (chance) => [
    'safety',
    '入校预约已通过',
    `请凭身份证从${chance.pick(['南门', '东门', '北门'])}进入，当日有效。`,
  ],
]

function toOthers(now: Date): DemoMessage[] {
  const chance = random('messages')
  return generatedMembers.flatMap(({ username, identityCode }) => {
    const texts = identityCode.startsWith('S')
      ? studentTexts
      : identityCode === 'G01'
        ? guestTexts
        : employeeTexts
    const count = identityCode === 'G01' ? 2 : chance.int(2, 5)
    return chance.sample(texts, count).map((write, place) => {
      const days = chance.int(0, 38)
      const sentAt = moment(
        now,
        days,
        `${String(chance.int(7, 21)).padStart(2, '0')}:${String(chance.int(0, 59)).padStart(2, '0')}`,
        place,
      )
      const unread = chance.chance(days < 3 ? 0.6 : 0.1)
      const [app, title, text] = write(chance)
      return message(app, title, text, sentAt, now, [
        {
          username,
          readAt: unread ? null : later(sentAt, chance.int(2, 1500), now),
          starred: false,
        },
      ])
    })
  })
}

const appOf = new Map(messageApps.map((app) => [app.code, app]))

function message(
  appCode: string,
  title: string,
  text: string,
  sentAt: Date,
  now: Date,
  to: DemoMessage['to'],
): DemoMessage {
  const app = appOf.get(appCode)
  if (!app) throw new Error(`There is no message application ${appCode}`)
  const day = dayOf(sentAt <= now ? sentAt : now)
  const written = writeDates(text, day)
  const [titleEn = '', textEn = ''] = messagesEnglish[title] ?? []
  return {
    appCode,
    title: writeDates(title, day),
    summary: written,
    content: `<p>${written}</p>`,
    titleEn: writeDates(titleEn, day),
    summaryEn: writeDates(textEn, day),
    sender: app.sender,
    senderEn: app.senderEn,
    url: app.url,
    sentAt,
    to,
  }
}

/** A moment on an earlier day, or a few minutes ago if it would be in the future (early in the morning). */
function moment(now: Date, days: number, time: string, place: number): Date {
  const meant = at(addDays(dayOf(now), -days), time)
  return meant <= now ? meant : new Date(now.getTime() - (4 + place * 2) * 60_000)
}
const later = (sent: Date, minutes: number, now: Date) =>
  new Date(Math.min(sent.getTime() + minutes * 60_000, now.getTime()))
