import { addDays, at, dayOf } from './dates.ts'
import { generatedMembers, namedMembers } from './members.ts'
import { random } from './random.ts'

export type DemoPayment = { at: string; place: string; placeEn: string; amount: string }

/** A member's data at the card system, the library, the mail system and others. */
export type DemoCards = {
  username: string
  number: string
  ecard: {
    balance: string
    cardNo: string
    status: 'active'
    paymentLimit: string
    dayLimit: string
    transactions: DemoPayment[]
  }
  books: {
    list: {
      id: string
      title: string
      author: string
      place: string
      placeEn: string
      dueOn: string
    }[]
    history: { title: string; returnedOn: string }[]
  }
  mailbox: {
    unread: number
    total: number
    address: string
    list: { subject: string; from: string; at: string }[]
  }
  research: typeof research | null
  info: { list: { title: string; titleEn: string; value: string; note: string; noteEn: string }[] }
}

type Purchase = [days: number, time: string, place: string, amount: string]
const named: Record<
  string,
  { balance: string; spent: Purchase[]; books: [title: string, days: number][]; unread: number }
> = {
  student: {
    balance: '128.40',
    spent: [
      [2, '12:06', '第一食堂 2 楼 7 号窗口', '-12.50'],
      [2, '07:44', '第一食堂 1 楼早餐', '-4.00'],
      [3, '18:22', '移动支付充值', '+100.00'],
      [3, '17:58', '第三食堂称重台', '-11.50'],
      [4, '21:40', '图书馆咖啡角', '-9.00'],
      [5, '12:11', '第二食堂 2 楼 3 号窗口', '-14.00'],
    ],
    books: [
      ['算法导论', 2],
      ['数据密集型应用系统设计', 19],
      ['乡土中国', 26],
    ],
    unread: 3,
  },
  teacher: {
    balance: '412.60',
    spent: [
      [4, '12:11', '教工餐厅', '-18.00'],
      [5, '12:08', '教工餐厅', '-16.50'],
      [6, '15:30', '图书馆咖啡角', '-22.00'],
      [18, '18:00', '自动圈存', '+200.00'],
    ],
    books: [
      ['Probabilistic Machine Learning', 28],
      ['统计学完全教程', 11],
      ['看不见的城市', 40],
    ],
    unread: 12,
  },
  staff: {
    balance: '218.50',
    spent: [
      [3, '12:02', '教工餐厅', '-15.00'],
      [4, '12:05', '教工餐厅', '-15.00'],
      [17, '17:45', '移动支付充值', '+200.00'],
    ],
    books: [['非暴力沟通', 2]],
    unread: 5,
  },
  admin: {
    balance: '87.20',
    spent: [
      [3, '12:09', '教工餐厅', '-16.50'],
      [5, '22:31', '第一食堂夜宵', '-1.00'],
      [25, '08:00', '自动圈存', '+100.00'],
    ],
    books: [
      ['站点可靠性工程', 2],
      ['银河帝国', 17],
    ],
    unread: 8,
  },
  editor: {
    balance: '64.30',
    spent: [[2, '12:11', '教工餐厅', '-14.50']],
    books: [['乡土中国', 9]],
    unread: 3,
  },
  reviewer: {
    balance: '152.00',
    spent: [[2, '12:20', '教工餐厅', '-16.00']],
    books: [],
    unread: 2,
  },
}

/** English names of the places in the card system's records. */
const placesEn: Record<string, string> = {
  '第一食堂 1 楼早餐': 'Canteen 1, floor 1, breakfast',
  '第一食堂 2 楼 7 号窗口': 'Canteen 1, floor 2, counter 7',
  第一食堂夜宵: 'Canteen 1, late supper',
  '第二食堂 1 楼早餐': 'Canteen 2, floor 1, breakfast',
  '第二食堂 2 楼 3 号窗口': 'Canteen 2, floor 2, counter 3',
  第三食堂称重台: 'Canteen 3, weighed food',
  教工餐厅: 'Staff canteen',
  图书馆咖啡角: 'Library café',
  教育超市: 'Campus shop',
  校园班车: 'Campus bus',
  移动支付充值: 'Top-up by phone',
  自动圈存: 'Automatic top-up',
  自助充值: 'Top-up',
}
/** @param amount positive: a top-up */
export const paymentAt = (when: Date, place: string, amount: string): DemoPayment => ({
  at: when.toISOString(),
  place,
  placeEn: placesEn[place] ?? '',
  amount,
})

export const titles = [
  '算法导论',
  '红楼梦',
  '数学分析讲义',
  '城市发展史',
  '流体力学',
  '乡土中国',
  '细胞生物学',
  '建筑十书',
  '经济学原理',
  '诗词格律',
  '楚辞补注',
  '电动力学',
  '民法总论',
  '外科学',
  '字体设计原理',
]

const shops = [
  ['第一食堂 2 楼 7 号窗口', 8, 16],
  ['第二食堂 1 楼早餐', 3, 7],
  ['第三食堂称重台', 9, 18],
  ['教育超市', 4, 32],
  ['图书馆咖啡角', 9, 22],
  ['校园班车', 2, 2],
] as const

/** Two months of ordinary days before those listed above. */
function ordinaryDays(name: string, today: string) {
  const chance = random(`payments ${name}`)
  const list: DemoPayment[] = []
  for (let days = 7; days < 75; days++) {
    for (const hour of ['07', '12', '18'])
      if (chance.chance(0.55)) {
        const [place, min, max] = chance.pick(shops)
        const cents = chance.int(min * 10, max * 10) * 10
        const time = `${hour}:${String(chance.int(0, 59)).padStart(2, '0')}`
        list.push(paymentAt(at(addDays(today, -days), time), place, `-${(cents / 100).toFixed(2)}`))
      }
    if (days % 21 === 0)
      list.push(paymentAt(at(addDays(today, -days), '20:10'), '移动支付充值', '200.00'))
  }
  return list
}

/** The author of each book; several books have this title if there is none. */
const authors: Record<string, string> = {
  算法导论: 'Thomas H. Cormen',
  数据密集型应用系统设计: 'Martin Kleppmann',
  乡土中国: '费孝通',
  'Probabilistic Machine Learning': 'Kevin P. Murphy',
  统计学完全教程: 'Larry Wasserman',
  看不见的城市: 'Italo Calvino',
  非暴力沟通: 'Marshall B. Rosenberg',
  站点可靠性工程: 'Betsy Beyer',
  银河帝国: 'Isaac Asimov',
  红楼梦: '曹雪芹',
  数学分析讲义: '陈天权',
  城市发展史: 'Lewis Mumford',
  流体力学: '吴望一',
  细胞生物学: '翟中和',
  建筑十书: 'Vitruvius',
  经济学原理: 'N. Gregory Mankiw',
  诗词格律: '王力',
  楚辞补注: '洪兴祖',
  电动力学: '郭硕鸿',
  民法总论: '梁慧星',
  外科学: '陈孝平',
}
const mails = [
  ['关于办理毕业生图像信息采集的通知', '教务处'],
  ['Re: 课程设计第二稿', '陈思远'],
  ['Library: a book you asked for has arrived', '图书馆'],
  ['本周讲座：城市更新与公共空间', '研究生院'],
  ['校园网账单（11 月）', '信息化办公室'],
] as const

const research = {
  figures: [
    { label: 'H 指数', labelEn: 'h-index', value: '17' },
    { label: '总被引', labelEn: 'Citations', value: '1,286' },
    { label: '在研项目', labelEn: 'Open projects', value: '2' },
  ],
  projects: [
    {
      title: '面向城市感知的多源时空数据融合方法',
      role: '主持',
      funder: '国家自然科学基金面上项目',
      amount: '580000.00',
      startsOn: '2025-01-01',
      endsOn: '2028-12-31',
    },
    {
      title: '校园能耗预测与调度平台',
      role: '参与',
      funder: '校企合作',
      amount: '260000.00',
      startsOn: '2026-03-01',
      endsOn: '2027-02-28',
    },
  ],
  papers: [
    {
      title: 'Calibrated uncertainty for sparse urban sensing',
      venue: 'Journal of Machine Learning Research',
      year: '2026',
      citations: 12,
      url: 'https://repository.jianglan.example/papers/calibrated-uncertainty',
    },
    {
      title: '基于贝叶斯模型的交通流缺失数据补全',
      venue: '自动化学报',
      year: '2025',
      citations: 38,
    },
    {
      title: 'Learning to interpolate: graphs, time and missing data',
      venue: 'NeurIPS',
      year: '2023',
      citations: 214,
      url: 'https://repository.jianglan.example/papers/learning-to-interpolate',
    },
  ],
}

const infoOf = (isStudent: boolean) => ({
  list: isStudent
    ? [
        {
          title: '已修学分',
          titleEn: 'Credits earned',
          value: '86.5',
          note: '培养方案要求 160 学分',
          noteEn: 'of the 160 your programme asks for',
        },
        {
          title: '平均绩点',
          titleEn: 'Grade point average',
          value: '3.62',
          note: '截至上学期',
          noteEn: 'up to last term',
        },
        {
          title: '校园网本月流量',
          titleEn: 'Network use this month',
          value: '41.8 GB',
          note: '套餐 100 GB',
          noteEn: 'of 100 GB',
        },
        {
          title: '宿舍电费余额',
          titleEn: 'Dormitory electricity',
          value: '¥32.60',
          note: '梅园 3 栋 512',
          noteEn: 'Meiyuan 3, room 512',
        },
      ]
    : [
        {
          title: '本学期课时',
          titleEn: 'Teaching hours this term',
          value: '64',
          note: '2 门课程',
          noteEn: '2 courses',
        },
        {
          title: '校园网本月流量',
          titleEn: 'Network use this month',
          value: '23.4 GB',
          note: '不限量',
          noteEn: 'no limit',
        },
        {
          title: '公房与停车',
          titleEn: 'Parking',
          value: '东门地下 B2',
          note: '有效期至 2027-08-31',
          noteEn: 'valid until 2027-08-31',
        },
      ],
})

export function cardsAt(now: Date): DemoCards[] {
  const today = dayOf(now)
  const chance = random('personal')
  const books = (name: string, loans: [title: string, dueOn: string][]): DemoCards['books'] => {
    const own = random(`books ${name}`)
    return {
      list: loans.map(([title, dueOn], index) => ({
        id: `L${name}-${index + 1}`,
        title,
        author: authors[title] ?? '',
        place: '总馆三楼流通书库',
        placeEn: 'Main Library, third floor',
        dueOn,
      })),
      history: own
        .sample(titles, 5)
        .map((title, index) => ({ title, returnedOn: addDays(today, -20 - index * 17) })),
    }
  }
  const mailbox = (name: string, unread: number, address: string): DemoCards['mailbox'] => ({
    unread,
    total: unread + random(`mail ${name}`).int(120, 2400),
    address,
    list: mails.map(([subject, from], index) => ({
      subject,
      from,
      at: at(addDays(today, -index), `0${9 - index}:2${index}`).toISOString(),
    })),
  })
  const limits = { status: 'active', paymentLimit: '100.00', dayLimit: '300.00' } as const
  const ofNamed = namedMembers.map(({ username, number, email, identityCode }): DemoCards => {
    const { balance, spent, books: loans, unread } = named[username] as (typeof named)[string]
    return {
      username,
      number,
      ecard: {
        balance,
        cardNo: number,
        ...limits,
        transactions: [
          ...spent.map(([days, time, place, amount]) =>
            paymentAt(at(addDays(today, -days), time), place, amount.replace('+', '')),
          ),
          ...ordinaryDays(username, today),
        ],
      },
      books: books(
        username,
        loans.map(([title, days]) => [title, addDays(today, days)]),
      ),
      mailbox: mailbox(username, unread, email),
      research: identityCode.startsWith('T') ? research : null,
      info: infoOf(identityCode.startsWith('S')),
    }
  })
  const ofOthers = generatedMembers
    .filter(({ identityCode }) => identityCode !== 'G01')
    .map(
      ({ username, number, email, identityCode }): DemoCards => ({
        username,
        number,
        ecard: {
          balance: (chance.int(150, 32000) / 100).toFixed(2),
          cardNo: number,
          ...limits,
          transactions: [],
        },
        books: books(
          username,
          chance
            .sample(titles, chance.int(0, 4))
            .map((title) => [title, addDays(today, chance.int(1, 40))]),
        ),
        mailbox: mailbox(username, chance.int(0, 20), email),
        research: null,
        info: infoOf(identityCode.startsWith('S')),
      }),
    )
  return [...ofNamed, ...ofOthers]
}
