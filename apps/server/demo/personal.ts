import { addDays, at, dayOf } from './dates.ts'
import { generatedMembers, namedMembers } from './members.ts'
import { random } from './random.ts'

/** What the card system, the library and the mail system say of a member. */
export type DemoCards = {
  username: string
  ecard: {
    balance: string
    cardNo: string
    transactions: { at: string; place: string; amount: string }[]
  }
  books: { list: { title: string; dueOn: string }[] } | null
  mailbox: { unread: number; address: string } | null
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
}

const titles = [
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

export function cardsAt(now: Date): DemoCards[] {
  const today = dayOf(now)
  const chance = random('personal')
  const ofNamed = namedMembers.map(({ username, number, email }): DemoCards => {
    const { balance, spent, books, unread } = named[username] as (typeof named)[string]
    return {
      username,
      ecard: {
        balance,
        cardNo: number,
        transactions: spent.map(([days, time, place, amount]) => ({
          at: at(addDays(today, -days), time).toISOString(),
          place,
          amount,
        })),
      },
      books: { list: books.map(([title, days]) => ({ title, dueOn: addDays(today, days) })) },
      mailbox: { unread, address: email },
    }
  })
  const ofOthers = generatedMembers
    .filter(({ identityCode }) => identityCode !== 'G01')
    .map(
      ({ username, number, email }): DemoCards => ({
        username,
        ecard: {
          balance: (chance.int(150, 32000) / 100).toFixed(2),
          cardNo: number,
          transactions: [],
        },
        books: {
          list: chance
            .sample(titles, chance.int(0, 4))
            .map((title) => ({ title, dueOn: addDays(today, chance.int(1, 40)) })),
        },
        mailbox: { unread: chance.int(0, 20), address: email },
      }),
    )
  return [...ofNamed, ...ofOthers]
}
