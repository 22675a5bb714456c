import type { PersonalKind } from '@atrium/contract/member/personal-source'
import type {
  Books,
  CardMonth,
  ECard,
  InfoCards,
  Mailbox,
  Research,
} from '@atrium/contract/member/personal-sources'
import { dayIn } from '@atrium/rules/day-in'
import type { StoredCard } from './read-personal.ts'

type Transaction = { at: string; place?: string; placeEn?: string; amount: string }
type Values = {
  ecard: {
    balance: string
    cardNo: string
    status?: 'active' | 'frozen' | 'lost'
    paymentLimit?: string
    dayLimit?: string
    transactions?: Transaction[]
  }
  books: { list?: Books['list']; history?: Books['history'] }
  mailbox: Pick<Mailbox, 'unread' | 'address' | 'total' | 'list' | 'url'>
  research: { [K in 'projects' | 'papers' | 'figures']?: Record<string, string | number>[] }
  info: { list?: Record<string, string>[] }
}
export const storedValue = <K extends PersonalKind>(_: K, { value }: StoredCard) =>
  value as Values[K] | null

const ageOf = ({ asOf, isStale, source }: StoredCard) => ({
  ...(asOf && { asOf }),
  ...(source && { stale: isStale }),
})

export function eCardOf(known: StoredCard): ECard | null {
  const card = storedValue('ecard', known)
  if (!card) return null
  const actions = known.source?.connector.http?.actions ?? {}
  return {
    balance: card.balance,
    cardNo: card.cardNo.slice(-4),
    status: card.status ?? 'active',
    paymentLimit: card.paymentLimit ?? '',
    dayLimit: card.dayLimit ?? '',
    mayFreeze: 'freeze' in actions && 'unfreeze' in actions,
    asOf: known.asOf ?? '',
    ...(known.source && { stale: known.isStale }),
  }
}

/** Amounts are summed in whole cents. */
const centsOf = (amount: string) => Math.round(Number(amount) * 100)
const amountOf = (cents: number) => (cents / 100).toFixed(2)

const maxMonths = 12

/** A month of card payments, by days in the institution's time zone. */
export function cardMonthOf(
  known: StoredCard,
  asked: string | undefined,
  timeZone: string,
): CardMonth | null {
  const card = storedValue('ecard', known)
  if (!card) return null
  const entries = (card.transactions ?? [])
    .map(({ at, place = '', placeEn = '', amount }) => ({
      at,
      place,
      placeEn,
      amount,
      day: dayIn(Date.parse(at), timeZone),
    }))
    .sort((one, other) => (one.at < other.at ? 1 : -1))
  const months = new Map<string, { spent: number; added: number }>()
  for (const { day, amount } of entries) {
    const sums = months.get(day.slice(0, 7)) ?? { spent: 0, added: 0 }
    const cents = centsOf(amount)
    if (cents < 0) sums.spent -= cents
    else sums.added += cents
    months.set(day.slice(0, 7), sums)
  }
  const month = asked ?? [...months.keys()][0] ?? dayIn(Date.now(), timeZone).slice(0, 7)
  const own = entries.filter(({ day }) => day.startsWith(month))
  const days = new Map<string, number>()
  for (const { day, amount } of own) {
    const cents = centsOf(amount)
    if (cents < 0) days.set(day, (days.get(day) ?? 0) - cents)
  }
  return {
    month,
    months: [...months].slice(0, maxMonths).map(([month, { spent, added }]) => ({
      month,
      spent: amountOf(spent),
      added: amountOf(added),
    })),
    days: [...days]
      .map(([day, spent]) => ({ day, spent: amountOf(spent) }))
      .sort((one, other) => (one.day < other.day ? -1 : 1)),
    list: own.map(({ day: _, ...entry }) => entry),
    ...ageOf(known),
  }
}

/** Books due within three days count as due soon; `dueOn` is a date in the institution's time zone. */
export function booksOf(known: StoredCard, now: Date, timeZone: string): Books | null {
  const value = storedValue('books', known)
  if (!value) return null
  const soon = Temporal.PlainDate.from(dayIn(now, timeZone)).add({ days: 3 }).toString()
  const list = (value.list ?? []).toSorted((one, other) => (one.dueOn < other.dueOn ? -1 : 1))
  const mayRenew = known.source?.connector.http?.actions?.renew !== undefined
  return {
    borrowed: list.length,
    dueSoon: list.filter((book) => book.dueOn <= soon).length,
    list: list.map(({ id, ...book }) => ({ ...book, ...(mayRenew && id && { id }) })),
    history: value.history ?? [],
    ...ageOf(known),
  }
}

export function mailboxOf(known: StoredCard): Mailbox | null {
  const value = storedValue('mailbox', known)
  return (
    value && {
      unread: value.unread,
      address: value.address,
      total: value.total ?? value.unread,
      list: (value.list ?? []).map(({ subject = '', from = '', at }) => ({ subject, from, at })),
      url: value.url ?? '',
      ...ageOf(known),
    }
  )
}

export function researchOf(known: StoredCard): Research | null {
  const value = storedValue('research', known)
  if (!value) return null
  const list = <F extends string>(name: keyof Values['research'], fields: readonly F[]) =>
    (value[name] ?? []).map(
      (item) =>
        Object.fromEntries(fields.map((field) => [field, String(item[field] ?? '')])) as Record<
          F,
          string
        >,
    )
  return {
    projects: list('projects', ['title', 'role', 'funder', 'amount', 'startsOn', 'endsOn']),
    papers: list('papers', ['title', 'venue', 'year', 'citations', 'url']),
    figures: list('figures', ['label', 'labelEn', 'value']),
    ...ageOf(known),
  }
}

export function infoCardsOf(known: StoredCard): InfoCards | null {
  const value = storedValue('info', known)
  return (
    value && {
      list: (value.list ?? []).map(
        ({ title = '', titleEn = '', value = '', note = '', noteEn = '', url = '' }) => ({
          title,
          titleEn,
          value,
          note,
          noteEn,
          url,
        }),
      ),
      ...ageOf(known),
    }
  )
}
