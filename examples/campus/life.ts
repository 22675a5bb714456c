import { html, type Language } from './html.ts'
import { button, type FormHandler, type Page } from './pages.ts'
import { type CalendarEvent, putCalendar } from './portal.ts'
import { book, hasBooked, remainingSeats } from './state.ts'
import { electives } from './study.ts'

/** Things of limited number, each taken or returned with one button. */
type Offer = {
  key: string
  seats: number
  zh: string
  en: string
  note?: { zh: string; en: string }
  /** when it takes place: local day and time, duration, number of weeks */
  at: { day: string; time: string; minutes: number; weeks?: number }
}

const days = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() + index * 86_400_000).toLocaleDateString('sv', {
      timeZone: 'Asia/Shanghai',
    }),
  )

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** The next such weekday, from tomorrow on. */
const nextDay = (weekday: number) =>
  days(8)
    .slice(1)
    .find((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === weekday) ?? ''
const halfDays = { morning: '08:00', afternoon: '13:30', evening: '18:30' }

const offers: Record<string, () => Offer[]> = {
  courses: () =>
    electives.map((one) => ({
      key: `course ${one.code}`,
      seats: one.seats,
      zh: one.zh,
      en: one.en,
      note: {
        zh: `${one.code} · ${one.credits} 学分 · 每周${'日一二三四五六'[one.weekday]} ${one.time}`,
        en: `${one.code} · ${one.credits} credits · ${weekdays[one.weekday]}s ${one.time}`,
      },
      at: { day: nextDay(one.weekday), time: one.time, minutes: 95, weeks: 8 },
    })),
  bus: () =>
    days(2).flatMap((date) =>
      ['07:20', '12:40', '17:30', '21:10'].map((time) => ({
        key: `bus ${date} ${time}`,
        seats: 45,
        zh: `${date} ${time} 东校区 → 江北校区`,
        en: `${date} ${time} East campus → Jiangbei`,
        at: { day: date, time, minutes: 40 },
      })),
    ),
  seats: () =>
    days(2).flatMap((date) =>
      (
        [
          ['上午', 'morning'],
          ['下午', 'afternoon'],
          ['晚上', 'evening'],
        ] as const
      ).map(([zh, en]) => ({
        key: `seat ${date} ${en}`,
        seats: 120,
        zh: `${date} ${zh} 图书馆三楼自习区`,
        en: `${date} ${en}, library, third floor`,
        at: { day: date, time: halfDays[en], minutes: 210 },
      })),
    ),
  rooms: () =>
    days(3).flatMap((date) =>
      ['A301', 'B205'].flatMap((room) =>
        ['09:00–11:00', '14:00–16:00'].map((time) => ({
          key: `room ${room} ${date} ${time}`,
          seats: 1,
          zh: `${room} ${date} ${time}`,
          en: `Room ${room}, ${date} ${time}`,
          at: { day: date, time: time.slice(0, 5), minutes: 120 },
        })),
      ),
    ),
}
const titles = {
  courses: { zh: '选课系统', en: 'Course selection' },
  bus: { zh: '校车', en: 'Campus bus' },
  seats: { zh: '座位预约', en: 'Seat booking' },
  rooms: { zh: '房间预约', en: 'Room booking' },
}
export type OfferKind = keyof typeof titles
const courseVerbs = {
  take: { zh: '选课', en: 'Choose' },
  taken: { zh: '已选', en: 'Chosen' },
  giveBack: { zh: '退选', en: 'Drop' },
}
const bookingVerbs = {
  take: { zh: '预约', en: 'Book' },
  taken: { zh: '已预约', en: 'Yours' },
  giveBack: { zh: '取消', en: 'Cancel' },
}
const verbsOf = (kind: OfferKind) => (kind === 'courses' ? courseVerbs : bookingVerbs)

export const offerPage =
  (kind: OfferKind): Page =>
  ({ username }, language) => ({
    title: titles[kind],
    body: html`<section><ul>${(offers[kind]?.() ?? []).map((offer) => {
      const isBooked = hasBooked(offer.key, username)
      const left = remainingSeats(offer.key, offer.seats)
      const verbs = verbsOf(kind)
      return html`<li><div>${offer[language]}<p class="muted number">${offer.note ? `${offer.note[language]} · ` : ''}${leftText(left, language)}</p></div>
${isBooked ? html`<span class="state good">${verbs.taken[language]}</span>` : ''}
${isBooked || left > 0 ? button('book', offer.key, (isBooked ? verbs.giveBack : verbs.take)[language], offer[language], isBooked) : ''}</li>`
    })}</ul></section>`,
  })
const leftText = (left: number, language: Language) =>
  left > 0
    ? language === 'zh'
      ? `余 ${left}`
      : `${left} left`
    : language === 'zh'
      ? '已满'
      : 'full'

export const submitBooking =
  (kind: OfferKind): FormHandler =>
  async ({ username }, form) => {
    const offer = offers[kind]?.().find(({ key }) => key === form.get('book'))
    if (!offer) return 'unknown'
    const wasBooked = hasBooked(offer.key, username)
    if (!book(offer.key, username, offer.seats)) return 'full'
    await putCalendar(username, kind, calendarNames[kind], eventsOf(kind, username))
    if (kind === 'courses') return wasBooked ? 'dropped' : 'chosen'
    return wasBooked ? 'given' : 'booked'
  }

const calendarNames = {
  courses: { zh: '选修课', en: 'Electives' },
  bus: { zh: '校车', en: 'Campus bus' },
  seats: { zh: '自习座位', en: 'Library seats' },
  rooms: { zh: '房间预约', en: 'Room bookings' },
}
/** A member's bookings of a kind, as events for their schedule. */
const eventsOf = (kind: OfferKind, username: string): CalendarEvent[] =>
  (offers[kind]?.() ?? [])
    .filter(({ key }) => hasBooked(key, username))
    .map(({ key, zh, en, at: { day, time, minutes, weeks = 1 } }) => {
      // The day in a list's title is redundant in a calendar.
      const withoutDate = (text: string) => text.replace(/[,，]? ?\d{4}-\d{2}-\d{2} ?/, ' ').trim()
      return {
        key: key.replaceAll(/[^\w-]+/g, '-'),
        title: withoutDate(zh),
        titleEn: withoutDate(en),
        startsAt: new Date(`${day}T${time}:00+08:00`).toISOString(),
        minutes,
        weeks,
      }
    })
