/** The operator's command line: `npx atrium`. */
import { runCommand } from './cli/run-command.ts'

// A closed pipe (| head) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

await runCommand(process.argv.slice(2))
