import type { Mapped, TaskConnector } from '@atrium/contract/work/task-connector'
import { SourceTask } from '@atrium/contract/work/task-integration'
import { taskStatuses } from '@atrium/contract/work/tasks'
import Schema from 'typebox/schema'
import { expandPointers, pointersIn, textOf, valueAt } from './pointer.ts'

/** A fault in a listed task. `at` points into the answer, `field` into the description. */
export type Problem = { at: string; field: string; text: string }
export type MappedTask = {
  /** undefined if the item could not be mapped */
  task: SourceTask | undefined
  key: string | undefined
  problems: Problem[]
}

const sourceTask = Schema.Compile(SourceTask)

/** Maps a listed item to a task of the integration API. Invalid optional values are left out. */
export function mapTask(
  { task: map, list, action }: TaskConnector,
  item: unknown,
  { place, timeZone }: { place: string; timeZone: string },
): MappedTask {
  const problems: Problem[] = []
  const read = readerOf(item, place, '/task', problems)
  const refuse = (field: keyof typeof map, text: string) =>
    read.refuse(map[field] as Mapped, field, text)
  const line = (field: 'title' | 'note' | 'step', longest: number) =>
    truncate(toSingleLine(read.text(map[field], field) ?? ''), longest)

  const key = toSingleLine(read.text(map.key, 'key') ?? '')
  const title = line('title', 200)
  if (!key) refuse('key', 'is missing')
  else if (key.length > 100) refuse('key', 'is longer than 100 characters')
  if (!title) refuse('title', 'is missing')
  const version = versionOf(read.text(map.version, 'version'))
  if (version === undefined) refuse('version', 'is neither a whole number nor a time')
  const status = read.text(map.status, 'status')?.trim() ?? 'progress'
  if (!isStatus(status)) refuse('status', `“${toSingleLine(status).slice(0, 40)}” is not a status`)
  const assignees = stepsOf(map.assignees, item, place, problems)
  // Problems up to here make the task unusable; invalid values below are only left out.
  const isUnusable = problems.length > 0

  const time = (field: 'createdAt' | 'dueAt') => {
    const text = read.text(map[field], field)
    const found = text === undefined ? undefined : timeOf(text.trim(), timeZone, field === 'dueAt')
    if (text !== undefined && !found) refuse(field, 'is not a time')
    return found
  }
  const link = read.text(map.url, 'url', encodeURIComponent)
  const isOwnPage = typeof map.url === 'object' && map.url.text?.startsWith('/')
  const url = link === undefined ? '' : isOwnPage ? link : linkOf(link.trim(), list.address)
  if (url === undefined) refuse('url', 'is not an https address')
  const [createdAt, dueAt] = [time('createdAt'), time('dueAt')]
  const step = line('step', 60)
  const actions = actionsOf(
    action,
    map.actions === undefined ? undefined : read.list(map.actions, 'actions'),
  )
  const task: SourceTask = {
    key,
    version: version ?? 0,
    title,
    titleEn: '',
    note: line('note', 300),
    noteEn: '',
    applicant: read.person(map.applicant, 'applicant/'),
    status: status as SourceTask['status'],
    urgent: /^(true|1|yes|y|是)$/i.test(read.text(map.urgent, 'urgent')?.trim() ?? ''),
    url: url ?? '',
    form: map.form.flatMap(({ label, value }, at) => {
      const text = truncate(readable(read.text(value, `form/${at}/value`) ?? ''), 2000)
      return text ? [{ label, value: text }] : []
    }),
    ...(createdAt && { createdAt }),
    ...(dueAt && { dueAt }),
    steps: assignees.map((assignee) => ({
      ...assignee,
      name: step,
      nameEn: '',
      kind: 'handle',
      actions,
      action: '',
      actionEn: '',
      comment: '',
    })),
  }
  if (isUnusable) return { task: undefined, key: key || undefined, problems }
  if (sourceTask.Check(task)) return { task, key, problems }
  const [issue] = sourceTask.Errors(task)[1]
  problems.push({ at: place, field: `/task${issue?.instancePath}`, text: issue?.message ?? '' })
  return { task: undefined, key, problems }
}

/** Reads mapped values of one item and records problems. */
export function readerOf(item: unknown, place: string, fields: string, problems: Problem[]) {
  // Only the first problem per field is recorded.
  function refuse(mapped: Mapped | undefined, name: string, text: string) {
    const problem = { at: place + pointerOf(mapped), field: `${fields}/${name}`, text }
    if (!problems.some(({ at, field }) => at === problem.at && field === problem.field))
      problems.push(problem)
  }
  /** @returns undefined if missing or empty */
  function text(
    mapped: Mapped | undefined,
    field: string,
    encode?: (text: string) => string,
  ): string | undefined {
    if (mapped === undefined) return undefined
    const {
      at = '',
      text,
      values,
      otherwise,
    } = typeof mapped === 'string' ? { at: mapped } : mapped
    const found = text === undefined ? valueAt(item, at) : filled(text, item, encode)
    if (typeof found === 'object' && found !== null) {
      refuse(mapped, field, 'is not a text')
      return otherwise
    }
    const value = textOf(found) || undefined
    if (!values || value === undefined) return value ?? otherwise
    if (Object.hasOwn(values, value)) return values[value] || undefined
    if (otherwise === undefined)
      refuse(mapped, field, `“${toSingleLine(value).slice(0, 40)}” is not in the table`)
    return otherwise
  }
  return {
    text,
    refuse,
    /** The texts of an array, or of one text separated by spaces or commas. */
    list(mapped: Mapped, field: string): string[] {
      const found = typeof mapped === 'string' ? valueAt(item, mapped) : undefined
      if (Array.isArray(found)) return found.flatMap((one) => textOf(one) ?? [])
      return (text(mapped, field) ?? '').split(/[\s,]+/).filter(Boolean)
    },
    person(map: TaskConnector['task']['applicant'], field: string) {
      const part = (name: 'username' | 'number' | 'person', longest: number) => {
        const found = truncate(toSingleLine(text(map[name], field + name) ?? ''), longest)
        return found ? { [name]: found } : {}
      }
      return { ...part('username', 128), ...part('number', 100), ...part('person', 60) }
    },
  }
}

const pointerOf = (mapped: Mapped | undefined) =>
  typeof mapped === 'string' ? mapped : (mapped?.at ?? '')

/** Undefined if any placeholder has no value: a partial key would identify another task. */
const filled = (text: string, item: unknown, encode?: (text: string) => string) =>
  pointersIn(text).every((pointer) => textOf(valueAt(item, pointer)))
    ? expandPointers(text, item, encode)
    : undefined

/** The people the task waits for. A person listed twice is one step. */
function stepsOf(
  { each, ...map }: TaskConnector['task']['assignees'],
  item: unknown,
  place: string,
  problems: Problem[],
) {
  const list = each === undefined ? [item] : (valueAt(item, each) ?? [])
  if (!Array.isArray(list)) {
    problems.push({ at: place + each, field: '/task/assignees/each', text: 'is not an array' })
    return []
  }
  if (list.length > 200)
    problems.push({
      at: place + each,
      field: '/task/assignees/each',
      text: 'has more than 200 entries',
    })
  const steps = list.slice(0, 200).flatMap((one, index) => {
    const where = each === undefined ? place : `${place}${each}/${index}`
    const person = readerOf(one, where, '/task/assignees', problems).person(map, '')
    const key = truncate(person.username ?? person.number ?? person.person ?? '', 100)
    return key ? [{ key, ...person }] : []
  })
  return steps.filter(({ key }, index) => steps.findIndex((one) => one.key === key) === index)
}

function actionsOf(action: TaskConnector['action'], codes: string[] | undefined) {
  const offers = action?.offers ?? []
  return offers
    .filter(({ code }) => codes?.includes(code) ?? true)
    .map(({ value: _, ...offer }) => offer)
}

/** Text from another system in one line, without invisible characters. */
export const toSingleLine = (text: string) => readable(text).replaceAll(/\s+/g, ' ')
// Removes control characters except line ends and tabs, and characters that change the text direction.
const readable = (text: string) =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff]/gu, '').trim()

/** Truncates without splitting a surrogate pair. */
export const truncate = (text: string, longest: number) =>
  text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()

const isStatus = (text: string) => (taskStatuses as readonly string[]).includes(text)

/** A counter, or the time of the last change. */
function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return 0
  const trimmed = text.trim()
  const time = () => timeOf(trimmed, 'UTC', false)
  const version = /^\d+$/.test(trimmed) ? Number(trimmed) : Date.parse(time() ?? '')
  return Number.isSafeInteger(version) && version >= 0 ? version : undefined
}

/** A link into the other system; relative links are resolved against the list's address. */
function linkOf(text: string, address: string): string | undefined {
  if (!URL.canParse(text, address)) return undefined
  const { href, protocol, username, password } = new URL(text, address)
  const isValid = protocol === 'https:' && !username && !password && href.length <= 2000
  return isValid ? href : undefined
}

/**
 * Parses common time formats: ISO 8601, `2026-12-01 18:00` in the institution's zone, a date, or seconds or
 * milliseconds since 1970. A due date without a time is due at the end of that day.
 * @returns ISO 8601 in UTC, or undefined if invalid
 */
export function timeOf(text: string, timeZone: string, endOfDay: boolean): string | undefined {
  try {
    const instant = instantOf(
      text.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3'),
      timeZone,
      endOfDay,
    )
    const year = instant.toZonedDateTimeISO('UTC').year
    return year >= 1900 && year <= 9999
      ? new Date(instant.epochMilliseconds).toISOString()
      : undefined
  } catch {
    return undefined
  }
}

function instantOf(text: string, timeZone: string, endOfDay: boolean) {
  if (/^\d{9,13}$/.test(text)) {
    const number = Number(text)
    return Temporal.Instant.fromEpochMilliseconds(number < 1e11 ? number * 1000 : number)
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const day = Temporal.PlainDate.from(text)
    if (!endOfDay) return day.toZonedDateTime(timeZone).toInstant()
    return day.add({ days: 1 }).toZonedDateTime(timeZone).subtract({ seconds: 1 }).toInstant()
  }
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/.test(text))
    return Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(timeZone).toInstant()
  return Temporal.Instant.from(text.replace(' ', 'T'))
}
