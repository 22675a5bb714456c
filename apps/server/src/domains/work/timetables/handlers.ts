import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { timetables } from '@atrium/contract/work/timetables.operator'
import { StartError } from '#platform/environment.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { runImport } from '#platform/ingest/import.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { timetableImporters } from './importers.ts'

/** Maximum issues returned; further ones show up in the next run. */
const maxIssues = 200

export const timetableHandlers: Handlers<typeof timetables> = {
  async import({ platform, body: { what, text, term, dryRun, strict, prune, force } }) {
    const { timeZone } = await currentSettings(platform)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-import-'))
    const file = path.join(folder, what)
    const issues: { row: number; sentence: string }[] = []
    const onIssue = (row: number, sentence: string) => {
      if (issues.length < maxIssues) issues.push({ row, sentence })
    }
    try {
      await writeFile(file, text, { mode: 0o600 })
      const report = await runImport(platform.url, { dryRun, strict, onIssue }, (run) =>
        timetableImporters[what](run, file, { timeZone, term, dryRun, prune, force }),
      )
      return { ...report, issues }
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      // A fault of the file as a whole has no row. The path of the temporary file is not revealed.
      const sentence = error.message.replaceAll(file, what)
      const none = { read: 0, added: 0, changed: 0, unchanged: 0, skipped: 0, notes: [] }
      return { ...none, written: false, issues: [{ row: 0, sentence }, ...issues] }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
