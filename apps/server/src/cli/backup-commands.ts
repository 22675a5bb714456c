import type { Command } from 'commander'
import { checkBackup } from '#platform/database/backup-format.ts'
import { restoreBackup } from '#platform/database/restore-backup.ts'
import { type BackupProgress, writeBackup } from '#platform/database/write-backup.ts'
import { readSecret } from '#platform/secret.ts'
import { openStorage } from '#platform/storage/storage.ts'
import { recordCommand, withInstallation } from './installation.ts'
import { count, openProgress } from './progress.ts'

export function addBackupCommands(program: Command) {
  program
    .command('backup <file>')
    .description('write everything into one file: the database, uploaded files, the secret')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      `
The server may go on working: the backup shows one moment. Files in a bucket (ATRIUM_S3_BUCKET) are fetched into it too, and
restored into whatever storage is configured then. The same file restores into the embedded database or into a
PostgreSQL server, of the same version or another. It holds the secret and every member's data: keep it like a password.

Examples:
  npx atrium backup atrium-2026-11-21.backup
  DATABASE_URL=postgres://… npx atrium backup /backups/atrium.backup --force`,
    )
    .action((file: string, options: { force?: boolean }) =>
      withInstallation('any', async ({ env, url }) => {
        const secret = readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR)
        const progress = openProgress()
        const source = {
          url,
          secret,
          storage: openStorage(env.ATRIUM_DATA_DIR, env),
        }
        const { manifest, missing, bytes } = await writeBackup(source, file, {
          ...options,
          onProgress: show(progress),
        })
        progress.done()
        await recordCommand(url)
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        console.log(
          `${file}: ${count(rows)} rows of ${manifest.tables.length} tables and ${count(manifest.files - missing.length)} files, ${size(bytes)}.`,
        )
        console.log('It holds the secret and every member’s data: keep it like a password.')
        if (missing.length === 0) return
        console.error(
          `${count(missing.length)} files that the database names are missing in ${source.storage.place}, the first is ${missing[0]}. The rest is complete.`,
        )
        process.exitCode = 1
      }),
    )
  program
    .command('restore <file>')
    .description('make this installation what a backup holds')
    .option('--replace', 'give up what the database holds now')
    .option('--check', 'only read the backup and say whether it is whole')
    .addHelpText(
      'after',
      `
Stop every server first. The backup is read from beginning to end before anything is changed, and then all of it is restored
or nothing is. A database of an older Atrium is brought up to date.

Examples:
  npx atrium restore atrium-2026-11-21.backup --check
  DATABASE_URL=postgres://… npx atrium restore atrium-2026-11-21.backup
  ATRIUM_DATA_DIR=/srv/atrium npx atrium restore atrium-2026-11-21.backup`,
    )
    .action(async (file: string, options: { replace?: boolean; check?: boolean }) => {
      const found = await checkBackup(file)
      const told = `made ${found.createdAt} by Atrium ${found.version} on PostgreSQL ${found.postgres}, ${count(found.tables.reduce((sum, table) => sum + table.rows, 0))} rows, ${count(found.files)} files`
      if (options.check) return console.log(`${file} is whole: ${told}.`)
      await withInstallation('any', async ({ env, url, db }) => {
        // Its idle connections would look like a running server.
        await db.destroy()
        const progress = openProgress()
        const target = {
          url,
          dataDir: env.ATRIUM_DATA_DIR,
          storage: openStorage(env.ATRIUM_DATA_DIR, env),
          secret: env.ATRIUM_SECRET,
        }
        await restoreBackup(target, file, { ...options, onProgress: show(progress) })
        progress.done()
        await recordCommand(url)
        console.log(`${file} is restored: ${told}.`)
      })
    })
}

const show =
  (progress: ReturnType<typeof openProgress>) =>
  ({ done, of, what }: BackupProgress) =>
    progress.show(done / of, what)

const size = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
