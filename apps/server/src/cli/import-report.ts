import type { ImportReport } from '#platform/ingest/import.ts'
import { formatCount, openProgress } from './progress.ts'
import type { RunOptions, TableOptions } from './table-command.ts'

/** Exit code of an import that is done but left rows out. */
const rowsLeftOut = 3
/** Maximum number of issues printed on a terminal; a file or pipe gets all of them. */
const maxOnScreen = 50

export function openReport(file: string) {
  const progress = openProgress()
  let issues = 0
  return {
    settings: (options: TableOptions) => ({
      dryRun: options.dryRun ?? false,
      strict: options.strict ?? false,
      encoding: options.encoding,
      ...(options.map && { columns: options.map }),
      ...(options.wait && {
        onWait: () => progress.line('Another import is running; this one waits for it.'),
      }),
      onProgress: ({ rows, share }: { rows: number; share: number }) =>
        progress.show(
          share,
          share < 1 ? `${formatCount(rows)} rows read` : `${formatCount(rows)} rows, writing`,
        ),
      onIssue(row: number, sentence: string) {
        issues++
        if (!process.stderr.isTTY || issues <= maxOnScreen)
          progress.line(`${file}:${row}: ${sentence}`)
      },
    }),
    say(
      { read, added, changed, unchanged, skipped, notes, written }: ImportReport,
      options: RunOptions,
    ) {
      progress.done()
      if (process.stderr.isTTY && issues > maxOnScreen)
        console.error(
          `… and ${formatCount(issues - maxOnScreen)} more; add 2> issues.txt to get all of them`,
        )
      console.log(
        `${file}: ${formatCount(read)} read, ${formatCount(added)} added, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged, ${formatCount(skipped)} left out`,
      )
      for (const note of notes) console.log(`  ${note}`)
      if (options.dryRun) console.log('Nothing was written: this was a dry run.')
      else if (!written) console.log('Nothing was written: there were issues, and --strict is set.')
      if (skipped > 0) process.exitCode = written || options.dryRun ? rowsLeftOut : 1
    },
  }
}
