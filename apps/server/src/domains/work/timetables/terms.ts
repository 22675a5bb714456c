import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { shortenCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'

export type Term = { id: string; code: string; weeks: number; monday: Temporal.PlainDate }
export type Terms = {
  /** The term with this code, or the default term. @throws RowIssue */
  find: (code: string | undefined) => Term
}

/**
 * The terms a file may refer to.
 * @param code of the default term for rows without one; if missing, the current term, or else the next or the last one
 * @throws StartError
 */
export async function loadTerms(db: Db, code: string | undefined): Promise<Terms> {
  const rows = await db
    .selectFrom('academic_term')
    .select(['id', 'code', 'weeks', 'starts_on'])
    .orderBy('starts_on')
    .execute()
  const terms = rows.map((row): Term => {
    const first = Temporal.PlainDate.from(row.starts_on)
    return {
      id: row.id,
      code: row.code ?? row.starts_on,
      weeks: row.weeks,
      monday: first.subtract({ days: first.dayOfWeek - 1 }),
    }
  })
  const byCode = new Map(terms.map((term) => [term.code, term]))
  const today = Temporal.Now.plainDateISO('UTC')
  const defaultTerm = code
    ? byCode.get(code)
    : (terms.find(
        ({ monday, weeks }) =>
          Temporal.PlainDate.compare(monday.add({ days: weeks * 7 }), today) > 0,
      ) ?? terms.at(-1))
  if (!defaultTerm)
    throw new StartError(
      code
        ? `There is no term ${code}. There are: ${[...byCode.keys()].join(', ') || 'none'}.`
        : 'There are no terms yet. Import them first: npx atrium import terms',
    )
  return {
    find(termCode) {
      if (!termCode) return defaultTerm
      return (
        byCode.get(termCode) ??
        (() => {
          throw new RowIssue(`term ${shortenCell(termCode)} is not known`)
        })()
      )
    },
  }
}
