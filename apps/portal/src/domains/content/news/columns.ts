import type { Column } from '@atrium/contract/content/news'

/** Top columns: without a parent, or with one that this reader cannot see. */
export const topColumns = <C extends Column>(columns: readonly C[]): C[] =>
  columns.filter(
    ({ parentId }) => parentId === null || !columns.some((column) => column.id === parentId),
  )

/** A column with all its descendants. */
export function withDescendants<C extends Column>(column: C, columns: readonly C[]): C[] {
  const below = columns.filter(({ parentId, id }) => parentId === column.id && id !== column.id)
  return [column, ...below.flatMap((one) => withDescendants(one, columns))]
}

/** The subscribed top columns, and the column ids to query; no ids means every column. */
export function subscribedColumns<C extends Column & { subscribed?: boolean }>(
  columns: readonly C[],
) {
  const all = topColumns(columns)
  const top = all.filter(({ subscribed }) => subscribed !== false)
  // If nothing is excluded, use the same query as without a filter.
  const ids = top.length === all.length ? [] : columnIdsOf(top, columns)
  return { top, ids }
}

/** The ids of these columns and of all their descendants. */
export const columnIdsOf = (list: readonly Column[], columns: readonly Column[]) =>
  list.flatMap((one) => withDescendants(one, columns).map(({ id }) => id))

/** The columns in this order and with these subscriptions; columns that are left out follow unchanged. */
export function arranged<C extends Column & { subscribed: boolean }>(
  columns: readonly C[],
  order: readonly { id: string; subscribed: boolean }[],
): C[] {
  const first = order.flatMap(({ id, subscribed }) => {
    const column = columns.find((one) => one.id === id)
    return column ? { ...column, subscribed } : []
  })
  return [...first, ...columns.filter(({ id }) => !order.some((one) => one.id === id))]
}
