import { expect, test } from 'vitest'
import { type ParsedAppointment, parseAppointment } from './parse-appointment.ts'

// Tuesday, 10:00.
const today = { day: '2026-11-24', time: '10:00' }

const table: [string, ParsedAppointment][] = [
  [
    '明天下午三点 教三305 组会',
    { title: '组会', day: '2026-11-25', starts: '15:00', location: '教三305' },
  ],
  ['组会 周五下午2:30-4:00', { title: '组会', day: '2026-11-27', starts: '14:30', ends: '16:00' }],
  ['下周三上午十点半 开题答辩', { title: '开题答辩', day: '2026-12-02', starts: '10:30' }],
  [
    '12月1日 14:00—16:00 学术讲座 图书馆报告厅',
    {
      title: '学术讲座',
      day: '2026-12-01',
      starts: '14:00',
      ends: '16:00',
      location: '图书馆报告厅',
    },
  ],
  ['三点开会', { title: '开会', day: '2026-11-24', starts: '15:00' }],
  ['今晚8点 看电影', { title: '看电影', day: '2026-11-24', starts: '20:00' }],
  ['周二上午九点 例会', { title: '例会', day: '2026-12-01', starts: '09:00' }],
  ['周二下午四点 例会', { title: '例会', day: '2026-11-24', starts: '16:00' }],
  [
    '每周四下午三点到五点 读书会',
    {
      title: '读书会',
      day: '2026-11-26',
      starts: '15:00',
      ends: '17:00',
      rrule: 'FREQ=WEEKLY;BYDAY=TH',
    },
  ],
  [
    '每两周的周一 9:00 周报',
    {
      title: '周报',
      day: '2026-11-30',
      starts: '09:00',
      rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
    },
  ],
  [
    '每个工作日早上八点 晨跑',
    {
      title: '晨跑',
      day: '2026-11-24',
      starts: '08:00',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    },
  ],
  ['每月15号 交房租', { title: '交房租', day: '2026-12-15', rrule: 'FREQ=MONTHLY;BYMONTHDAY=15' }],
  ['后天 体检', { title: '体检', day: '2026-11-26' }],
  [
    '三天后下午两点一刻 面谈 1个半小时',
    {
      title: '面谈',
      day: '2026-11-27',
      starts: '14:15',
      minutes: 90,
    },
  ],
  [
    '明天9点在行政楼201开会',
    { title: '开会', day: '2026-11-25', starts: '09:00', location: '行政楼201' },
  ],
  ['2027年3月5日 运动会', { title: '运动会', day: '2027-03-05' }],
  ['3月5日 运动会', { title: '运动会', day: '2027-03-05' }],
  ['明天 3-5点 讨论', { title: '讨论', day: '2026-11-25', starts: '15:00', ends: '17:00' }],
  ['晚上12点 抢票', { title: '抢票' }],
  ['买牛奶', { title: '买牛奶' }],
  ['2月30日 没有的一天', { title: '没有的一天' }],

  [
    'Tue 3pm seminar Room 12',
    { title: 'seminar', day: '2026-11-24', starts: '15:00', location: 'Room 12' },
  ],
  ['Tue 9am stand-up', { title: 'stand-up', day: '2026-12-01', starts: '09:00' }],
  [
    'next Wed 10:30 thesis defence',
    { title: 'thesis defence', day: '2026-12-02', starts: '10:30' },
  ],
  [
    'Lunch with Ada tomorrow at noon',
    { title: 'Lunch with Ada', day: '2026-11-25', starts: '12:00' },
  ],
  [
    'Talk on 1 Dec 2–4pm in Newton Hall',
    {
      title: 'Talk',
      day: '2026-12-01',
      starts: '14:00',
      ends: '16:00',
      location: 'Newton Hall',
    },
  ],
  [
    'Dec 3rd, 11-1pm workshop',
    { title: 'workshop', day: '2026-12-03', starts: '11:00', ends: '13:00' },
  ],
  [
    'every other Thursday 4pm reading group',
    {
      title: 'reading group',
      day: '2026-11-26',
      starts: '16:00',
      rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TH',
    },
  ],
  [
    'every weekday 8am run',
    {
      title: 'run',
      day: '2026-11-24',
      starts: '08:00',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    },
  ],
  [
    'call in 3 days 15:30 for 45 min',
    {
      title: 'call',
      day: '2026-11-27',
      starts: '15:30',
      minutes: 45,
    },
  ],
  ['dinner tonight at 7', { title: 'dinner', day: '2026-11-24', starts: '19:00' }],
  ['coffee tomorrow morning at 9', { title: 'coffee', day: '2026-11-25', starts: '09:00' }],
  [
    '2026-12-24 party https://example.org/a?b=1',
    {
      title: 'party',
      day: '2026-12-24',
      url: 'https://example.org/a?b=1',
    },
  ],
  ['the moon landing', { title: 'the moon landing' }],
  ['', { title: '' }],
]

test.each(table)('parses “%s”', (line, appointment) => {
  expect(parseAppointment(line, today)).toEqual(appointment)
})

test('a long line is parsed within 200 ms', () => {
  const started = performance.now()
  parseAppointment('每每每周周 3-5-7 at at in Room 点 '.repeat(2000), today)
  expect(performance.now() - started).toBeLessThan(200)
})
