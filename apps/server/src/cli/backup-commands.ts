import type { Command } from 'commander'
import { checkBackup } from '#platform/database/backup-format.ts'
import { restoreBackup } from '#platform/database/restore-backup.ts'
import { type BackupProgress, writeBackup } from '#platform/database/write-backup.ts'
import { readSecret } from '#platform/secret.ts'
import { openStorage } from '#platform/storage/open-storage.ts'
import { recordCommand, withInstallation } from './installation.ts'
import { formatCount, openProgress } from './progress.ts'

export function addBackupCommands(program: Command) {
  program
    .command('backup <file>')
    .description('write everything into one file: the database, uploaded files, the secret')
    .option('--force', 'overwrite the file')
    .addHelpText(
      'after',
      `
The server may keep running: the backup is a consistent snapshot. It includes the files in a bucket (ATRIUM_S3_BUCKET), and a
restore writes them to the storage that is configured then. The same file restores into the embedded database or into a
PostgreSQL server, of the same version or another. It contains the secret and every member's data: protect it like a password.

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
          storage: await openStorage(env),
        }
        const { manifest, missing, bytes } = await writeBackup(source, file, {
          ...options,
          onProgress: show(progress),
        })
        progress.done()
        await recordCommand(url)
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        console.log(
          `${file}: ${formatCount(rows)} rows of ${manifest.tables.length} tables and ${formatCount(manifest.files - missing.length)} files, ${size(bytes)}.`,
        )
        console.log('It contains the secret and every member’s data: protect it like a password.')
        if (missing.length === 0) return
        console.error(
          `${formatCount(missing.length)} files that the database refers to are missing in ${source.storage.place}; the first is ${missing[0]}. The rest is complete.`,
        )
        process.exitCode = 1
      }),
    )
  program
    .command('restore <file>')
    .description('replace the data of this installation with a backup')
    .option('--replace', 'delete the current content of the database')
    .option('--check', 'only check that the backup is complete')
    .addHelpText(
      'after',
      `
Stop every server first. The whole backup is checked before anything is changed; then it is restored completely or not at
all. A database of an older Atrium is migrated.

Examples:
  npx atrium restore atrium-2026-11-21.backup --check
  DATABASE_URL=postgres://… npx atrium restore atrium-2026-11-21.backup
  ATRIUM_DATA_DIR=/srv/atrium npx atrium restore atrium-2026-11-21.backup`,
    )
    .action(async (file: string, options: { replace?: boolean; check?: boolean }) => {
      const found = await checkBackup(file)
      const told = `made ${found.createdAt} by Atrium ${found.version} on PostgreSQL ${found.postgres}, ${formatCount(found.tables.reduce((sum, table) => sum + table.rows, 0))} rows, ${formatCount(found.files)} files`
      if (options.check) return console.log(`${file} is complete: ${told}.`)
      await withInstallation('any', async ({ env, url, db }) => {
        // Its idle connections would look like a running server.
        await db.destroy()
        const progress = openProgress()
        const target = {
          url,
          dataDir: env.ATRIUM_DATA_DIR,
          storage: await openStorage(env),
          secret: env.ATRIUM_SECRET,
        }
        await restoreBackup(target, file, { ...options, onProgress: show(progress) })
        progress.done()
        await recordCommand(url)
        console.log(`${file} was restored: ${told}.`)
      })
    })
}

const show =
  (progress: ReturnType<typeof openProgress>) =>
  ({ done, of, what }: BackupProgress) =>
    progress.show(done / of, what)

const size = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
