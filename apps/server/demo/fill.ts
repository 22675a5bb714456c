import { permissions } from '@atrium/contract/define'
import { sql } from 'kysely'
import sharp from 'sharp'
import { openHashing } from '#areas/identity/password.ts'
import { expand, type Span } from '#areas/schedule/recurrence.ts'
import { pinyinOf } from '#areas/services/pinyin.ts'
import { audienceFor, type Rule } from '#platform/audience.ts'
import type { Database, Db } from '#platform/db.ts'
import { StartError } from '#platform/environment.ts'
import type { Files } from '#platform/files.ts'
import { raiseTopic } from '#platform/topics.ts'
import { dayOf } from './dates.ts'
import { launchItemsAt } from './launch.ts'
import { launchPictures } from './launch-pictures.ts'
import {
  demoPassword,
  generatedMembers,
  groups,
  identityTypes,
  namedMembers,
  secondAccount,
} from './members.ts'
import { messageApps, messagesAt } from './messages.ts'
import { articlesAt, columns } from './news.ts'
import { organization, organizations } from './organizations.ts'
import { cardsAt } from './personal.ts'
import { logo, pictures } from './pictures.ts'
import { places } from './places.ts'
import { eventsAt, holidaysAt, subscriptions, termsAt } from './schedule.ts'
import { favourites, lastUsed, services, serviceTypes } from './services.ts'
import { noticesAt, settings } from './settings.ts'
import { tasksAt } from './tasks.ts'

export const demoAccounts = namedMembers.map(({ username, name }) => ({
  username,
  name,
  password: demoPassword,
}))

type Options = {
  /** The moment to which every date is relative. */
  today: Date
  files: Files
}

/**
 * Fills a migrated database with the demo institution, in one transaction. One that was filled on an earlier day keeps its
 * members, who stay signed in, and gets everything else anew.
 * @throws StartError when the database holds real members
 */
export const fillDemo = (db: Database, options: Options) => fill(db, options, false)

/** Brings back the demo institution as it was on the first day, whatever was done to it. */
export const resetDemo = (db: Database, options: Options) => fill(db, options, true)

async function fill(database: Database, { today, files }: Options, afresh: boolean) {
  // Drawn before the transaction begins: files that nobody comes to refer to do no harm.
  const drawn = await drawPictures()
  const passwordHash = await openHashing(1).hash(demoPassword)
  await database.transaction().execute(async (db) => {
    const { demo, inhabited } = await db
      .selectFrom('installation')
      .select('demo')
      .select(sql<boolean>`exists (select 1 from account)`.as('inhabited'))
      .executeTakeFirstOrThrow()
    if (inhabited && !demo) {
      throw new StartError(
        'This database holds real members. The demo institution is not put into it.',
      )
    }
    await clear(db, content)
    if (afresh) await clear(db, people)
    if (afresh || !inhabited) await fillPeople(db, passwordHash)

    const accountIds = await idsBy(db, 'account', 'username')
    const organizationIds = await idsBy(db, 'organization', 'code')
    const audienceOf = audiences(db)
    const imageIds = new Map<string, string>()
    for (const [key, bytes] of drawn) {
      imageIds.set(key, await files.keep(db, bytes, { mediaType: 'image/webp', isPublic: true }))
    }
    await fillServices(db, today, accountIds, organizationIds, audienceOf)
    await fillNews(db, today, imageIds, audienceOf)
    await fillMessages(db, today, accountIds)
    await fillTasks(db, today, accountIds)
    await fillSchedule(db, today, accountIds, audienceOf)
    await fillCards(db, today, accountIds)
    await fillLaunch(db, today, files, imageIds, audienceOf)
    await insert(
      db,
      'operator_grant',
      permissions.map((permission) => ({
        account_id: accountIds.get('admin'),
        permission,
        granted_at: today,
      })),
    )
    await fillPrivacy(db, today, accountIds)
    await insert(
      db,
      'place',
      numbered(places, ({ nameEn, addressEn, ...place }, position) => ({
        ...place,
        name_en: nameEn,
        address_en: addressEn,
        position,
      })),
    )
    const logoUrl = files.address({ id: imageIds.get('logo') as string, is_public: true })
    await insert(
      db,
      'config_value',
      Object.entries({ ...settings(), logoUrl }).map(([key, value]) => ({
        key,
        value,
        updated_at: today,
      })),
    )
    await db
      .updateTable('installation')
      .set({ demo: true, demo_filled_at: today.toISOString() })
      .execute()
    for (const topic of [
      'audience',
      'config',
      'directory',
      'services',
      'news',
      'notices',
      'places',
      'schedule',
      'launch',
    ] as const) {
      await raiseTopic(db, topic)
    }
  })
}

const people = [
  'group_member',
  'account',
  'person',
  'member_group',
  'organization',
  'identity_type',
  'session',
  'ticket',
  'login_throttle',
]
const content = [
  'service_favourite',
  'service_use',
  'service',
  'service_type',
  'article',
  'news_column',
  'notice',
  'message_delivery',
  'message_box',
  'message',
  'message_app',
  'task_step',
  'task',
  'event_occurrence',
  'event_override',
  'event',
  'calendar_subscription',
  'calendar',
  'holiday',
  'academic_term',
  'personal_card',
  'launch_item',
  'operator_grant',
  'member_block',
  'privacy_setting',
  'personal_export',
  'account_closing',
  'place',
  'config_value',
  'audience',
]

/** Keys begin at 1 again, so that what members have bookmarked stays what it was. */
async function clear(db: Db, tables: string[]) {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} restart identity cascade`.execute(
    db,
  )
}

/** A row as the table has it; a column that no row names gets its default. */
type Row = Record<string, unknown>

/** Many rows as one statement, whatever their number: PostgreSQL reads them from JSON by the table's own column types. */
async function insert(db: Db, table: string, rows: Row[]) {
  const [first] = rows
  if (!first) return
  const names = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  )
  if ('id' in first) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${rows.length})`.execute(db)
  }
}

async function idsBy(db: Db, table: 'account' | 'organization', key: 'username' | 'code') {
  const { rows } = await sql<{ key: string; id: string }>`
    select ${sql.ref(key)} as key, id from ${sql.table(table)}`.execute(db)
  return new Map(rows.map((row) => [row.key, row.id]))
}

type Ids = Map<string, string>

/** Asks for each set of rules once. */
function audiences(
  db: Db,
): (rules: { effect: string; kind: string; target?: string }[]) => Promise<number> {
  const known = new Map<string, Promise<number>>()
  return (rules) => {
    const key = JSON.stringify(rules)
    const id = known.get(key) ?? audienceFor(db, rules as Rule[])
    known.set(key, id)
    return id
  }
}

/** From 1 on, in the order of the list. */
const numbered = <T, R extends Row>(list: readonly T[], row: (item: T, id: number) => R) =>
  list.map((item, at) => ({ id: at + 1, ...row(item, at + 1) }))

async function fillPeople(db: Db, passwordHash: string) {
  await insert(
    db,
    'identity_type',
    identityTypes.map(({ code, name, nameEn, label }, position) => ({
      code,
      name,
      name_en: nameEn,
      label,
      position,
    })),
  )
  const organizationIds = new Map(organizations.map(({ code }, at) => [code, at + 1]))
  await insert(
    db,
    'organization',
    numbered(organizations, ({ code, name, nameEn, parentCode }, id) => ({
      code,
      name,
      name_en: nameEn,
      parent_id: parentCode && organizationIds.get(parentCode),
      path: pathOf(code),
      position: id,
    })),
  )
  await insert(
    db,
    'member_group',
    numbered(groups, ({ code, name, nameEn }) => ({ code, name, name_en: nameEn })),
  )

  const members = [...namedMembers, ...generatedMembers]
  await insert(
    db,
    'person',
    numbered(members, (member, id) => ({
      external_key: member.number.toLowerCase(),
      name: member.name,
      name_en: member.nameEn,
      mobile: member.mobile,
      email: member.email,
      password_hash: id <= namedMembers.length ? passwordHash : null,
      created_at: new Date(),
    })),
  )
  await insert(
    db,
    'account',
    numbered([...members, secondAccount], (account, id) => ({
      person_id:
        account === secondAccount
          ? members.findIndex(({ username }) => username === secondAccount.of) + 1
          : id,
      username: usernameOf(account),
      identity_type_code: account.identityCode,
      organization_id: organizationIds.get(account.organizationCode),
      status: account === secondAccount || id <= namedMembers.length ? 'active' : 'inactive',
      created_at: new Date(),
    })),
  )
  const groupIds = new Map(groups.map(({ code }, at) => [code, at + 1]))
  await insert(
    db,
    'group_member',
    members.flatMap(({ groupCodes }, at) =>
      groupCodes.map((code) => ({ group_id: groupIds.get(code), account_id: at + 1 })),
    ),
  )
}

const usernameOf = ({ username }: { username: string }) => username.toLowerCase()

function pathOf(code: string): string[] {
  const { parentCode } = organization(code)
  return parentCode ? [...pathOf(parentCode), code] : [code]
}

/** Whom the student blocked, what the teacher chose, and who asked to leave. */
async function fillPrivacy(db: Db, today: Date, accountIds: Ids) {
  const someone = (at: number) =>
    accountIds.get(usernameOf(generatedMembers[at] as { username: string }))
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  await insert(
    db,
    'member_block',
    [3, 11].map((at, index) => ({
      account_id: accountIds.get('student'),
      blocked_account_id: someone(at),
      created_at: daysAgo(12 + index * 40),
    })),
  )
  await insert(db, 'privacy_setting', [
    {
      account_id: accountIds.get('teacher'),
      mobile_shown_to: 'organization',
      email_shown_to: 'everybody',
      updated_at: daysAgo(30),
    },
  ])
  await insert(
    db,
    'account_closing',
    [1990, 1975].map((at, index) => ({
      person_id: someone(at),
      account_id: someone(at),
      reason: index === 0 ? '访问已结束，不再使用' : '',
      requested_at: daysAgo(index + 2),
      due_at: daysAgo(index - 5),
    })),
  )
}

async function fillServices(
  db: Db,
  today: Date,
  accountIds: Ids,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  await insert(
    db,
    'service_type',
    numbered(serviceTypes, ({ code, name, nameEn }, position) => ({
      code,
      name,
      name_en: nameEn,
      position,
    })),
  )
  const typeIds = new Map(serviceTypes.map(({ code }, at) => [code, at + 1]))
  const rows: Row[] = []
  for (const [at, service] of services.entries()) {
    rows.push({
      id: at + 1,
      service_no: service.serviceNo,
      name: service.name,
      name_en: service.nameEn,
      summary: service.summary,
      summary_en: service.summaryEn,
      ...pinyinOf(service.name),
      type_id: typeIds.get(service.typeCode),
      organization_id: organizationIds.get(service.departmentCode),
      url: service.url,
      glyph: service.glyph,
      tone: service.tone,
      kind: '',
      tags: service.tags,
      contact: service.contact,
      hours: service.hours,
      needs_vpn: service.needsVpn,
      recommended: service.recommended,
      notice: service.maintenance?.text ?? '',
      notice_en: service.maintenance?.textEn ?? '',
      audience_id: await audienceOf(service.audience),
      position: service.position,
      online: true,
      online_at: new Date(today.getTime() - service.onlineDaysAgo * 86_400_000),
      use_count: Math.round(service.usage ** 2 * 2.3) + ((at * 13) % 40),
    })
  }
  await insert(db, 'service', rows)
  const ids = new Map(services.map(({ name }, at) => [name, at + 1]))
  await insert(
    db,
    'service_use',
    Object.entries(lastUsed).flatMap(([username, names]) =>
      names.map((name, at) => ({
        account_id: accountIds.get(username),
        service_id: ids.get(name),
        use_count: 40 - at * 3,
        last_used_at: new Date(today.getTime() - (at * 9 + 1) * 3_600_000),
      })),
    ),
  )
  await insert(
    db,
    'service_favourite',
    Object.entries(favourites).flatMap(([username, names]) =>
      names.map((name, at) => ({
        account_id: accountIds.get(username),
        service_id: ids.get(name),
        position: at,
        created_at: new Date(today.getTime() - (at + 1) * 4 * 86_400_000),
      })),
    ),
  )
}

async function fillNews(
  db: Db,
  today: Date,
  imageIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const rows: Row[] = []
  for (const [at, column] of columns.entries()) {
    rows.push({
      id: at + 1,
      code: column.code,
      name: column.name,
      name_en: column.nameEn,
      audience_id: await audienceOf(column.audience),
      position: at + 1,
    })
  }
  await insert(db, 'news_column', rows)
  const columnIds = new Map(columns.map(({ code }, at) => [code, at + 1]))
  // The oldest gets the lowest key, as if they had been written one after the other.
  await insert(
    db,
    'article',
    numbered(articlesAt(today).reverse(), (article) => ({
      column_id: columnIds.get(article.columnCode),
      source: 'demo',
      source_key: article.key,
      title: article.title,
      title_en: article.titleEn,
      summary: article.summary,
      body: article.body,
      body_en: article.bodyEn,
      author: article.author,
      department: organization(article.departmentCode).name,
      department_en: organization(article.departmentCode).nameEn,
      image_file_id: article.picture ? (imageIds.get(article.picture) ?? null) : null,
      url: '',
      pinned: article.pinned,
      status: 'published',
      published_at: article.publishedAt,
      read_count: article.reads,
    })),
  )
  const everybody = await audienceOf([
    { effect: 'include', kind: 'everybody' },
    { effect: 'include', kind: 'guests' },
  ])
  await insert(
    db,
    'notice',
    numbered(noticesAt(today), (notice) => ({
      title: notice.title,
      title_en: notice.titleEn,
      content: notice.content,
      content_en: notice.contentEn,
      starts_at: notice.startsAt,
      ends_at: notice.endsAt,
      audience_id: everybody,
    })),
  )
}

async function fillMessages(db: Db, today: Date, accountIds: Ids) {
  await insert(
    db,
    'message_app',
    numbered(messageApps, ({ code, name, nameEn, glyph, tone }, position) => ({
      code,
      name,
      name_en: nameEn,
      glyph,
      tone,
      position,
    })),
  )
  const appIds = new Map(messageApps.map(({ code }, at) => [code, at + 1]))
  const list = messagesAt(today).sort((one, other) => one.sentAt.getTime() - other.sentAt.getTime())
  await insert(
    db,
    'message',
    numbered(list, (message) => ({
      app_id: appIds.get(message.appCode),
      title: message.title,
      summary: message.summary,
      content: message.content,
      sender: message.sender,
      url: message.url,
      sent_at: message.sentAt,
    })),
  )
  await insert(
    db,
    'message_delivery',
    list.flatMap((message, at) =>
      message.to.map(({ username, readAt, starred }) => ({
        account_id: accountIds.get(username.toLowerCase()),
        message_id: at + 1,
        app_id: appIds.get(message.appCode),
        sent_at: message.sentAt,
        read_at: readAt,
        starred,
      })),
    ),
  )
}

async function fillTasks(db: Db, today: Date, accountIds: Ids) {
  const list = tasksAt(today)
  const account = (username: string | undefined) =>
    username ? (accountIds.get(username.toLowerCase()) ?? null) : null
  await insert(
    db,
    'task',
    numbered(list, (task) => ({
      title: task.title,
      source: task.source,
      applicant_account_id: account(task.applicantUsername),
      applicant_name: task.applicant,
      status: task.status,
      draft: task.draft,
      urgent: task.urgent,
      note: task.note,
      form: task.form,
      url: task.url,
      created_at: task.createdAt,
      due_at: task.dueAt,
    })),
  )
  const steps = list.flatMap((task, at) => task.steps.map((step) => ({ ...step, taskId: at + 1 })))
  await insert(
    db,
    'task_step',
    numbered(steps, (step) => ({
      task_id: step.taskId,
      account_id: account(step.username),
      person_name: step.person,
      kind: step.kind,
      name: step.name,
      sent_by_account_id: account(step.sentBy),
      action: step.action,
      comment: step.comment,
      created_at: step.createdAt,
      due_at: step.dueAt,
      done_at: step.doneAt,
    })),
  )
}

async function fillSchedule(
  db: Db,
  today: Date,
  accountIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const day = dayOf(today)
  await insert(
    db,
    'academic_term',
    numbered(termsAt(day), ({ name, nameEn, startsOn, weeks }) => ({
      name,
      name_en: nameEn,
      starts_on: startsOn,
      weeks,
    })),
  )
  await insert(
    db,
    'holiday',
    holidaysAt(day).map(({ day, name, nameEn, off }) => ({ day, name, name_en: nameEn, off })),
  )
  const { calendars, events, changes } = eventsAt(day)
  const rows: Row[] = []
  for (const [at, calendar] of calendars.entries()) {
    rows.push({
      id: at + 1,
      kind: calendar.kind,
      source: 'demo',
      source_key: calendar.key,
      name: calendar.name,
      name_en: calendar.nameEn,
      color: calendar.color,
      owner_account_id: calendar.ownerUsername
        ? accountIds.get(calendar.ownerUsername.toLowerCase())
        : null,
      audience_id: calendar.audience ? await audienceOf(calendar.audience) : null,
      shown_to_all: calendar.shownToAll,
    })
  }
  await insert(db, 'calendar', rows)
  const calendarIds = new Map(calendars.map(({ key }, at) => [key, at + 1]))
  await insert(
    db,
    'calendar_subscription',
    Object.entries(subscriptions).flatMap(([username, keys]) =>
      keys.map((key) => ({
        account_id: accountIds.get(username),
        calendar_id: calendarIds.get(key),
      })),
    ),
  )
  const written = numbered(events, (event) => ({
    calendar_id: calendarIds.get(event.calendarKey),
    uid: event.uid,
    kind: event.kind,
    title: event.title,
    title_en: event.titleEn,
    location: event.location,
    person: event.person,
    description: event.description,
    starts_local: event.startsLocal,
    minutes: event.minutes,
    all_day: event.allDay,
    time_zone: event.timeZone,
    rrule: event.rrule,
    excluded_local: event.excludedLocal,
    updated_at: today,
  }))
  await insert(db, 'event', written)
  await insert(
    db,
    'event_override',
    changes.map((change) => ({
      event_id:
        1 +
        events.findIndex(
          ({ calendarKey, uid }) => calendarKey === change.calendarKey && uid === change.uid,
        ),
      original_local: change.startsLocal,
      starts_local: change.startsLocal,
      minutes: change.minutes,
      title: null,
      location: change.location,
    })),
  )
  await insert(db, 'event_occurrence', occurrences(written))
}

/** A lesson stands in several calendars: its dates are reckoned once. No series of the demo is endless. */
function occurrences(events: readonly WrittenEvent[]) {
  const known = new Map<string, Span[]>()
  const today = Temporal.Now.instant()
  return events.flatMap((event) => {
    const series = {
      startsLocal: `${event.starts_local}:00`,
      minutes: event.minutes,
      allDay: event.all_day,
      timeZone: event.time_zone,
      rrule: event.rrule,
      excludedLocal: event.excluded_local,
      overrides: [],
    }
    const key = JSON.stringify(series)
    const spans = known.get(key) ?? expand(series, today).spans
    known.set(key, spans)
    return spans.map(({ originalLocal, startsAt, endsAt }) => ({
      event_id: event.id,
      calendar_id: event.calendar_id,
      original_local: originalLocal,
      starts_at: startsAt,
      ends_at: endsAt,
    }))
  })
}
type WrittenEvent = {
  id: number
  calendar_id: number | undefined
  starts_local: string
  minutes: number
  all_day: boolean
  time_zone: string
  rrule: string
  excluded_local: string[]
}

async function fillCards(db: Db, today: Date, accountIds: Ids) {
  const asOf = new Date(today.getTime() - 20 * 60_000)
  await insert(
    db,
    'personal_card',
    cardsAt(today).flatMap(({ username, ecard, books, mailbox }) =>
      Object.entries({ ecard, books, mailbox })
        .filter(([, value]) => value !== null)
        .map(([kind, value]) => ({
          account_id: accountIds.get(username.toLowerCase()),
          kind,
          value,
          updated_at: asOf,
        })),
    ),
  )
}

async function fillLaunch(
  db: Db,
  today: Date,
  files: Files,
  imageIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const picture = (key: string) =>
    files.address({ id: imageIds.get(key) as string, is_public: true }, `${key}.webp`)
  const rows: Row[] = []
  for (const [at, { kind, content, audience }] of launchItemsAt(today, picture).entries()) {
    rows.push({
      id: at + 1,
      kind,
      content,
      audience_id: await audienceOf(audience),
      position: at + 1,
      online: true,
      updated_at: today,
    })
  }
  await insert(db, 'launch_item', rows)
}

/** Every picture as WebP; the crest too. */
async function drawPictures(): Promise<Map<string, Buffer>> {
  const drawings = [
    ...Object.entries({ ...pictures, ...launchPictures }).map(
      ([key, draw]) => [key, draw()] as const,
    ),
    ['logo', logo()] as const,
  ]
  const rendered = await Promise.all(
    drawings.map(
      async ([key, svg]) =>
        [key, await sharp(Buffer.from(svg)).webp({ quality: 82, effort: 2 }).toBuffer()] as const,
    ),
  )
  return new Map(rendered)
}
