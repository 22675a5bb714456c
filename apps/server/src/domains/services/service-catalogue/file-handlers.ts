import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { serviceFiles } from '@atrium/contract/services/service-catalogue.operator'
import type { FastifyReply } from 'fastify'
import { importServices } from '#domains/services/services/import-services.ts'
import { StartError } from '#platform/environment.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { runImport } from '#platform/ingest/import.ts'
import { exportServicesCsv, exportServicesJson } from './export-services.ts'

/** Maximum number of issues returned; further ones appear in the next run. */
const maxIssues = 200

export const serviceFileHandlers: Handlers<typeof serviceFiles> = {
  async import({ platform, body: { text, dryRun, strict } }) {
    const { env, url } = platform
    const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-import-'))
    const file = path.join(folder, 'services')
    const issues: { row: number; sentence: string }[] = []
    const onIssue = (row: number, sentence: string) => {
      if (issues.length < maxIssues) issues.push({ row, sentence })
    }
    try {
      await writeFile(file, text, { mode: 0o600 })
      const report = await runImport(url, { dryRun, strict, onIssue }, (run) =>
        importServices(run, file, { allow: env.ATRIUM_OUTBOUND_ALLOW }),
      )
      return { ...report, issues }
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      // An issue of the whole file: row 0, with the local path removed.
      const sentence = error.message.replaceAll(file, 'services')
      const none = { read: 0, added: 0, changed: 0, unchanged: 0, skipped: 0, notes: [] }
      return { ...none, written: false, issues: [{ row: 0, sentence }, ...issues] }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },

  exportCsv: async ({ db, reply }) =>
    download(reply, 'text/csv', 'services.csv', exportServicesCsv(db)),
  exportJson: async ({ db, reply }) =>
    download(reply, 'application/json', 'services.json', exportServicesJson(db)),
}

const download = (reply: FastifyReply, type: string, name: string, parts: AsyncGenerator<string>) =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(parts, { objectMode: false }))
