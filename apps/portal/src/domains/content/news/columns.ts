import type { Column } from '@atrium/contract/content/news'

/** Columns on top: without a parent, or with one that this reader does not see. */
export const topColumns = <C extends Column>(columns: readonly C[]): C[] =>
  columns.filter(
    ({ parentId }) => parentId === null || !columns.some((column) => column.id === parentId),
  )

/** A column with all columns below it. */
export function withColumnsBelow<C extends Column>(column: C, columns: readonly C[]): C[] {
  const below = columns.filter(({ parentId, id }) => parentId === column.id && id !== column.id)
  return [column, ...below.flatMap((one) => withColumnsBelow(one, columns))]
}

/** What of the columns is read together: those on top that were not left out, and the ids to ask for; none means everything. */
export function readTogether<C extends Column & { subscribed?: boolean }>(columns: readonly C[]) {
  const all = topColumns(columns)
  const top = all.filter(({ subscribed }) => subscribed !== false)
  // Who reads everything asks as everybody does.
  const ids = top.length === all.length ? [] : idsOf(top, columns)
  return { top, ids }
}

/** The ids of these columns and of all below them. */
export const idsOf = (list: readonly Column[], columns: readonly Column[]) =>
  list.flatMap((one) => withColumnsBelow(one, columns).map(({ id }) => id))
