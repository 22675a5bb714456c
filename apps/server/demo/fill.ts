import { permissions } from '@atrium/contract/define'
import { sql } from 'kysely'
import { StartError } from '#platform/environment.ts'
import { openHashing } from '../src/domains/identity/identity/password.ts'
import { indexNames } from '../src/domains/identity/members/name-index.ts'
import { computeRankings } from '../src/domains/services/services/rankings.ts'
import type { Database, Db } from '../src/platform/database/db.ts'
import { invalidate } from '../src/platform/database/topics.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { fillEditing } from './editing.ts'
import { fillFeedback } from './feedback.ts'
import { fillApplications, fillDelegations } from './fill-applications.ts'
import { drawPictures, fillLaunch } from './fill-launch.ts'
import { fillCards, fillDevices, fillFiles, fillPeople, fillPrivacy } from './fill-members.ts'
import { fillMessages, fillTasks } from './fill-messages.ts'
import { fillNews } from './fill-news.ts'
import { fillOpinions } from './fill-opinions.ts'
import { fillConsent, fillRelyingParties } from './fill-registry.ts'
import { fillSchedule } from './fill-schedule.ts'
import { fillSending } from './fill-sending.ts'
import { fillCatalogue, fillHealth, fillServices } from './fill-services.ts'
import { fillStudy } from './fill-study.ts'
import { fillTodos } from './fill-todos.ts'
import { fillDesks, fillDialogs, fillKnowledge } from './knowledge.ts'
import { demoPassword, namedMembers } from './members.ts'
import { fillAppGroups, fillNewsReading } from './news-reading.ts'
import { places } from './places.ts'
import { fillPosts } from './posts.ts'
import { audiences, type Ids, idsBy, insert, numbered } from './rows.ts'
import { changedDaysAgo, settings } from './settings.ts'

export const demoAccounts = namedMembers.map(({ username, name }) => ({
  username,
  name,
  password: demoPassword,
}))

type Options = {
  /** Reference time of all dates. */
  today: Date
  files: Files
}

/**
 * Fills a migrated database with the demo institution, in one transaction. A demo filled on an earlier day keeps its
 * members, who stay signed in; everything else is replaced.
 * @throws StartError if the database holds real members
 */
export const fillDemo = (db: Database, options: Options) => fill(db, options, false)

/** Resets the demo institution completely. */
export const resetDemo = (db: Database, options: Options) => fill(db, options, true)

async function fill(database: Database, { today, files }: Options, afresh: boolean) {
  // Rendered before the transaction: unreferenced files do no harm.
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
        'This database holds real members, so the demo institution is not added to it.',
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
    if (afresh || !inhabited) await fillFiles(db, files, accountIds)
    await fillServices(db, today, accountIds, organizationIds, audienceOf)
    await fillCatalogue(db, today, files, accountIds)
    await fillHealth(db, today)
    await fillRelyingParties(db)
    await fillNews(db, today, imageIds, audienceOf)
    await fillOpinions(db, today, accountIds, organizationIds, audienceOf)
    await fillNewsReading(db, today, files, accountIds)
    await fillEditing(db, today, accountIds)
    await fillKnowledge(db, today, organizationIds, audienceOf)
    await fillDesks(db, accountIds, organizationIds, audienceOf)
    await fillDialogs(db, today, accountIds)
    await fillMessages(db, today, accountIds)
    await fillSending(db, today, accountIds)
    await fillAppGroups(db, accountIds)
    await fillTasks(db, today, accountIds)
    await fillApplications(db, accountIds)
    await fillDelegations(db, today, accountIds)
    await fillTodos(db, today, accountIds)
    await fillSchedule(db, today, accountIds, organizationIds, audienceOf)
    await fillStudy(db, today, files, accountIds)
    await fillCards(db, today, accountIds)
    await fillLaunch(db, today, files, imageIds, audienceOf)
    await fillOperators(db, today, accountIds)
    await fillPrivacy(db, today, accountIds)
    await fillPosts(db, accountIds)
    await fillFeedback(db, today, accountIds, organizationIds)
    await fillDevices(db, today, accountIds)
    while ((await indexNames(db)) > 0) {
      // repeat until all names are indexed
    }
    await fillConsent(db, today, accountIds)
    await fillPlaces(db)
    const logoUrl = files.address({ id: imageIds.get('logo') as string, is_public: true })
    await insert(
      db,
      'config_value',
      Object.entries({ ...settings(today), logoUrl }).map(([key, value]) => ({
        key,
        value,
        updated_at: new Date(today.getTime() - (changedDaysAgo[key] ?? 0) * 86_400_000),
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
      'people',
      'feedback',
      'knowledge',
      'schedule',
      'launch',
      'registry',
    ] as const) {
      await invalidate(db, topic)
    }
  })
  await computeRankings(database)
}

async function fillOperators(db: Db, today: Date, accountIds: Ids) {
  await insert(
    db,
    'operator_grant',
    [
      ...permissions.map((permission) => ({ username: 'admin', permission })),
      // A writer and a reviewer, because nobody can approve their own text.
      { username: 'editor', permission: 'content' },
      { username: 'reviewer', permission: 'content' },
    ].map(({ username, permission }) => ({
      account_id: accountIds.get(username),
      permission,
      granted_at: today,
    })),
  )
}

async function fillPlaces(db: Db) {
  await insert(
    db,
    'place',
    numbered(places, ({ nameEn, shortName, addressEn, ...place }, position) => ({
      ...place,
      name_en: nameEn,
      short_name: shortName,
      address_en: addressEn,
      position,
    })),
  )
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
  'relying_party',
  'service_favourite',
  'file_favourite',
  'service_aggregation',
  'evaluation_standard',
  'evaluation_upload',
  'feedback',
  'feedback_kind',
  'feedback_upload',
  'service_host',
  'service_synonym',
  'service_use',
  'service',
  'service_type',
  'article',
  'knowledge_question',
  'desk',
  'dialog',
  'news_column',
  'notice',
  'message_delivery',
  'message_box',
  'message',
  'message_kind',
  'message_app',
  'task_step',
  'task',
  'task_source',
  'task_count',
  'task_group',
  'task_setting',
  'task_phrases',
  'task_delegation',
  'task_delegation_policy',
  'application_form',
  'organization_head',
  'address_book_post',
  'address_book_favourite',
  'address_book_group',
  'address_book_group_member',
  'todo',
  'event_occurrence',
  'event_override',
  'event',
  'calendar_subscription',
  'course',
  'class_period',
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

/** Ids restart at 1, so that members' bookmarks stay valid. */
async function clear(db: Db, tables: string[]) {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} restart identity cascade`.execute(
    db,
  )
}
