import { type RawBuilder, sql } from 'kysely'
import { extension } from './extension.ts'

/** A person and the ids of all their accounts. */
export type Owner = { personId: string; accountIds: readonly string[] }

type Titles = { zh: string; en: string }
export type PersonalTable = {
  /** The column that identifies the owner: `person_id`, or `id` of person, holds a person; any other an account. */
  column: string
  /** Further columns that refer to people other than the owner. */
  also?: readonly string[]
  /** Heading in the data export. Without one the table is not exported, for the reason in `untold`. */
  title?: Titles
  untold?: string
  /** Columns left out of the export: secrets, and ids that mean nothing to a person. */
  hide?: readonly string[]
  /** A query that replaces the plain rows in the export. Returns one JSON column, `row`. */
  rows?: (owner: Owner) => RawBuilder<{ row: Row }>
  /** What happens when the accounts are closed: rows are deleted, kept for the given reason, or anonymised. */
  closing: 'delete' | { keep: string } | { anonymise: (owner: Owner) => RawBuilder<unknown> }
}
export type Row = Record<string, unknown>

/** By table, in the order of the export; deleted in reverse order. */
export type PersonalData = Record<string, PersonalTable>

/** The personal data of every area. A test fails if a table refers to a person or account and is missing here. */
export const personalData = extension<PersonalData>()

/** Every table with personal data; referenced tables come first. */
export const listPersonalTables = (): [table: string, about: PersonalTable][] =>
  personalData.all().flatMap((data) => Object.entries(data))

/** For `column = ${accountsOf(owner)}`. */
export const accountsOf = ({ accountIds }: Owner) => sql`any(${accountIds as string[]}::bigint[])`

/** The condition that a row belongs to the owner. */
export const belongsTo = (owner: Owner, { column }: PersonalTable, table: string) =>
  table === 'person' || column === 'person_id'
    ? sql<boolean>`${sql.ref(column)} = ${owner.personId}`
    : sql<boolean>`${sql.ref(column)} = ${accountsOf(owner)}`
