import type {
  WorkbenchPart,
  WorkbenchPartAnswer,
} from '@atrium/contract/content/workbench.operator'
import { dayIn } from '@atrium/rules/day-in'
import { countManaged, type ListFilter, listManaged } from '#domains/content/editorial/lists.ts'
import { countReceived, listReceived } from '#domains/content/mailbox/queries.ts'
import {
  countReceived as countFeedback,
  listReceived as listFeedback,
} from '#domains/member/feedback/console-queries.ts'
import { countWaiting, listWaiting } from '#domains/services/evaluation/waiting.ts'
import { listHealth } from '#domains/services/health/queries.ts'
import {
  countOccurrences,
  listDepartmentOccurrences,
} from '#domains/work/department-calendars/queries.ts'
import { midnight, zoneOf } from '#domains/work/schedule/day-bounds.ts'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { countConfirmed } from './queries.ts'
import { ownPermissions } from './rules.ts'

/** Number of items per part; each part has a screen with the full list. */
const maxItems = 3

type PartReader = (
  platform: Platform,
  viewer: Member,
) => Promise<Pick<WorkbenchPartAnswer, 'count' | 'list'>>

/** Each part uses the query of the screen it links to, so that the two agree. */
const parts: Record<
  WorkbenchPart,
  { permission: 'content' | 'services' | 'messages'; read: PartReader }
> = {
  articles: { permission: 'content', read: articlesPart({ kind: 'article', state: 'review' }) },
  announcements: {
    permission: 'content',
    read: articlesPart({ kind: 'announcement', state: 'review' }),
  },
  confirmations: { permission: 'content', read: confirmations },
  letters: { permission: 'messages', read: letters },
  feedback: { permission: 'messages', read: feedback },
  opinions: { permission: 'services', read: opinions },
  services: { permission: 'services', read: unhealthyServices },
  events: { permission: 'content', read: eventsOfTheWeek },
}

/** The parts the operator is responsible for. A part that fails is marked as failed and does not affect the others. */
export function readParts(
  platform: Platform,
  viewer: Member,
  failed: (part: WorkbenchPart, error: unknown) => void,
): Promise<WorkbenchPartAnswer[]> {
  const permissions = ownPermissions(viewer)
  const names = (Object.keys(parts) as WorkbenchPart[]).filter((part) =>
    permissions.includes(parts[part].permission),
  )
  return Promise.all(
    names.map((part) =>
      parts[part]
        .read(platform, viewer)
        .then((read) => ({ part, failed: false, ...read }))
        .catch((error) => {
          failed(part, error)
          return { part, failed: true, count: 0, list: [] }
        }),
    ),
  )
}

function articlesPart(filter: ListFilter): PartReader {
  return async ({ db }, viewer) => {
    const [count, { list }] = await Promise.all([
      countManaged(db, viewer, filter),
      listManaged(db, viewer, { ...filter, pageSize: maxItems }),
    ])
    return {
      count,
      list: list.map(({ id, title, titleEn, columnName, columnNameEn, updatedAt }) => ({
        id,
        title,
        titleEn,
        note: columnName,
        noteEn: columnNameEn,
        at: updatedAt,
        allDay: false,
        figure: null,
      })),
    }
  }
}

async function confirmations(...[platform, viewer]: Parameters<PartReader>) {
  const { count, list } = await articlesPart({ kind: 'announcement', confirming: true })(
    platform,
    viewer,
  )
  const confirmed = await countConfirmed(
    platform.db,
    list.map(({ id }) => id),
  )
  return { count, list: list.map((one) => ({ ...one, figure: confirmed.get(one.id) ?? 0 })) }
}

async function letters(...[{ db }, viewer]: Parameters<PartReader>) {
  const filter = { state: 'waiting' }
  const [count, { list }] = await Promise.all([
    countReceived(db, viewer, filter),
    listReceived(db, viewer, { ...filter, pageSize: maxItems }),
  ])
  return {
    count,
    list: list.map(({ id, title, mailboxName, mailboxNameEn, createdAt }) => ({
      id,
      title,
      titleEn: '',
      note: mailboxName,
      noteEn: mailboxNameEn,
      at: createdAt,
      allDay: false,
      figure: null,
    })),
  }
}

async function feedback(...[platform, viewer]: Parameters<PartReader>) {
  const { db } = platform
  const filter = { state: 'waiting' }
  const [{ waiting }, { list }] = await Promise.all([
    countFeedback(db, viewer, {}),
    listFeedback(db, await picturesOf(platform), viewer, { ...filter, pageSize: maxItems }),
  ])
  return {
    count: waiting,
    list: list.map(({ id, content, kindName, kindNameEn, createdAt }) => ({
      id,
      title: content,
      titleEn: '',
      note: kindName,
      noteEn: kindNameEn,
      at: createdAt,
      allDay: false,
      figure: null,
    })),
  }
}

async function opinions(...[platform, viewer]: Parameters<PartReader>) {
  const { db } = platform
  const codes = operatedIn(viewer, 'services')
  const { timeZone: zone } = await currentSettings(platform)
  const pictures = await picturesOf(platform)
  const [count, { list }] = await Promise.all([
    countWaiting(db, codes),
    listWaiting(db, pictures, codes, { query: { pageSize: maxItems }, zone }),
  ])
  return {
    count,
    list: list.map(({ id, comment, serviceName, serviceNameEn, stars }) => ({
      id,
      title: comment,
      titleEn: '',
      note: serviceName,
      noteEn: serviceNameEn,
      // No time: it is withheld from readers as well.
      at: null,
      allDay: false,
      figure: stars,
    })),
  }
}

async function unhealthyServices(...[{ db }, viewer]: Parameters<PartReader>) {
  const { total, list } = await listHealth(
    db,
    operatedIn(viewer, 'services'),
    { all: false },
    { offset: 0, pageSize: maxItems },
  )
  return {
    count: total,
    list: list.map(({ serviceId, serviceName, serviceNameEn, state, since, reports }) => ({
      id: serviceId,
      title: serviceName,
      titleEn: serviceNameEn,
      note: state,
      noteEn: state,
      at: since,
      allDay: false,
      figure: reports,
    })),
  }
}

async function eventsOfTheWeek(...[platform, viewer]: Parameters<PartReader>) {
  const zone = await zoneOf(platform, viewer)
  const now = new Date()
  const today = Temporal.PlainDate.from(dayIn(now.getTime(), zone))
  const monday = today.subtract({ days: today.dayOfWeek - 1 }).toString()
  const to = midnight(monday, zone, 7)
  const [count, list] = await Promise.all([
    countOccurrences(platform.db, viewer, { from: midnight(monday, zone), to }),
    // Past events are not relevant any more.
    listDepartmentOccurrences(platform, viewer, { from: now.toISOString(), to }, zone, maxItems),
  ])
  return {
    count,
    list: list.map(({ id, title, titleEn, location, locationEn, startsAt, allDay }) => ({
      id,
      title,
      titleEn,
      note: location,
      noteEn: locationEn || location,
      at: startsAt,
      allDay,
      figure: null,
    })),
  }
}
