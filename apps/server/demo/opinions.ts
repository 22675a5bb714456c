import { random } from './random.ts'
import { audiences, type DemoRule, type Tone } from './services.ts'

/** Rating criteria of services. */
export const standards = [
  { code: 'ease', name: '好不好用', nameEn: 'Ease of use' },
  { code: 'speed', name: '办得快不快', nameEn: 'Speed' },
  { code: 'clarity', name: '说得清不清楚', nameEn: 'Clarity' },
  { code: 'help', name: '有问题有没有人帮', nameEn: 'Help when needed' },
]

/** Average rating and number of ratings by service. Fewer than five are not shown. */
const judged: Record<string, { mean: number; count: number }> = {
  一卡通: { mean: 4.5, count: 26 },
  座位预约: { mean: 3.6, count: 31 },
  校车: { mean: 4.2, count: 18 },
  成绩查询: { mean: 4.4, count: 22 },
  馆藏查询: { mean: 4.7, count: 14 },
  后勤报修: { mean: 3.2, count: 24 },
  电费充值: { mean: 4.1, count: 12 },
  体育场馆: { mean: 3.8, count: 16 },
  选课系统: { mean: 2.6, count: 40 },
  网络教学平台: { mean: 3.9, count: 20 },
  校园网自助: { mean: 3.4, count: 15 },
  网上报销: { mean: 2.9, count: 17 },
  公文流转: { mean: 3.7, count: 9 },
  会议预约: { mean: 4.0, count: 11 },
  请假: { mean: 4.3, count: 10 },
  食堂: { mean: 4.0, count: 13 },
  我的课表: { mean: 4.6, count: 21 },
  空闲教室: { mean: 4.2, count: 3 },
}

const pleased = [
  '打开就能用，比以前去窗口方便多了。',
  '很顺手，每天都在用。',
  '办得很快，当天就有结果。',
  '界面清楚，第一次用也不会找不到。',
  '手机上就能办完，给好评。',
  '客服回复很及时，问题当场解决。',
  'Works well, and the English pages are complete.',
  '希望继续保持。',
  '',
  '',
  '',
]
const mixed = [
  '能用，就是高峰期有点慢。',
  '功能够了，页面可以再简洁一些。',
  '提醒来得晚，差点错过时间。',
  '还可以，填的内容有点多。',
  'Fine, but some of the texts are in Chinese only.',
  '',
]
const displeased = [
  '高峰期总是打不开，刷新好几次才行。',
  '提交以后一周没有消息，打电话才知道要补材料。',
  '步骤太多，同一份材料传了三次。',
  '手机上字太小，按钮点不到。',
  '说明和实际流程对不上。',
]
const replies = [
  '感谢反馈。高峰期已经扩容，本周起会好一些。',
  '谢谢你的建议，已经排进下一次更新。',
  '抱歉给你添了麻烦，请拨打服务电话，我们马上处理。',
]

export type DemoOpinion = {
  service: string
  /** Index of the generated member. */
  member: number
  stars: number
  comment: string
  scores: number[]
  reply: string
  daysAgo: number
}

/** Opinions of generated members, at most one per member and service. */
export function opinionsOfMembers(members: number): DemoOpinion[] {
  return Object.entries(judged).flatMap(([service, { mean, count }], place) => {
    const chance = random(`opinions:${service}`)
    const about = (value: number) =>
      Math.min(5, Math.max(1, Math.round(value + (chance.next() + chance.next() - 1) * 2)))
    return Array.from({ length: count }, (_, at) => {
      const stars = about(mean)
      const texts = stars >= 4 ? pleased : stars === 3 ? mixed : displeased
      return {
        service,
        member: (place * 97 + at * 13) % members,
        stars,
        comment: chance.pick(texts),
        scores: standards.map(() => about(stars)),
        reply: stars <= 3 && chance.chance(0.35) ? chance.pick(replies) : '',
        daysAgo: 1 + at * 2 + chance.int(0, 1),
      }
    })
  })
}

/** Opinions of the named accounts. */
export const ownOpinions: Record<string, { service: string; stars: number; comment: string }[]> = {
  student: [
    { service: '校车', stars: 5, comment: '新的到站提醒很准，雨天不用白等了。' },
    { service: '后勤报修', stars: 3, comment: '来得挺快，但要说两遍房间号。' },
  ],
  teacher: [{ service: '网上报销', stars: 3, comment: '' }],
}

/** Services that a department adds to its members' favourites. */
export const placements: { service: string; by: string; audience: DemoRule[] }[] = [
  { service: '实验室安全准入', by: 'O13', audience: audiences.students },
  { service: '账号与密码', by: 'O17', audience: audiences.members },
]

/** Articles the named accounts have bookmarked, as indexes in the list of all, newest first. */
export const favouriteArticles: Record<string, number[]> = {
  student: [0, 3, 5, 8, 13, 21, 22, 30, 41],
  teacher: [1, 4, 9, 16],
  staff: [2, 6, 12],
}
/** Articles read on each day, counting back from today. */
export const readArticles: Record<string, number[][]> = {
  student: [[0, 2, 3], [5, 1, 8, 9], [], [13, 14, 4], [22, 21], [30, 31, 7, 41, 40], [50, 52]],
  teacher: [[1, 4], [9], [16, 15, 20]],
  staff: [[2], [6, 12]],
}

export const favouriteFiles: Record<string, { name: string; link: string }[]> = {
  student: [
    {
      name: '本科生手册（2026版）.pdf',
      link: 'https://www.jianglan.example/files/undergraduate-handbook-2026.pdf',
    },
    { name: '校历 2026–2027.pdf', link: 'https://www.jianglan.example/files/calendar-2026.pdf' },
    {
      name: '国家奖学金申请表.docx',
      link: 'https://www.jianglan.example/files/scholarship-form.docx',
    },
  ],
  teacher: [
    { name: '差旅报销标准.pdf', link: 'https://www.jianglan.example/files/travel-rates.pdf' },
    { name: '教学日历模板.xlsx', link: 'https://www.jianglan.example/files/teaching-plan.xlsx' },
  ],
  staff: [
    { name: '公文格式样例.docx', link: 'https://www.jianglan.example/files/document-format.docx' },
  ],
}

export type DemoTheme = {
  code: string
  name: string
  nameEn: string
  summary: string
  summaryEn: string
  glyph: string
  tone: Tone
  audience: DemoRule[]
  services: string[]
}

export const themes: DemoTheme[] = [
  {
    code: 'arrival',
    name: '新生报到',
    nameEn: 'New students',
    summary: '从领校园卡到选课，入学头两周要办的事都在这里。',
    summaryEn: 'From the campus card to course selection: what to do in your first two weeks.',
    glyph: 'gift',
    tone: 'green',
    audience: audiences.open,
    services: [
      '校园地图',
      '账号与密码',
      '一卡通',
      '宿舍服务',
      '学费缴纳',
      '学生医保',
      '选课系统',
      '校园网自助',
      '校历',
      '食堂',
    ],
  },
  {
    code: 'graduation',
    name: '毕业离校',
    nameEn: 'Graduation',
    summary: '论文、离校手续、档案和就业，按顺序办就不会漏。',
    summaryEn: 'Thesis, clearance, records and careers, in the order in which they come.',
    glyph: 'graduation',
    tone: 'violet',
    audience: audiences.students,
    services: [
      '毕业论文',
      '论文查重',
      '毕业离校',
      '学业成绩单',
      '就业服务',
      '我的借阅',
      '档案查询',
    ],
  },
  {
    code: 'finance',
    name: '财务办事',
    nameEn: 'Finance',
    summary: '缴费、报销、工资和票据。',
    summaryEn: 'Fees, expenses, pay and receipts.',
    glyph: 'money',
    tone: 'orange',
    audience: audiences.members,
    services: [
      '学费缴纳',
      '网上报销',
      '工资查询',
      '经费查询',
      '酬金申报',
      '电子票据',
      '公积金与社保',
    ],
  },
  {
    code: 'research',
    name: '科研起步',
    nameEn: 'Starting research',
    summary: '申请项目、预约仪器、查文献，先办安全准入。',
    summaryEn: 'Projects, instruments and literature; safety access comes first.',
    glyph: 'flask',
    tone: 'teal',
    audience: audiences.members,
    services: [
      '实验室安全准入',
      '科研项目',
      '仪器共享平台',
      '高性能计算',
      '数据库导航',
      '文献传递',
      '伦理审查',
      '学术诚信',
    ],
  },
  {
    code: 'visit',
    name: '来访与参观',
    nameEn: 'Visiting',
    summary: '入校预约、停车、地图和校车。',
    summaryEn: 'Visits, parking, the map and the bus.',
    glyph: 'map',
    tone: 'blue',
    audience: audiences.open,
    services: ['入校参观', '访客预约', '停车场', '校园地图', '校车', '信息公开'],
  },
]
