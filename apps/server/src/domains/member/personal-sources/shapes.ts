import type { SourceKind } from '@atrium/contract/member/personal-source'
import { isIsoDate } from '@atrium/rules/validators'
import { timeOf, toSingleLine, truncate } from '#domains/work/task-integration/connector-mapping.ts'

type Reading = 'line' | 'money' | 'count' | 'day' | 'time' | 'status' | 'link'
export type Shape = { read: Reading; longest?: number; required?: true }
type Fields = Record<string, Shape>
type KindShape = { fields: Fields; lists: Record<string, { max: number; fields: Fields }> }

const line = (longest: number): Shape => ({ read: 'line', longest })
const needed = (shape: Shape): Shape => ({ ...shape, required: true })
const [money, count, day, time]: Shape[] = [
  { read: 'money' },
  { read: 'count' },
  { read: 'day' },
  { read: 'time' },
] as const
const link: Shape = { read: 'link' }

/** The data stored per kind. Other fields are dropped, and longer lists are truncated. */
export const shapes: Record<SourceKind, KindShape> = {
  ecard: {
    fields: {
      balance: needed(money as Shape),
      cardNo: needed(line(40)),
      status: { read: 'status' },
      paymentLimit: money as Shape,
      dayLimit: money as Shape,
    },
    lists: {
      transactions: {
        max: 1000,
        fields: {
          at: needed(time as Shape),
          amount: needed(money as Shape),
          place: line(100),
          placeEn: line(100),
        },
      },
    },
  },
  books: {
    fields: {},
    lists: {
      list: {
        max: 200,
        fields: {
          title: needed(line(300)),
          dueOn: needed(day as Shape),
          id: line(100),
          author: line(200),
          place: line(100),
          placeEn: line(100),
        },
      },
      history: {
        max: 200,
        fields: { title: needed(line(300)), returnedOn: needed(day as Shape) },
      },
    },
  },
  mailbox: {
    fields: {
      unread: needed(count as Shape),
      address: needed(line(254)),
      total: count as Shape,
      url: link,
    },
    lists: {
      list: {
        max: 10,
        fields: { subject: line(300), from: line(200), at: needed(time as Shape) },
      },
    },
  },
  research: {
    fields: {},
    lists: {
      projects: {
        max: 200,
        fields: {
          title: needed(line(300)),
          role: line(60),
          funder: line(100),
          amount: money as Shape,
          startsOn: day as Shape,
          endsOn: day as Shape,
        },
      },
      papers: {
        max: 500,
        fields: {
          title: needed(line(500)),
          venue: line(200),
          year: line(4),
          citations: count as Shape,
          url: link,
        },
      },
      figures: {
        max: 12,
        fields: { label: needed(line(60)), labelEn: line(60), value: needed(line(40)) },
      },
    },
  },
  info: {
    fields: {},
    lists: {
      list: {
        max: 30,
        fields: {
          title: needed(line(60)),
          titleEn: line(60),
          value: needed(line(100)),
          note: line(200),
          noteEn: line(200),
          url: link,
        },
      },
    },
  },
  scan: {
    fields: { title: needed(line(100)), titleEn: line(100), note: line(300), url: link },
    lists: { facts: { max: 20, fields: { label: needed(line(60)), value: needed(line(200)) } } },
  },
}

export type Problem = { field: string; text: string }
/** The texts of an answer before validation. */
export type RawFields = {
  text: (field: string) => string | undefined
  lists: Record<string, readonly ((field: string) => string | undefined)[]>
}
export type CardValue = Record<string, unknown>
type Settings = { timeZone: string; moneyIn: 'yuan' | 'fen' }

/** Validates an answer; the value is undefined if a required field is missing. */
export function shapeAnswer(
  kind: SourceKind,
  raw: RawFields,
  settings: Settings,
): { value: CardValue | undefined; problems: Problem[] } {
  const problems: Problem[] = []
  const { fields, lists } = shapes[kind]
  const value = readFields(fields, raw.text, settings, '', problems)
  for (const [name, { max, fields }] of Object.entries(lists)) {
    const items = raw.lists[name]
    if (!items) continue
    if (items.length > max)
      problems.push({ field: `/${name}`, text: `has more than ${max} rows; the rest is left out` })
    const kept = items
      .slice(0, max)
      .flatMap((text, at) => readFields(fields, text, settings, `/${name}/${at}`, problems) ?? [])
    if (value) value[name] = kept
  }
  return { value, problems: problems.slice(0, 50) }
}

function readFields(
  fields: Fields,
  text: (field: string) => string | undefined,
  settings: Settings,
  place: string,
  problems: Problem[],
): CardValue | undefined {
  const kept: CardValue = {}
  let whole = true
  for (const [name, shape] of Object.entries(fields)) {
    const given = text(name)?.trim()
    const read = given ? readText(given, shape, settings) : undefined
    if (given && read === undefined)
      problems.push({ field: `${place}/${name}`, text: `cannot be read as ${shape.read}` })
    if (read !== undefined) kept[name] = read
    else if (shape.required) {
      if (!given) problems.push({ field: `${place}/${name}`, text: 'is missing' })
      whole = false
    }
  }
  return whole ? kept : undefined
}

/** @returns undefined if the text is invalid */
export function readText(text: string, { read, longest = 100 }: Shape, settings: Settings) {
  switch (read) {
    case 'line':
      return truncate(toSingleLine(text), longest) || undefined
    case 'money':
      return moneyOf(text, settings.moneyIn)
    case 'count':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined
    case 'time':
      return timeOf(text, settings.timeZone, false)
    case 'day':
      return dayOf(text, settings.timeZone)
    case 'status':
      return statuses.find((status) => status === text.toLowerCase())
    case 'link':
      return linkOf(text)
  }
}

const statuses = ['active', 'frozen', 'lost'] as const

/** `1,234.5` → `1234.50`, without floating-point arithmetic. */
function moneyOf(text: string, unit: Settings['moneyIn']): string | undefined {
  const plain = text.replaceAll(/[¥￥,\s]/g, '')
  const [, sign, whole = '', fraction = ''] =
    /^([+-]?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(plain) ?? []
  if (sign === undefined) return undefined
  const cents =
    unit === 'fen'
      ? BigInt(whole)
      : BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2))
  const digits = String(cents).padStart(3, '0')
  return `${sign === '-' && cents > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function dayOf(text: string, timeZone: string): string | undefined {
  const [, year, month, day] = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)$/.exec(text) ?? []
  if (year) {
    const plain = `${year}-${month}-${day}`
    return isIsoDate(plain) ? plain : undefined
  }
  const instant = timeOf(text, timeZone, false)
  if (!instant) return undefined
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** An https address, or a path in the portal. */
function linkOf(text: string): string | undefined {
  if (/^\/[^/\\]/.test(text)) return text.length <= 1000 ? text : undefined
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return protocol === 'https:' && !username && !password && href.length <= 1000 ? href : undefined
}
