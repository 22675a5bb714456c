import type { Assignment, StudyLesson, StudyTerm } from '@atrium/contract/learning/study'
import { dayIn } from '@atrium/rules/day-in'
import { formatDayAndWeekday, formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'

/** 今天 08:00–09:40, 11月26日周四 08:00–09:40, Thu, Nov 26 08:00–09:40 */
export function lessonTime({ startsAt, endsAt }: StudyLesson, zone: string, now = new Date()) {
  // Word joiners keep the two times on one line.
  const time = `${formatTime(startsAt, zone)}\u2060–\u2060${formatTime(endsAt, zone)}`
  const days = dayNumber(new Date(startsAt), zone) - dayNumber(now, zone)
  if (days === 0) return m.study_today({ time })
  if (days === 1) return m.study_tomorrow({ time })
  return `${formatDayAndWeekday(startsAt, zone)} ${time}`
}
const dayNumber = (moment: Date, zone: string) => Date.parse(dayIn(moment, zone)) / 86_400_000

export const termName = ({ name, nameEn }: StudyTerm) => inLanguage(name, nameEn)
export const weekText = ({ week, weeks }: StudyTerm) =>
  week > 0 ? m.study_week({ week, weeks }) : ''

export const nameOf = ({ name, nameEn }: { name: string; nameEn: string }) =>
  inLanguage(name, nameEn)
export const titleOf = ({ title, titleEn }: { title: string; titleEn: string }) =>
  inLanguage(title, titleEn)

/** 92/100, or a grade in words. */
export function markText({ score, points, grade }: NonNullable<Assignment['mark']>) {
  if (score === null) return grade
  const number = points === null ? String(score) : `${score}/${points}`
  return grade ? `${number} · ${grade}` : number
}
