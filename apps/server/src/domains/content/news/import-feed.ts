import { createHash } from 'node:crypto'
import { isTimeZone } from '@atrium/contract/config-checks'
import type { parseFeed } from 'feedsmith'
import { sql } from 'kysely'
import { audienceFor, type Rule } from '#platform/audience.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import type { Counts, Import } from '#platform/ingest/import.ts'
import { upsertRows } from '#platform/ingest/write-rows.ts'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { cleanRichText, plainText } from '#platform/text/rich-text.ts'
import { shorten } from '#platform/text/shorten.ts'
import { feedText } from './feed-text.ts'

export type FeedSettings = {
  /** origin of the bytes, as the operator entered it */
  from: string
  /** the charset of the HTTP response, if given */
  charset?: string | undefined
  column: string
  /** name for a newly created column; default: its code */
  columnName?: string | undefined
  /** audience of a newly created column */
  rules: readonly Rule[]
  /** zone for dates without one */
  timeZone: string
  /** the site's address, for feeds that do not contain it */
  site?: string | undefined
}

/** One article of a feed, independent of the feed's format. */
export type FeedItem = {
  key: string
  title: string
  body: string
  summary: string
  author: string
  url: string
  publishedAt: string | undefined
  /** file id of the picture for lists, once copied */
  pictureId?: string | undefined
}
export type Feed = {
  source: string
  items: { row: number; item: FeedItem | undefined; issue: string | undefined }[]
}

/** Articles of one source, each identified by its key there. */
export type ParsedArticles = { source: string; articles: FeedItem[] }

/** Imports a feed without copying its pictures. Articles with duplicate keys are reported as issues. */
export async function importFeed(
  run: Import,
  bytes: Uint8Array,
  settings: FeedSettings,
): Promise<Counts> {
  const { source, items } = await readFeed(
    feedText(bytes, settings.charset, settings.from),
    settings,
  )
  run.read({ rows: items.length, share: 1 })
  return writeArticles(run, { source, articles: distinct(items, run.issue) }, settings)
}

/** The valid items, without duplicates; all others are reported as issues. */
export function distinct(items: Feed['items'], issue: Import['issue']): FeedItem[] {
  const articles: FeedItem[] = []
  const seen = new Set<string>()
  for (const { row, item, issue: sentence } of items) {
    if (!item) issue(row, sentence ?? 'cannot be read')
    else if (seen.has(item.key)) issue(row, `has the same key as an earlier article: ${item.key}`)
    else {
      seen.add(item.key)
      articles.push(item)
    }
  }
  return articles
}

/**
 * Writes articles, matched by source and source key. Changed ones are updated; local state (counts, pinned, withdrawn,
 * moved to another column) is preserved, and so are texts edited here.
 * @param settings `department`: for a department's feed, restricts updates to columns of that department
 */
export async function writeArticles(
  run: Import,
  { source, articles: items }: ParsedArticles,
  settings: Pick<FeedSettings, 'column' | 'columnName' | 'rules'> & { department?: string | null },
): Promise<Counts> {
  const { db, note } = run
  const { department = null } = settings
  const column = await findOrCreateColumn(run, settings)
  const rows = await db
    .selectFrom('article')
    .innerJoin('news_column', 'news_column.id', 'article.column_id')
    .leftJoin('organization', 'organization.id', 'news_column.organization_id')
    .leftJoin('article_work', 'article_work.article_id', 'article.id')
    .select(['source_key', 'published_at', 'column_id', 'image_file_id', 'article_work.version'])
    .select(
      sql<boolean>`coalesce(${department} = any(organization.path), ${department}::text is null)`.as(
        'own',
      ),
    )
    .where('source', '=', source)
    .where('source_key', '=', sql<string>`any(${items.map((item) => item.key)}::text[])`)
    .execute()
  const stored = new Map(rows.map((row) => [row.source_key, row]))
  const foreignCount = rows.filter(({ own }) => !own).length
  if (foreignCount > 0)
    note(`Not changed because their columns belong to another department: ${foreignCount}.`)
  const articles = items.filter(({ key }) => {
    const existing = stored.get(key)
    return !existing || (existing.own && (existing.version ?? 1) === 1)
  })
  const now = new Date().toISOString()
  const counts = await upsertRows(
    run,
    {
      table: 'article',
      key: ['source', 'source_key'],
      columns: [
        'source',
        'source_key',
        'column_id',
        'title',
        'summary',
        'body',
        'author',
        'url',
        'image_file_id',
        'published_at',
      ],
      also: sql`, search = null, updated_at = now()`,
    },
    articles,
    (item) => {
      const existing = stored.get(item.key)
      // A future date would hide the article, or keep it at the top of its list.
      const dated = item.publishedAt && item.publishedAt <= now ? item.publishedAt : undefined
      return [
        source,
        item.key,
        existing?.column_id ?? column,
        item.title,
        item.summary,
        item.body,
        item.author,
        item.url,
        item.pictureId ?? existing?.image_file_id ?? null,
        dated ?? existing?.published_at ?? now,
      ]
    },
  )
  if (counts.added + counts.changed > 0) await invalidate(db, 'news')
  return { ...counts, unchanged: counts.unchanged + items.length - articles.length }
}

async function findOrCreateColumn(
  { db, note }: Import,
  settings: Pick<FeedSettings, 'column' | 'columnName' | 'rules'>,
) {
  const found = await db
    .selectFrom('news_column')
    .select('id')
    .where('code', '=', settings.column)
    .executeTakeFirst()
  if (found) return found.id
  const { id } = await db
    .insertInto('news_column')
    .values({
      code: settings.column,
      name: settings.columnName ?? settings.column,
      audience_id: await audienceFor(db, settings.rules),
      position: sql<number>`(select coalesce(max(position), 0) + 1 from news_column)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await invalidate(db as Db, 'news')
  note(`news column created: ${settings.column}`)
  return id
}

const maxTitle = 300

/** @throws StartError if the text is not a feed */
export async function readFeed(
  xml: string,
  settings: Pick<FeedSettings, 'from' | 'timeZone' | 'site'>,
): Promise<Feed> {
  const { parseFeed } = await import('feedsmith')
  let parsed: ReturnType<typeof parseFeed>
  try {
    parsed = parseFeed(xml)
  } catch {
    throw new StartError(`${settings.from} is not an RSS, RDF, Atom or JSON feed.`)
  }
  const remote = /^https?:/.test(settings.from) ? settings.from : undefined
  const { link, entries } = entriesOf(parsed)
  const source = absolute(link, remote) ?? absolute(settings.site, undefined) ?? remote
  if (!source)
    throw new StartError(
      `${settings.from} does not say which site it comes from (channel link), so a later import could not recognise its articles. Import it from its address, or name the site with --site.`,
    )
  const items = entries.map((entry, index) => {
    const url = absolute(entry.link, source) ?? ''
    const title = plainText(entry.titleIsText ? escapeHtml(entry.title ?? '') : (entry.title ?? ''))
    const html = entry.content || entry.description || ''
    const key =
      entry.id ||
      url ||
      (title &&
        createHash('sha256')
          .update(`${title}\n${entry.date ?? ''}`)
          .digest('hex'))
    if (!key || (!title && !html))
      return { row: index + 1, item: undefined, issue: 'has neither a title nor a text' }
    const text = plainText(entry.content && entry.description ? entry.description : html)
    const publishedAt = readDate(entry.date, settings.timeZone)
    return {
      row: index + 1,
      issue: undefined,
      item: {
        key,
        title: shortened(title || text, maxTitle),
        body: withoutNull(cleanRichText(html, url || source)),
        summary: shortened(text, 200),
        author: shortened(plainText(entry.author ?? ''), 100),
        url,
        publishedAt,
      },
    }
  })
  return { source, items }
}

type Entry = {
  id?: string | undefined
  link?: string | undefined
  title?: string | undefined
  titleIsText?: boolean
  content?: string | undefined
  description?: string | undefined
  author?: string | undefined
  date?: string | undefined
}

function entriesOf(parsed: ReturnType<typeof parseFeed>): {
  link: string | undefined
  entries: Entry[]
} {
  if (parsed.format === 'atom') {
    const { feed } = parsed
    const page = (links: readonly { href?: string; rel?: string }[] | undefined) =>
      links?.find((link) => !link.rel || link.rel === 'alternate')?.href ??
      links?.find((link) => link.rel === 'self')?.href
    const html = (text: { value?: string; type?: string } | undefined) =>
      text?.value === undefined
        ? undefined
        : text.type === 'html' || text.type === 'xhtml' || text.type === 'text/html'
          ? text.value
          : `<p>${escapeHtml(text.value)}</p>`
    return {
      link: page(feed.links) ?? feed.id,
      entries: (feed.entries ?? []).map((entry) => ({
        id: entry.id,
        link: page(entry.links),
        title: entry.title?.value,
        titleIsText: entry.title?.type !== 'html' && entry.title?.type !== 'xhtml',
        content: html(entry.content),
        description: html(entry.summary),
        author: entry.authors?.map((author) => author.name).join('、') || feed.authors?.[0]?.name,
        date: dateText(entry.published ?? entry.updated),
      })),
    }
  }
  if (parsed.format === 'rss') {
    const { feed } = parsed
    return {
      link: feed.link ?? feed.atom?.links?.find((link) => link.rel === 'self')?.href,
      entries: (feed.items ?? []).map((item) => ({
        id: item.guid?.value,
        link: item.link ?? permanentLink(item.guid),
        title: item.title,
        content: item.content?.encoded,
        description: item.description,
        author:
          item.authors?.map((author) => author.name ?? author.email).join('、') ||
          item.dc?.creators?.join('、'),
        date: dateText(item.pubDate ?? item.dc?.dates?.[0]),
      })),
    }
  }
  if (parsed.format === 'rdf') {
    const { feed } = parsed
    return {
      link: feed.link,
      entries: (feed.items ?? []).map((item) => ({
        id: item.rdf?.about ?? item.link,
        link: item.link,
        title: item.title,
        content: item.content?.encoded,
        description: item.description,
        author: item.dc?.creators?.join('、'),
        date: dateText(item.dc?.dates?.[0]),
      })),
    }
  }
  const { feed } = parsed
  return {
    link: feed.home_page_url ?? feed.feed_url,
    entries: (feed.items ?? []).map((item) => ({
      id: item.id,
      link: item.url,
      title: item.title,
      titleIsText: true,
      content:
        item.content_html ?? (item.content_text && `<p>${escapeHtml(item.content_text)}</p>`),
      description: item.summary && escapeHtml(item.summary),
      author: item.authors?.map((author) => author.name).join('、'),
      date: dateText(item.date_published),
    })),
  }
}

/**
 * A guid is an address unless `isPermaLink` is false; many that should say so do not, so the text must look like one
 * too.
 */
const permanentLink = (guid: { value?: string; isPermaLink?: boolean } | undefined) =>
  guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? '') ? guid?.value : undefined
const dateText = (date: unknown) => (typeof date === 'string' ? date : undefined)
const absolute = (address: string | undefined, base: string | undefined) => {
  if (!address || !URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  return /^https?:$/.test(url.protocol) ? url.href : undefined
}
const withoutNull = (text: string) => text.replaceAll('\0', '')
const shortened = (text: string, maxLength: number) => shorten(withoutNull(text), maxLength)

/** Parses a feed's date to an instant; a date without a zone is in the institution's. Undefined if it is not a date. */
export function readDate(text: string | undefined, timeZone: string): string | undefined {
  if (!text) return undefined
  const local = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(
    text.trim(),
  )
  try {
    if (local) {
      const [year, month, day, hour, minute, second] = local
        .slice(1)
        .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
      const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
      return new Temporal.PlainDateTime(year, month, day, hour, minute, second)
        .toZonedDateTime(zone)
        .toInstant()
        .toString({ smallestUnit: 'millisecond' })
    }
  } catch {
    return undefined
  }
  const instant = new Date(text)
  // Years that both PostgreSQL and the news lists support.
  return Number.isNaN(instant.getTime()) ||
    instant.getUTCFullYear() < 1900 ||
    instant.getUTCFullYear() > 2200
    ? undefined
    : instant.toISOString()
}
