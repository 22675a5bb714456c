import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Files } from './files.ts'

/*
 * A file is private until something that is shown uses it, and then it is for whoever is shown that. What keeps a file in a
 * column of its own (an icon, an attachment) needs nothing else: its answers give signed addresses to those it is for. What
 * names one in its text has a row of `file_use`, written with the text. Visitors need no signature for what is shown to
 * them: the view `file_shown_to_guests`.
 */

/** What names files in its text. */
export type FileUser =
  | { launch_item_id: string }
  | { notice_id: string }
  | { config_key: string }
  | { article_id: string; article_version: number }

/** A path of ours with what an upload's answer adds for ten minutes, or with our own origin before it. */
const named =
  /(https?:\/\/[^\s/"'<>()\\]+)?(\/files\/\d{1,18}(?:\/[^\s?#"'<>()\\]*)?)(\?[^\s"'<>()\\]*)?/g

/** A text that names our files as they are kept: by their path alone. */
export const withPlainAddresses = (text: string, isOwnOrigin: (origin: string) => boolean) =>
  text.replaceAll(named, (whole, origin: string | undefined, path: string) =>
    origin === undefined || isOwnOrigin(origin) ? path : whole,
  )

/** The same for every text in what is kept as JSON. */
export const withPlainAddressesIn = <T>(content: T, isOwnOrigin: (origin: string) => boolean): T =>
  JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === 'string' ? withPlainAddresses(value, isOwnOrigin) : value,
  ) as T

/** The files that a content names, each with the field that does so (`footTabs.0.iconPath`). */
export function filesNamedIn(content: unknown, field = ''): Map<string, string> {
  if (typeof content === 'string')
    return new Map(
      [...content.matchAll(named)].flatMap(([, origin, path]) =>
        origin === undefined ? [[path?.split('/')[2] ?? '', field] as const] : [],
      ),
    )
  if (typeof content !== 'object' || content === null) return new Map()
  return new Map(
    Object.entries(content)
      .toReversed()
      .flatMap(([key, value]) => [...filesNamedIn(value, field ? `${field}.${key}` : key)]),
  )
}

/**
 * Which of these files somebody may show to others: what they uploaded themselves, with whichever account, and what anybody
 * may read anyway.
 * @returns their media types
 */
export async function listUsableFiles(
  db: Db,
  viewer: Pick<Member, 'personId'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['file.id', 'file.media_type'])
    .where('file.id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .where(
      sql<boolean>`(file.is_public
        or exists (select from file_owner owner join account on account.id = owner.account_id
          where owner.file_id = file.id and account.person_id = ${viewer.personId}::bigint)
        or exists (select from file_shown_to_guests shown where shown.file_id = file.id))`,
    )
    .execute()
  return new Map(rows.map((row) => [row.id, row.media_type]))
}

/**
 * What is wrong with the files a content names.
 * @param kept those it named before: whoever changes the rest of it need not have uploaded them
 */
export async function fileIssues(
  db: Db,
  viewer: Pick<Member, 'personId'>,
  wanted: ReadonlyMap<string, string>,
  kept: ReadonlySet<string> = new Set(),
): Promise<Record<string, IssueKind>> {
  const added = [...wanted.keys()].filter((id) => !kept.has(id))
  const usable = await listUsableFiles(db, viewer, added)
  return Object.fromEntries(
    added.flatMap((id) => (usable.has(id) ? [] : [[wanted.get(id) ?? '', 'unknown' as const]])),
  )
}

const usedBy = (user: FileUser): RawBuilder<boolean> =>
  sql.join(
    Object.entries(user).map(([column, value]) => sql`${sql.ref(`file_use.${column}`)} = ${value}`),
    sql` and `,
  )

/** The files that something names, of which those that are not public have to be signed. */
export const listUses = (db: Db, user: FileUser) =>
  db
    .selectFrom('file_use')
    .innerJoin('file', 'file.id', 'file_use.file_id')
    .select(['file.id', 'file.is_public'])
    .where(usedBy(user))
    .execute()

/** Writes down which files something names from now on. Whether it may was asked before; what there is not is left out. */
export async function replaceUses(db: Db, user: FileUser, ids: readonly string[]) {
  await db.deleteFrom('file_use').where(usedBy(user)).execute()
  if (ids.length === 0) return
  const files = await db
    .selectFrom('file')
    .select('id')
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  if (files.length > 0)
    await db
      .insertInto('file_use')
      .values(files.map(({ id }) => ({ file_id: id, ...user })))
      .execute()
}

/** Whether visitors may see what stands under an audience: then its files need no signature. */
export const forGuests = (audience: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(audience)} in (select id from audience where for_guests)`

/**
 * Keys of the files that something names and that need a signature.
 * @param uses which rows of `file_use` are its own
 */
export const signedFiles = (audience: string, uses: RawBuilder<unknown>) =>
  sql<string[]>`case when ${forGuests(audience)} then '{}' else array(
    select file.id::text from file_use join file on file.id = file_use.file_id where ${uses} and not file.is_public) end`.as(
    'signed',
  )

/** Whether something that visitors are shown now uses a file. */
export const isShownToGuests = async (db: Db, id: string) =>
  (await db
    .selectFrom('file_shown_to_guests')
    .select('file_id')
    .where('file_id', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * An address that a content names, for whoever is shown the content: signed where it needs to be.
 * @param signed keys of the files the content uses that are not public
 */
function shownAddress(files: Files, address: string, signed: readonly string[]): string {
  const [, path, id] = /^(\/files\/(\d{1,18}))(?:\/[^?#]*)?$/.exec(address) ?? []
  if (!id || !path || !signed.includes(id)) return address
  return files.address({ id, is_public: false }).replace(path, () => address)
}

/** What is kept as JSON, for whoever is shown it: every address of a file in it signed where it needs to be. */
export const withShownAddresses = <T>(files: Files, content: T, signed: readonly string[]): T =>
  signed.length === 0
    ? content
    : (JSON.parse(JSON.stringify(content), (_, value: unknown) =>
        typeof value === 'string' ? shownAddress(files, value, signed) : value,
      ) as T)

/** The same for the addresses in HTML. */
export const withShownFiles = (files: Files, html: string, signed: readonly string[]) =>
  signed.length === 0
    ? html
    : html.replaceAll(
        /(\s(?:src|href)=")(\/files\/[^"]*)"/g,
        (_, before: string, address: string) =>
          `${before}${shownAddress(files, address, signed).replaceAll('&', '&amp;')}"`,
      )
