import type { Static } from '@atrium/contract/define'
import type {
  DiversionContent,
  OpeningPageContent,
  SlideContent,
  ThemeContent,
} from '@atrium/contract/shell/launch'
import { addDays, at, type Day, dayOf, writeDates } from './dates.ts'
import { holidaysOf } from './holidays.ts'
import { tabNames } from './launch-pictures.ts'
import { audiences, type DemoRule } from './services.ts'

/** Launch items. Only the slideshow is on; operators can try the others through their settings. */
export type DemoLaunchItem = { audience: DemoRule[] } & (
  | { kind: 'theme'; content: Static<typeof ThemeContent> }
  | { kind: 'opening_page'; content: Static<typeof OpeningPageContent> }
  | { kind: 'diversion'; content: Static<typeof DiversionContent> }
  | { kind: 'slide'; content: Static<typeof SlideContent> }
)

/** @param picture returns the address of a picture by its key */
export function launchItemsAt(now: Date, picture: (key: string) => string): DemoLaunchItem[] {
  const today = dayOf(now)
  return [
    springFestival(today, picture),
    foundersWeek(today, picture),
    ...openingPages(today, picture),
    diversion(picture),
    ...slides(today, picture),
  ]
}

/** Valid from the eve of the next Spring Festival to its last day off: never today. */
function springFestival(today: Day, picture: (key: string) => string): DemoLaunchItem {
  const year = Number(today.slice(0, 4))
  const days = holidaysOf([year, year + 1])
    .filter(({ name, off }) => name === '春节' && off)
    .map(({ day }) => day)
  // Skip a festival that is already under way.
  const first = days.find((day) => day > today && !days.includes(addDays(day, -1))) as Day
  const last = days.filter((day) => day >= first && day < addDays(first, 20)).at(-1)
  return {
    kind: 'theme',
    audience: audiences.open,
    content: {
      name: '春节',
      nameEn: 'Spring Festival',
      footTabs: themeTabs('spring', picture),
      validLists: [
        {
          validTimeType: 'custom',
          customValidTimeType: 'include',
          customValidStartTime: `${first} 00:00:00`,
          customValidEndTime: `${last} 23:59:59`,
        },
      ],
    },
  }
}

/** Valid now: shown as soon as an operator sets ENV_ENABLE_MOBILE_FESTIVAL_THEME. */
function foundersWeek(today: Day, picture: (key: string) => string): DemoLaunchItem {
  return {
    kind: 'theme',
    audience: audiences.open,
    content: {
      name: '校庆周',
      nameEn: 'Founders’ Week',
      footTabs: themeTabs('founders', picture),
      validLists: [
        {
          validTimeType: 'custom',
          customValidTimeType: 'include',
          customValidStartTime: `${addDays(today, -2)} 00:00:00`,
          customValidEndTime: `${addDays(today, 12)} 23:59:59`,
        },
      ],
    },
  }
}

/** Pictures only: the tabs keep their labels. */
const themeTabs = (occasion: 'spring' | 'founders', picture: (key: string) => string) =>
  tabNames.map((name) => ({
    text: '',
    textEn: '',
    name: '',
    iconPath: picture(`${occasion}-${name}`),
    selectedIconPath: picture(`${occasion}-${name}-chosen`),
    backgroundUrl: picture(`${occasion}-bar`),
  }))

const openingPages = (today: Day, picture: (key: string) => string): DemoLaunchItem[] => [
  {
    kind: 'opening_page',
    audience: audiences.open,
    content: {
      title: '早安，江岚',
      titleEn: 'Good morning, Jianglan',
      terminals: ['2', '6'],
      contentUrl: picture('opening-morning'),
      link: '',
      seconds: 4,
      frequencyType: 'unlimited',
      frequency: 1,
      validDateType: 'permanent',
      customValidDateType: 'include',
      customValidStartDate: '',
      customValidEndDate: '',
    },
  },
  {
    kind: 'opening_page',
    audience: audiences.members,
    content: {
      title: '校庆周：今晚钟楼广场见',
      titleEn: 'Founders’ Week: see you at the bell tower tonight',
      terminals: ['2', '6'],
      contentUrl: picture('opening-founders'),
      link: '/pages/channel/channel?columnCode=campus',
      seconds: 6,
      frequencyType: 'limited',
      frequency: 3,
      validDateType: 'custom',
      customValidDateType: 'include',
      customValidStartDate: addDays(today, -2),
      customValidEndDate: addDays(today, 12),
    },
  },
]

const diversion = (picture: (key: string) => string): DemoLaunchItem => ({
  kind: 'diversion',
  audience: audiences.members,
  content: {
    title: '今天从哪里开始？',
    titleEn: 'Where to today?',
    terminals: ['6'],
    destinations: [
      {
        title: '服务大厅',
        titleEn: 'Service hub',
        text: '选课、请假、报修，一百多项服务',
        textEn: 'Courses, leave, repairs and a hundred more',
        imageUrl: picture('library'),
        link: '/pages/tab/service/index',
      },
      {
        title: '我的一天',
        titleEn: 'My day',
        text: '今天的课程、会议和活动',
        textEn: 'Today’s classes, meetings and events',
        imageUrl: picture('lecture-hall'),
        link: '/pages/tab/schedule/schedule',
      },
      {
        title: '校园资讯',
        titleEn: 'Campus news',
        text: '学校正在发生的事',
        textEn: 'What is going on around the university',
        imageUrl: picture('campus-road'),
        link: '/pagesA/news/news',
      },
    ],
  },
})

const slides = (today: Day, picture: (key: string) => string): DemoLaunchItem[] =>
  (
    [
      [
        'slide-timetable',
        '下学期选课预选 {+1} 10:00 开放',
        'Course selection opens {+1e} at 10:00',
        '/pages/service/search?keyWords=选课',
        1,
      ],
      [
        'slide-reading',
        '考试月，图书馆开放到 24:00',
        'Exam month: the library is open until midnight',
        '/pages/service/search?keyWords=图书馆',
        20,
      ],
      [
        'slide-run',
        '冬季长跑开始报名，每周三次打卡',
        'Sign up for the winter run, three times a week',
        '/pagesA/news/news',
        30,
      ],
    ] as const
  ).map(([key, title, titleEn, link, days]) => ({
    kind: 'slide',
    audience: audiences.open,
    content: {
      title: writeDates(title, today),
      titleEn: writeDates(titleEn, today),
      imageUrl: picture(key),
      link,
      startsAt: at(addDays(today, -1), '00:00').toISOString(),
      endsAt: at(addDays(today, days), '23:59').toISOString(),
    },
  }))
