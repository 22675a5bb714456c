import { articleHtml } from './article-text.ts'
import { addDays, at, dayOf, writeDates } from './dates.ts'
import { academic } from './news-academic.ts'
import type { WrittenArticle } from './news-article.ts'
import { campusLife } from './news-campus.ts'
import { careers } from './news-careers.ts'
import { composed } from './news-composed.ts'
import { newsEnglish } from './news-english.ts'
import { headlines } from './news-headlines.ts'
import { announcements } from './news-notices.ts'
import { teachersWork } from './news-teachers.ts'
import { random } from './random.ts'
import { audiences, type DemoRule } from './services.ts'

export type DemoColumn = { code: string; name: string; nameEn: string; audience: DemoRule[] }

export const columns: DemoColumn[] = [
  { code: 'headlines', name: '要闻', nameEn: 'Headlines', audience: audiences.open },
  { code: 'notices', name: '通知公告', nameEn: 'Announcements', audience: audiences.open },
  { code: 'academic', name: '学术', nameEn: 'Research', audience: audiences.open },
  { code: 'campus', name: '校园生活', nameEn: 'Campus life', audience: audiences.open },
  { code: 'careers', name: '招聘就业', nameEn: 'Careers', audience: audiences.members },
  {
    code: 'teachers',
    name: '教师工作',
    nameEn: 'For teachers and staff',
    audience: audiences.employees,
  },
]

export type DemoArticle = {
  columnCode: string
  /** Unchanged when the demo is filled again. */
  key: string
  title: string
  titleEn: string
  departmentCode: string
  author: string
  summary: string
  body: string
  bodyEn: string
  picture: string | undefined
  pinned: boolean
  publishedAt: Date
  reads: number
}

/** All articles of a demo filled at `now`, newest first. */
export function articlesAt(now: Date): DemoArticle[] {
  const written: Record<string, WrittenArticle[]> = {
    headlines: [...headlines, ...composed.headlines],
    notices: [...announcements, ...composed.notices],
    academic: [...academic, ...composed.academic],
    campus: [...campusLife, ...composed.campus],
    careers: [...careers, ...composed.careers],
    teachers: [...teachersWork, ...composed.teachers],
  }
  const today = dayOf(now)
  const popularity: Record<string, number> = {
    headlines: 5200,
    notices: 8600,
    academic: 900,
    campus: 3100,
    careers: 1700,
    teachers: 420,
  }
  return columns
    .flatMap(({ code }) => {
      const chance = random(`reads:${code}`)
      return (written[code] ?? []).map((article, place) => {
        const bodyEn = article.bodyEn ?? newsEnglish[article.en]
        const day = addDays(today, -article.days)
        const age = 1 - 0.75 ** (article.days + 0.6)
        return {
          columnCode: code,
          key: `${code}-${place + 1}`,
          title: article.title,
          titleEn: article.en,
          departmentCode: article.by,
          author: article.author,
          summary: writeDates(article.summary, day),
          body: articleHtml(writeDates(article.body, day)),
          bodyEn: bodyEn ? articleHtml(writeDates(bodyEn, day)) : '',
          picture: article.picture,
          pinned: article.pinned ?? false,
          publishedAt: notLater(at(day, article.time), now, place),
          reads: Math.round((popularity[code] ?? 1000) * age * (0.3 + chance.next() * 1.4)),
        }
      })
    })
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
}

/** Early in the morning, an article of today would be in the future: it appeared a moment ago. */
function notLater(moment: Date, now: Date, place: number): Date {
  return moment <= now ? moment : new Date(now.getTime() - (8 + place * 3) * 60_000)
}
