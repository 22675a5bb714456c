import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Files } from './files.ts'

/*
 * A file is private until visible content uses it; then everybody who may see the content may read the file. Files
 * referenced by their own column (an icon, an attachment) need nothing else: responses contain signed addresses for
 * those viewers. Files named in a text have rows in `file_use`, written together with the text. Files shown to visitors
 * need no signature: the view `file_shown_to_guests`.
 */

/** Content that refers to files in its text. */
export type FileUser =
  | { launch_item_id: string }
  | { notice_id: string }
  | { config_key: string }
  | { article_id: string; article_version: number }

/** A local file path, optionally with the temporary signature of an upload response, or after our own origin. */
const named =
  /(https?:\/\/[^\s/"'<>()\\]+)?(\/files\/\d{1,18}(?:\/[^\s?#"'<>()\\]*)?)(\?[^\s"'<>()\\]*)?/g

/** Reduces the addresses of our files in a text to their paths, the form in which they are stored. */
export const withPlainAddresses = (text: string, isOwnOrigin: (origin: string) => boolean) =>
  text.replaceAll(named, (whole, origin: string | undefined, path: string) =>
    origin === undefined || isOwnOrigin(origin) ? path : whole,
  )

/** `withPlainAddresses` for every string in JSON content. */
export const withPlainAddressesIn = <T>(content: T, isOwnOrigin: (origin: string) => boolean): T =>
  JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === 'string' ? withPlainAddresses(value, isOwnOrigin) : value,
  ) as T

/** The files that content refers to, each with the field that does (`footTabs.0.iconPath`). */
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
 * The given files that a member may show to others: own uploads, from any of their accounts, and files for everybody.
 * @returns their media types by id
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
 * Issues with the files that content refers to.
 * @param kept files it already referred to: an editor of the rest need not have uploaded them
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

/** The files that content refers to; those that are not public need signed addresses. */
export const listUses = (db: Db, user: FileUser) =>
  db
    .selectFrom('file_use')
    .innerJoin('file', 'file.id', 'file_use.file_id')
    .select(['file.id', 'file.is_public'])
    .where(usedBy(user))
    .execute()

/** Stores which files content refers to. The caller has checked permission; files that do not exist are skipped. */
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

/** Whether visitors belong to an audience; then its files need no signature. */
export const forGuests = (audience: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(audience)} in (select id from audience where for_guests)`

/**
 * Ids of the files that content refers to and that need a signature.
 * @param uses condition on the rows of `file_use`
 */
export const signedFiles = (audience: string, uses: RawBuilder<unknown>) =>
  sql<string[]>`case when ${forGuests(audience)} then '{}' else array(
    select file.id::text from file_use join file on file.id = file_use.file_id where ${uses} and not file.is_public) end`.as(
    'signed',
  )

/** Whether content that visitors can see now uses a file. */
export const isShownToGuests = async (db: Db, id: string) =>
  (await db
    .selectFrom('file_shown_to_guests')
    .select('file_id')
    .where('file_id', '=', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * An address in content, signed if needed.
 * @param signed ids of the content's files that are not public
 */
function shownAddress(files: Files, address: string, signed: readonly string[]): string {
  const [, path, id] = /^(\/files\/(\d{1,18}))(?:\/[^?#]*)?$/.exec(address) ?? []
  if (!id || !path || !signed.includes(id)) return address
  return files.address({ id, is_public: false }).replace(path, () => address)
}

/** JSON content for a viewer, with every file address in it signed if needed. */
export const withShownAddresses = <T>(files: Files, content: T, signed: readonly string[]): T =>
  signed.length === 0
    ? content
    : (JSON.parse(JSON.stringify(content), (_, value: unknown) =>
        typeof value === 'string' ? shownAddress(files, value, signed) : value,
      ) as T)

/** `withShownAddresses` for the addresses in HTML. */
export const withShownFiles = (files: Files, html: string, signed: readonly string[]) =>
  signed.length === 0
    ? html
    : html.replaceAll(
        /(\s(?:src|href)=")(\/files\/[^"]*)"/g,
        (_, before: string, address: string) =>
          `${before}${shownAddress(files, address, signed).replaceAll('&', '&amp;')}"`,
      )
