import { type RawBuilder, sql } from 'kysely'
import { extension } from './extension.ts'

/** A person with the keys of all their accounts. */
export type Owner = { personId: string; accountIds: readonly string[] }

type Titles = { zh: string; en: string }
export type PersonalTable = {
  /** The column that says whose a row is; `person_id` and `id` of person name a person, any other an account. */
  column: string
  /** Further columns that name somebody whose the row is not. */
  also?: readonly string[]
  /** What the person reads above it; nothing: it is not told, for the reason given. */
  title?: Titles
  untold?: string
  /** Secrets, and keys that say nothing to a person. */
  hide?: readonly string[]
  /** What is told instead of the rows as they are. One column, `row`, of JSON. */
  rows?: (owner: Owner) => RawBuilder<{ row: Row }>
  /** What becomes of it when the accounts are closed: deleted, kept for the reason given, or changed so that it names nobody. */
  closing: 'delete' | { keep: string } | { anonymise: (owner: Owner) => RawBuilder<unknown> }
}
export type Row = Record<string, unknown>

/** By table, in the order in which it is told; it is taken away in the reverse order. */
export type PersonalData = Record<string, PersonalTable>

/** What every area holds of people. A table that names a person or an account and is in none fails a test. */
export const personalData = extension<PersonalData>()

/** Every table that holds something of people. What others refer to comes first. */
export const listPersonalTables = (): [table: string, about: PersonalTable][] =>
  personalData.all().flatMap((data) => Object.entries(data))

/** For `column = ${accountsOf(owner)}`. */
export const accountsOf = ({ accountIds }: Owner) => sql`any(${accountIds as string[]}::bigint[])`

/** The condition that a row is the owner's. */
export const isOf = (owner: Owner, { column }: PersonalTable, table: string) =>
  table === 'person' || column === 'person_id'
    ? sql<boolean>`${sql.ref(column)} = ${owner.personId}`
    : sql<boolean>`${sql.ref(column)} = ${accountsOf(owner)}`
