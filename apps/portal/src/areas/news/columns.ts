import type { Column } from '@atrium/contract/news'

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
