import type { DirectoryRun } from '@atrium/contract/identity/directory'

/** Counters of a run, per kind. */
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

/** Maximum number of report rows stored per kind and outcome. */
export const maxRows = 2000

/** Collects the report of a run, up to `maxRows` per kind and outcome. */
export function openReport() {
  const rows: ReportRow[] = []
  const counts = new Map<string, number>()
  const refused = { organization: 0, group: 0, member: 0 }
  /** Kind and display name of each row, by row number. */
  const subjects: { kind: Kind; name: string }[] = []
  const add = (row: ReportRow) => {
    const key = `${row.kind} ${row.what}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    if (count < maxRows) rows.push(row)
  }
  return {
    rows,
    refused,
    add,
    /** @returns the row number to report issues with */
    number(kind: Kind, name: string) {
      subjects.push({ kind, name })
      return subjects.length
    },
    issue(row: number, sentence: string) {
      const { kind, name } = subjects[row - 1] ?? { kind: 'member', name: String(row) }
      const last = rows.at(-1)
      // Several issues of one row are joined.
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
