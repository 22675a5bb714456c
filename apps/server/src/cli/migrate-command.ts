import type { Command } from 'commander'
import { openDatabase, openPool } from '#platform/database/db.ts'
import { migrate } from '#platform/database/migrate.ts'
import { recordCommand, withInstallation } from './installation.ts'

export function addMigrateCommand(program: Command) {
  program
    .command('migrate')
    .description(
      'migrate the database to this version of Atrium; the server also does so when it starts',
    )
    .addHelpText('after', '\nExample:\n  npx atrium migrate')
    .action(() =>
      withInstallation('any', async ({ url }) => {
        const db = openDatabase(openPool(url, 1))
        const applied = await migrate(db).finally(() => db.destroy())
        if (applied.length > 0) await recordCommand(url)
        console.log(
          applied.length === 0 ? 'The database is up to date.' : `Done: ${applied.join(', ')}.`,
        )
      }),
    )
}
