import type { Command } from 'commander'
import { withInstallation } from './installation.ts'

export function addDemoCommands(program: Command) {
  program
    .command('demo')
    .description('the demo institution')
    .command('reset')
    .description('reset the demo institution to its initial state; refused in any other database')
    .addHelpText('after', '\nExample:\n  npx atrium demo reset')
    .action(() =>
      withInstallation('current', async ({ env, db }) => {
        const { resetDemo } = await import('../demo.ts')
        await resetDemo(db, env)
        console.log('The demo institution was reset to its initial state.')
      }),
    )
}
