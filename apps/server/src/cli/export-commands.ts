import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { exportMembers, exportOrganizations } from '#domains/identity/members/export.ts'
import {
  exportServicesCsv,
  exportServicesJson,
} from '#domains/services/service-catalogue/export-services.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { withInstallation } from './installation.ts'

export function addExportCommands(program: Command) {
  const group = program
    .command('export')
    .description('write members, organisations and services to files that import can read')
  const add = (name: string, what: string, parts: (db: Db) => AsyncGenerator<string>) =>
    group
      .command(`${name} [file]`)
      .description(`all ${what} as CSV; to standard output without a file`)
      .addHelpText('after', `\nExample:\n  npx atrium export ${name} ${name}.csv`)
      .action((file: string | undefined) => write(file, parts))
  add('members', 'members with their accounts', exportMembers)
  add('organisations', 'organisations', exportOrganizations).alias('organizations')
  group
    .command('services [file]')
    .description('all services as CSV, or as JSON with --json; to standard output without a file')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  npx atrium export services services.csv')
    .action((file: string | undefined, { json }: { json?: boolean }) =>
      write(file, json ? exportServicesJson : exportServicesCsv),
    )
}

/** In a transaction, because its commit writes the audit entry. */
const write = (file: string | undefined, parts: (db: Db) => AsyncGenerator<string>) =>
  withInstallation('current', ({ db }) =>
    db.transaction().execute(async (db) => {
      // Personal data: readable by the file's owner only; never overwrite a file.
      const target = file ? createWriteStream(file, { mode: 0o600, flags: 'wx' }) : process.stdout
      try {
        await pipeline(Readable.from(parts(db), { objectMode: false }), target, {
          end: target !== process.stdout,
        })
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EEXIST') throw new StartError(`The file ${file} already exists.`)
        if (code === 'ENOENT' || code === 'EACCES')
          throw new StartError(`${file} cannot be written (${code}).`)
        throw error
      }
    }),
  )
