import type { Command } from 'commander'
import { withInstallation } from './installation.ts'

export function addDemoCommands(program: Command) {
  program
    .command('demo')
    .description('the demo institution')
    .command('reset')
    .description('bring the demo institution back to how it began; refused in any other database')
    .addHelpText('after', '\nExample:\n  npx atrium demo reset')
    .action(() =>
      withInstallation('current', async ({ env, db }) => {
        const { resetDemo } = await import('../demo.ts')
        await resetDemo(db, env)
        console.log('The demo institution is as it was at the beginning.')
      }),
    )
}
