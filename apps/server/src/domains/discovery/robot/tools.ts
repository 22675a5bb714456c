import type { Proposal } from '@atrium/contract/discovery/robot'
import type { Language } from '@atrium/contract/error-texts'
import { listMailboxes } from '#domains/content/mailbox/queries.ts'
import type { ToolCall, ToolSpec } from '#domains/discovery/assistant/model-client.ts'
import { searchWeighted } from '#domains/discovery/search/find.ts'
import { listOccurrences } from '#domains/work/schedule/queries.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { type Answer, noAnswer } from './queries.ts'
import { texts } from './texts.ts'

const localTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/
const text = { type: 'string' }
const tool = (
  name: string,
  description: string,
  properties: Record<string, object>,
  required: string[],
): ToolSpec => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required } },
})

/**
 * Tools offered to a model, each only if the member's own words match `trigger`: text in a source cannot trigger one.
 * All except reading the day are proposals that the member must confirm.
 */
const tools: { trigger: RegExp; personal?: true; spec: ToolSpec }[] = [
  {
    trigger: /日程|会议|安排|预约|约(个|一)|开会|\b(events?|meetings?|appointments?|schedule)\b/i,
    spec: tool(
      'propose_event',
      'Proposes an event for the member’s calendar',
      {
        title: text,
        starts: { ...text, description: 'YYYY-MM-DDTHH:MM' },
        minutes: { type: 'integer' },
        location: text,
      },
      ['title', 'starts', 'minutes'],
    ),
  },
  {
    trigger: /待办|提醒我|记(一下|得|个)|别忘|\b(to-?dos?|remind me|remember to)\b/i,
    spec: tool(
      'propose_todo',
      'Proposes a to-do',
      { title: text, due: { ...text, description: 'YYYY-MM-DDTHH:MM, or empty' } },
      ['title'],
    ),
  },
  {
    trigger: /写信|来信|信箱|反映|投诉|建议给|\b(letter|write to|complain)\b/i,
    spec: tool(
      'write_letter',
      'Proposes a letter to a department of the institution',
      { department: text, title: text, content: text },
      ['department', 'title', 'content'],
    ),
  },
  {
    trigger: /打开|办理|申请|充值|查一?下|帮我(找|查)|\b(open|apply|start|look up)\b/i,
    spec: tool(
      'open_service',
      'Proposes to open a service, with what its field asks for',
      { name: text, value: text },
      ['name'],
    ),
  },
  {
    trigger:
      /今天|明天|后天|周[一二三四五六日天]|这天|有(什么|哪些)(课|事|日程)|\b(today|tomorrow|my day|on (mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
    personal: true,
    spec: tool('read_my_day', 'Reads the member’s schedule of a day', { day: text }, ['day']),
  },
]

/** @param agreed whether personal data may be read for the model */
export const toolsFor = (question: string, agreed: boolean): ToolSpec[] =>
  tools
    .filter(({ trigger, personal }) => trigger.test(question) && (agreed || !personal))
    .map(({ spec }) => spec)

type Arguments = Record<string, unknown>
type Settings = { language: Language; timeZone: string }

/** Evaluates a model's tool calls; undefined if none is valid. */
export async function evaluateCalls(
  platform: Platform,
  viewer: Member,
  calls: readonly ToolCall[],
  settings: Settings,
): Promise<Answer | undefined> {
  const proposals: Proposal[] = []
  let day: Answer | undefined
  for (const { name, arguments: rawArguments } of calls) {
    const args = readArguments(rawArguments)
    if (!args) continue
    if (name === 'read_my_day') day ??= await readDay(platform, viewer, args, settings)
    else {
      const proposal = await proposalOf(platform, viewer, name, args, settings)
      if (proposal) proposals.push(proposal)
    }
  }
  if (!day && proposals.length === 0) return undefined
  const confirmation = { text: texts.proposed[settings.language], source: null }
  return {
    ...noAnswer,
    ...day,
    parts: [...(day?.parts ?? []), ...(proposals.length > 0 ? [confirmation] : [])],
    proposals,
    outcome: 'answered',
    byModel: true,
  }
}

function readArguments(text: string): Arguments | undefined {
  try {
    const parsed = JSON.parse(text || '{}')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? parsed
      : undefined
  } catch {
    return undefined
  }
}
const readText = (value: unknown, maxLength: number) =>
  typeof value === 'string' ? [...value.trim()].slice(0, maxLength).join('') : ''
/** A valid local time; otherwise empty. */
const readLocalTime = (value: unknown) => {
  const time = readText(value, 16)
  return localTimePattern.test(time) && !Number.isNaN(Date.parse(`${time}Z`)) ? time : ''
}

const emptyProposal: Omit<Proposal, 'kind' | 'title'> = {
  text: '',
  startsLocal: '',
  minutes: 0,
  location: '',
  dueLocal: '',
  timeZone: '',
  mailboxId: null,
  mailboxName: '',
  mailboxNameEn: '',
  to: '',
  serviceId: null,
  done: false,
}

async function proposalOf(
  platform: Platform,
  viewer: Member,
  name: string,
  args: Arguments,
  { timeZone }: Settings,
): Promise<Proposal | undefined> {
  const title = readText(args.title, 100)
  if (name === 'propose_event') {
    const startsLocal = readLocalTime(args.starts)
    const minutes = Number(args.minutes)
    if (!title || !startsLocal || !Number.isInteger(minutes) || minutes < 1 || minutes > 1440)
      return undefined
    const location = readText(args.location, 200)
    return { ...emptyProposal, kind: 'event', title, startsLocal, minutes, location, timeZone }
  }
  if (name === 'propose_todo')
    return title
      ? { ...emptyProposal, kind: 'todo', title, dueLocal: readLocalTime(args.due), timeZone }
      : undefined
  if (name === 'write_letter') {
    const content = readText(args.content, 2000)
    const department = readText(args.department, 60)
    const mailboxes = await listMailboxes(platform.db, viewer)
    const mailbox = mailboxes.find(
      ({ open, name, nameEn, departmentName }) =>
        open &&
        [name, nameEn, departmentName].some(
          (one) => one && department && (one.includes(department) || department.includes(one)),
        ),
    )
    if (!mailbox || !title || !content) return undefined
    return {
      ...emptyProposal,
      kind: 'letter',
      title,
      text: content,
      mailboxId: mailbox.id,
      mailboxName: mailbox.name,
      mailboxNameEn: mailbox.nameEn,
    }
  }
  if (name === 'open_service') return serviceProposal(platform, viewer, args)
  return undefined
}

/** Minimum weight for proposing a service. */
const minWeight = 0.65

async function serviceProposal(platform: Platform, viewer: Member, args: Arguments) {
  const query = readText(args.name, 60)
  if (!query) return undefined
  const { results } = await searchWeighted(platform, viewer, query, {
    kinds: new Set(['service', 'page']),
    limit: 1,
  })
  const [best] = results
  if (!best || best.weight < minWeight) return undefined
  const { title, serviceId } = best.result
  const value = encodeURIComponent(readText(args.value, 100))
  return {
    ...emptyProposal,
    kind: 'service' as const,
    title,
    to: best.address.replaceAll('{keyWords}', value),
    serviceId,
  }
}

async function readDay(
  platform: Platform,
  viewer: Member,
  args: Arguments,
  { language, timeZone }: Settings,
): Promise<Answer | undefined> {
  const day = readText(args.day, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) return undefined
  const start = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone })
  const span = {
    from: start.toInstant().toString(),
    to: start.add({ days: 1 }).toInstant().toString(),
  }
  const events = (await listOccurrences(platform, viewer, span, timeZone))
    .filter(({ struck }) => !struck)
    .toSorted((one, other) => (one.startsAt < other.startsAt ? -1 : 1))
    .slice(0, 12)
  const timeFormat = new Intl.DateTimeFormat(language, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = events.map(({ title, titleEn, location, locationEn, startsAt }, index) => ({
    text: [
      timeFormat.format(Date.parse(startsAt)),
      language === 'en' ? titleEn || title : title,
      language === 'en' ? locationEn || location : location,
    ]
      .filter(Boolean)
      .join(' '),
    source: index,
  }))
  return {
    ...noAnswer,
    parts: parts.length > 0 ? parts : [{ text: texts.freeDay[language], source: null }],
    sources: events.map(({ id, title, titleEn, startsAt }) => ({
      kind: 'event',
      id: `${id}:${startsAt}`,
      title,
      titleEn,
      to: `/pages/shedul/shedulDetail?${new URLSearchParams({ id, startsAt })}`,
      serviceId: null,
    })),
    outcome: 'answered',
    byModel: true,
  }
}
