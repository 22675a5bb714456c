import { sql } from 'kysely'
import { fail } from './errors.ts'

/** Upper limit of a page's size, whatever was requested. */
const maxPerPage = 200

export const pageOf = (query: { pageNo?: number; pageSize?: number }) => {
  const pageNo = query.pageNo ?? 1
  const pageSize = Math.min(query.pageSize ?? 20, maxPerPage)
  return { pageNo, pageSize, offset: (pageNo - 1) * pageSize }
}

/** An opaque cursor: the sort values of a row. */
export const cursorFrom = (values: readonly (string | number | boolean | null)[]) =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/**
 * The values of a cursor.
 * @param shape pattern that each value must match, because callers can send anything
 * @throws request.invalid
 */
export function readCursor(
  cursor: string | undefined,
  shape: readonly RegExp[],
): string[] | undefined {
  if (!cursor) return undefined
  try {
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    if (
      Array.isArray(values) &&
      values.length === shape.length &&
      shape.every((wanted, index) => wanted.test(String(values[index])))
    ) {
      return values.map(String)
    }
  } catch {
    // rejected below
  }
  return fail('request.invalid', { fields: { cursor: 'format' } })
}
export const cursorShapes = {
  id: /^[0-9]{1,18}$/,
  time: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00)$/,
  flag: /^(true|false)$/,
}

/** A timestamp with microseconds, for a cursor. Milliseconds, as in responses, would skip or repeat rows. */
export const exactTime = (column: string) =>
  sql<string>`to_char(${sql.ref(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.USZ')`

export const pageSizeOf = (query: { pageSize?: number }) =>
  Math.min(query.pageSize ?? 20, maxPerPage)

/** Builds a page from a query that read one row more than the page; the extra row means there is a next page. */
export function cursorPage<Row, Item>(
  rows: Row[],
  pageSize: number,
  cursor: (row: Row) => (string | number | boolean | null)[],
  item: (row: Row) => Item,
) {
  const shown = rows.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    list: shown.map(item),
    nextCursor: rows.length > pageSize && last ? cursorFrom(cursor(last)) : null,
  }
}

/** Limits for a list that is paged by number or by cursor; the cursor wins. */
export function hybridPageOf(
  query: { pageNo?: number; pageSize?: number; cursor?: string },
  shape: readonly RegExp[],
) {
  const { pageNo, pageSize, offset } = pageOf(query)
  const after = readCursor(query.cursor, shape)
  // One extra row tells whether there is a next page.
  return { pageNo, pageSize, after, offset: after ? 0 : offset, limit: pageSize + 1 }
}

/** A page of such a list, with the fields for both kinds of paging. */
export const hybridPage = <Row, Item>(
  { pageNo, pageSize }: { pageNo: number; pageSize: number },
  total: number,
  rows: Row[],
  cursor: (row: Row) => (string | number | boolean | null)[],
  item: (row: Row) => Item,
) => ({ ...cursorPage(rows, pageSize, cursor, item), total, pageNo, pageSize })

/** User input as a pattern for (i)like, with its wildcards escaped. */
export const pattern = (words: string) =>
  `%${words
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`
