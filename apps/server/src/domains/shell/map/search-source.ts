import { clockOf, openingState, parseOpeningHours, weekLines } from '@atrium/rules/opening-hours'
import {
  type AnswerSource,
  type Entry,
  emptyAnswer,
  type Searchable,
} from '#platform/search-source.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { subjectOf } from '#platform/text/subject-of.ts'

const hoursAsked =
  /(今天|明天|周末|现在)?(几点|什么时候|何时)(钟)?(开门|关门|开放|闭馆|开馆|营业|下班|上班|关|开)|(开放|营业|开门|关门|服务|开馆|闭馆)时间|(开门|关门|开放|营业|开着)(了)?吗?|\b(what time|when) (do(es)?|is)\b|\b(opening|closing) (hours|times?)\b|\b(open(s|ing)?|close[sd]?)\b( now| today)?|\bhours\b/g

/** Minimum fit for a place's name to count as meant. */
const minFit = 0.5

const zhDays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const enDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** “图书馆几点关门”: whether the place is open, until when, and its weekly hours. */
const hoursAnswer: AnswerSource = async (platform, _viewer, { text }, best) => {
  const subject = subjectOf(text, new RegExp(hoursAsked.source)) && text.replaceAll(hoursAsked, ' ')
  const name = subject
    ?.replaceAll(/\s+(the|的)?\s*/g, ' ')
    .replace(/^\s*(the|请问) ?/, '')
    .trim()
  if (!name) return undefined
  const found = await best('place', name)
  if (!found || found.fit < minFit) return undefined
  const { entry } = found
  const row = await platform.db
    .selectFrom('place')
    .select('hours')
    .where('id', '=', entry.id)
    .executeTakeFirst()
  const week = row?.hours ? parseOpeningHours(row.hours) : undefined
  if (!week) return undefined
  const { timeZone } = await currentSettings(platform)
  const now = Temporal.Now.zonedDateTimeISO(timeZone)
  const state = openingState(week, now.dayOfWeek - 1, now.hour * 60 + now.minute)
  const changes = state.changes && {
    clock: clockOf(state.changes.minute),
    inDays: state.changes.inDays,
    day: (now.dayOfWeek - 1 + state.changes.inDays) % 7,
  }
  const day = (language: 'zh' | 'en') => {
    if (!changes || changes.inDays === 0) return ''
    if (changes.inDays === 1) return language === 'zh' ? '明天 ' : 'tomorrow '
    return language === 'zh' ? `${zhDays[changes.day]} ` : `on ${enDays[changes.day]} `
  }
  return {
    ...emptyAnswer,
    kind: 'hours',
    title: entry.title,
    titleEn: entry.titleEn ?? '',
    text: !changes
      ? state.open
        ? '全天开放'
        : '目前不开放'
      : state.open
        ? `现在开放，${day('zh')}${changes.clock} 关门`
        : `现在已关门，${day('zh')}${changes.clock} 开门`,
    textEn: !changes
      ? state.open
        ? 'Open all day'
        : 'Not open at present'
      : state.open
        ? `Open now, closes ${day('en')}at ${changes.clock}`
        : `Closed now, opens ${day('en')}at ${changes.clock}`,
    facts: weekLines(week).map(({ from, to, spans }) => {
      const times = spans.map(([start, end]) => `${clockOf(start)}–${clockOf(end)}`).join(', ')
      return {
        name: from === to ? (zhDays[from] ?? '') : `${zhDays[from]}至${zhDays[to]}`,
        nameEn: from === to ? (enDays[from] ?? '') : `${enDays[from]}–${enDays[to]}`,
        value: times.replaceAll(', ', '、') || '不开放',
        valueEn: times || 'Closed',
      }
    }),
    ways: [{ name: '查看位置', nameEn: 'Show on the map', to: entry.to ?? '', serviceId: null }],
  }
}

export const mapSearch: Searchable = {
  entries: [
    {
      kind: 'place',
      topics: ['places'],
      async entries({ db }) {
        const rows = await db.selectFrom('place').selectAll().execute()
        return rows.map(
          (row): Entry => ({
            id: row.id,
            title: row.name,
            titleEn: row.name_en,
            text: row.address,
            textEn: row.address_en,
            to: `/open-location?${new URLSearchParams({
              id: row.id,
              latitude: String(row.latitude),
              longitude: String(row.longitude),
              name: row.name,
              address: row.address,
              ...(row.name_en && { nameEn: row.name_en }),
              ...(row.address_en && { addressEn: row.address_en }),
            })}`,
            shownTo: 'everybody',
          }),
        )
      },
    },
  ],
  answers: [hoursAnswer],
}
