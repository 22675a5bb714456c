import type { DirectoryRun } from '@atrium/contract/identity/directory'

/** What a run counts, each kind by itself. */
export type RunCounts = Pick<
  DirectoryRun,
  'organizations' | 'groups' | 'members' | 'disabled' | 'known'
>
export type Kind = 'organization' | 'group' | 'member'
export type ReportRow = {
  kind: Kind
  what: 'added' | 'changed' | 'disabled' | 'refused'
  name: string
  detail: string
}

/** More of one kind helps nobody, and would have to be kept. */
export const maxRows = 2000

/** What happened, as far as it is kept. */
export function openReport() {
  const rows: ReportRow[] = []
  const kept = new Map<string, number>()
  const refused = { organization: 0, group: 0, member: 0 }
  /** By the number of a row: what it is, and what a person knows it by. */
  const about: { kind: Kind; name: string }[] = []
  const add = (row: ReportRow) => {
    const of = `${row.kind} ${row.what}`
    const count = kept.get(of) ?? 0
    kept.set(of, count + 1)
    if (count < maxRows) rows.push(row)
  }
  return {
    rows,
    refused,
    add,
    /** @returns the number that an issue of this row names */
    number(kind: Kind, name: string) {
      about.push({ kind, name })
      return about.length
    },
    issue(row: number, sentence: string) {
      const { kind, name } = about[row - 1] ?? { kind: 'member', name: String(row) }
      const last = rows.at(-1)
      // One row may have several issues.
      if (last?.what === 'refused' && last.kind === kind && last.name === name)
        last.detail += `; ${sentence}`
      else {
        refused[kind]++
        add({ kind, what: 'refused', name, detail: sentence })
      }
    },
  }
}
export type Report = ReturnType<typeof openReport>
