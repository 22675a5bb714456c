import type {
  ArticleText,
  ManagedArticle,
  Showing,
} from '@atrium/contract/content/editorial.operator'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { operatedIn } from '#platform/permissions.ts'
import { leadingText, toHtml } from './texts.ts'
import { insertVersion, readText } from './versions.ts'

/** Condition that a column belongs to a department the viewer writes for; `organization` is the column's. */
export function operatedBy(viewer: Pick<Member, 'permissions' | 'permissionsIn'>) {
  const codes = operatedIn(viewer, 'content')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

/** Visibility of an article to members. */
export const showing = sql<Showing>`case article.status when 'withdrawn' then 'withdrawn' when 'draft' then 'never'
  else case when article.published_at > now() then 'scheduled' else 'shown' end end`

/**
 * Column of an article's newest text. `article.column_id` is the column of the published text and differs after an edit
 * moved the article.
 */
export const newestColumnId = sql<string>`coalesce((
  select (v.content ->> 'columnId')::bigint from article_work w
    join article_version v on v.article_id = w.article_id and v.number = w.version
  where w.article_id = article.id), article.column_id)`

export const managedArticles = (db: Db, viewer: Member) =>
  db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .leftJoin('article_work as work', 'work.article_id', 'article.id')
    .leftJoin('article_version as newest', (join) =>
      join
        .onRef('newest.article_id', '=', 'article.id')
        .onRef('newest.number', '=', 'work.version'),
    )
    .leftJoin('account as writer', 'writer.id', 'newest.writer_account_id')
    .leftJoin('person', 'person.id', 'writer.person_id')
    .where(operatedBy(viewer))

export const summaryColumns = [
  'article.id',
  'article.column_id as columnId',
  'news_column.name as columnName',
  'news_column.name_en as columnNameEn',
  'article.pinned',
  'article.updated_at as updatedAt',
] as const
/** An article never edited here counts as approved. */
export const summaryExpressions = [
  sql<number>`coalesce(work.revision, 1)`.as('revision'),
  sql<ManagedArticle['state']>`coalesce(work.state, 'approved')`.as('state'),
  showing.as('showing'),
  sql<'article' | 'announcement'>`coalesce(newest.content ->> 'kind', article.kind)`.as('kind'),
  sql<string>`coalesce(newest.content ->> 'title', article.title)`.as('title'),
  sql<string>`coalesce(newest.content ->> 'titleEn', article.title_en)`.as('titleEn'),
  sql<boolean>`coalesce((newest.content ->> 'needsConfirmation')::boolean, article.needs_confirmation)`.as(
    'needsConfirmation',
  ),
  sql<string | null>`case when article.status = 'draft' then null else article.published_at end`.as(
    'publishedAt',
  ),
  'work.planned_at as plannedAt',
  sql<boolean>`article.source_key is not null`.as('imported'),
  sql<string>`coalesce(person.name, '')`.as('writtenBy'),
] as const

const rowText = sql<unknown>`jsonb_build_object('columnId', article.column_id::text, 'kind', article.kind,
  'title', article.title, 'titleEn', article.title_en, 'summary', article.summary, 'format', 'html',
  'text', article.body, 'textEn', article.body_en, 'author', article.author, 'needsConfirmation', article.needs_confirmation,
  'titleImageFileId', article.image_file_id::text,
  'titleImageFocus', case when article.image_focus_x is not null
    then jsonb_build_object('x', article.image_focus_x, 'y', article.image_focus_y) end, 'attachments', coalesce((
    select jsonb_agg(jsonb_build_object('name', name, 'fileId', file_id::text) order by position, id)
    from article_attachment where article_id = article.id), '[]'))`

/** An article with its newest text, if the viewer may write in its column. */
export async function findManaged(db: Db, viewer: Member, id: string) {
  const row = await managedArticles(db, viewer)
    .select(summaryColumns)
    .select(summaryExpressions)
    .select([
      'work.approved_version as approvedVersion',
      'work.live_version as liveVersion',
      sql<number>`coalesce(work.version, 1)`.as('version'),
      sql<string>`coalesce(work.review_note, '')`.as('reviewNote'),
      sql<unknown>`coalesce(newest.content, ${rowText})`.as('content'),
      sql<boolean>`exists (
        select from article_version v join account a on a.id = v.writer_account_id
        where v.article_id = article.id and v.number > coalesce(work.approved_version, 0) and a.person_id = ${viewer.personId}::bigint
      )`.as('ownText'),
      mayReview(viewer).as('mayReview'),
    ])
    .where('article.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { content, ...line } = row
  return { ...line, text: readText(content) }
}

/** The newest text's column has no named reviewers, or the viewer is one of them with any of their accounts. */
const mayReview = (viewer: Member) => sql<boolean>`(
  not exists (select from news_column_reviewer r where r.column_id = ${newestColumnId})
  or exists (select from news_column_reviewer r join account a on a.id = r.account_id
    where r.column_id = ${newestColumnId} and a.person_id = ${viewer.personId}::bigint))`

/** @throws news.not_reviewer */
export async function assertReviewer(db: Db, viewer: Member, id: string) {
  const row = await db
    .selectFrom('article')
    .select(mayReview(viewer).as('may'))
    .where('article.id', '=', id)
    .executeTakeFirst()
  if (!row?.may) fail('news.not_reviewer')
}

export type ArticleWork = {
  revision: number
  state: ManagedArticle['state']
  version: number
  approved_version: number | null
  live_version: number | null
  showing: Showing
}

/**
 * Locks an article until the transaction ends and returns its state. An imported or older text becomes version 1 when
 * it is first edited.
 * @returns undefined if the viewer may not write in its column
 */
export async function lockWork(
  db: Db,
  viewer: Member,
  id: string,
): Promise<ArticleWork | undefined> {
  const locked = await db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select('article.id')
    .where('article.id', '=', id)
    .where(operatedBy(viewer))
    .forUpdate('article')
    .executeTakeFirst()
  if (!locked) return undefined
  await sql`
    with work as (
      insert into article_work (article_id, state, version, approved_version, live_version)
      values (${id}, 'approved', 1, 1, 1) on conflict do nothing returning article_id
    ), version as (
      insert into article_version (article_id, number, content, writer_account_id, written_at)
      select id, 1, ${rowText}, author_account_id, published_at from article join work on work.article_id = article.id
      returning article_id
    )
    insert into file_use (file_id, article_id, article_version)
    select article.image_file_id, article.id, 1 from article join version on version.article_id = article.id
    where article.image_file_id is not null
    union
    select attachment.file_id, attachment.article_id, 1
    from article_attachment attachment join version on version.article_id = attachment.article_id`.execute(
    db,
  )
  // A separate statement: one that waited for the lock sees other rows as of before the wait.
  const row = await db
    .selectFrom('article_work')
    .innerJoin('article', 'article.id', 'article_work.article_id')
    .select(['revision', 'state', 'version', 'approved_version', 'live_version'])
    .select(showing.as('showing'))
    .where('article_id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, state: row.state as ArticleWork['state'] }
}

/** Updates the state of the text and increments its revision. */
export async function updateWork(
  db: Db,
  id: string,
  values: Partial<{
    state: ArticleWork['state']
    version: number
    approved_version: number | null
    live_version: number | null
    reviewer_account_id: string | null
    reviewed_at: RawBuilder<string> | null
    review_note: string
    planned_at: string | null
  }>,
) {
  await db
    .updateTable('article_work')
    .set({ ...values, revision: sql`revision + 1` })
    .where('article_id', '=', id)
    .execute()
  await db.updateTable('article').set({ updated_at: sql`now()` }).where('id', '=', id).execute()
}

/** The column, if the viewer may write in it. */
export const findOwnColumn = (db: Db, viewer: Member, id: string) =>
  db
    .selectFrom('news_column')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .select(['news_column.id', 'news_column.organization_id as organizationId'])
    .where('news_column.id', '=', id)
    .where(operatedBy(viewer))
    .executeTakeFirst()

/** The article's table columns for this text. */
const columnsOf = (text: ArticleText) => {
  const body = toHtml(text.format, text.text)
  return {
    column_id: text.columnId,
    kind: text.kind,
    title: text.title,
    title_en: text.titleEn,
    summary: text.summary || leadingText(body),
    body,
    body_en: toHtml(text.format, text.textEn),
    author: text.author,
    image_file_id: text.titleImageFileId,
    image_focus_x: text.titleImageFocus?.x ?? null,
    image_focus_y: text.titleImageFocus?.y ?? null,
    needs_confirmation: text.kind === 'announcement' && text.needsConfirmation,
    // Search words are rewritten on publication, or by the job.
    search: null,
  }
}

/** @returns the article's id */
export async function insertDraft(db: Db, text: ArticleText, accountId: string): Promise<string> {
  const { id } = await db
    .insertInto('article')
    .values({ ...columnsOf(text), status: 'draft', author_account_id: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('article_work').values({ article_id: id, version: 1 }).execute()
  await insertVersion(db, { articleId: id, number: 1, text, accountId })
  return id
}

/** Overwrites the article's row with a text, if members do not see it yet. */
export const updateUnpublished = (db: Db, id: string, text: ArticleText) =>
  db
    .updateTable('article')
    .set(columnsOf(text))
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .execute()

/**
 * Publishes a text under the name of its department.
 * @param at visible from; null: from now, or unchanged if already visible
 */
export const publishText = (
  db: Db,
  id: string,
  version: { text: ArticleText; writtenBy: string | null },
  at: string | null,
) =>
  db
    .updateTable('article')
    .set({
      ...columnsOf(version.text),
      status: 'published',
      published_at: at
        ? at
        : sql<string>`case when status <> 'draft' and published_at <= now() then published_at else now() end`,
      author_account_id: version.writtenBy,
      organization_id: sql<string>`(select organization_id from news_column where id = ${version.text.columnId}::bigint)`,
      department: departmentName('name', version.text.columnId),
      department_en: departmentName('name_en', version.text.columnId),
    })
    .where('id', '=', id)
    .execute()

/** Imported articles keep their department name; others get that of the column's department, or the institution's. */
function departmentName(column: 'name' | 'name_en', columnId: string) {
  const currentName = sql.ref(column === 'name' ? 'department' : 'department_en')
  const name = sql.ref(`o.${column}`)
  return sql<string>`case when source_key is not null then ${currentName} else coalesce(
    (select ${name} from news_column c join organization o on o.id = c.organization_id where c.id = ${columnId}::bigint),
    (select ${name} from organization o where o.parent_id is null order by o.id limit 1), '') end`
}

export const deleteArticle = (db: Db, id: string) =>
  db.deleteFrom('article').where('id', '=', id).execute()

export const setArticle = (
  db: Db,
  id: string,
  values: { status: 'withdrawn' } | { pinned: boolean },
) => db.updateTable('article').set(values).where('id', '=', id).execute()

/** Changes the moment of publication. */
export const reschedule = (db: Db, id: string, at: string) =>
  db.updateTable('article').set({ published_at: at }).where('id', '=', id).execute()

/** Whether an article became visible within the last minutes, so that cached answers must be invalidated. */
export const hasBecomeVisible = async (db: Db, minutes: number) =>
  (await db
    .selectFrom('article')
    .select('id')
    .where('status', '=', sql.lit('published'))
    .where('published_at', '<=', sql<string>`now()`)
    .where('published_at', '>', sql<string>`now() - ${minutes} * interval '1 minute'`)
    .limit(1)
    .executeTakeFirst()) !== undefined
