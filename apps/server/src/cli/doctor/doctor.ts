import type { Command } from 'commander'
import { appliedMigrations } from '#platform/database/migrate.ts'
import { type Environment, readEnvironment, StartError } from '#platform/environment.ts'
import { listRunningNodes, type RunningNode } from '#platform/running-nodes.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { checkBases, checkCentralLogin, checkDirectories } from './check-configured.ts'
import {
  checkBackup,
  checkClock,
  checkDatabase,
  checkFailedJobs,
  checkMigrations,
  checkPooler,
  checkSecret,
} from './check-database.ts'
import {
  checkAddress,
  checkBucket,
  checkCertificate,
  checkClamd,
  checkDataFolder,
  checkMail,
  checkRedis,
  checkReplies,
} from './check-environment.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('check the installation and report what to do')
    .addHelpText('after', '\nExample:\n  npx atrium doctor\n\nExit code: 1 when a check failed.')
    .action(runDoctor)
}

type Check = () => Promise<Finding | Finding[]> | Finding | Finding[]

/** Runs all checks and prints a line for each finding. Exit code 1 if one failed. */
async function runDoctor() {
  let bad = false
  const tell = (name: string, findings: Finding | readonly Finding[]) => {
    for (const { state, says } of [findings].flat()) {
      bad ||= state === 'failed'
      console.log(`${state.padEnd(8)} ${name.padEnd(12)} ${says}`)
    }
  }
  const check = async (name: string, run: Check) => {
    try {
      tell(name, await run())
    } catch (error) {
      tell(name, failed((error as Error).message))
    }
  }
  let own: Environment | undefined
  await check('environment', () => {
    own = readEnvironment(process.env)
    return ok('every variable is valid')
  })
  if (own) {
    // Check with the settings of the running server, if any; it stores them in the database.
    let settings = own
    try {
      await withInstallation('any', async (installation) => {
        const applied = await appliedMigrations(installation.db)
        for (const [name, run] of databaseChecks)
          await check(name, () => run(installation, applied))
        if (applied.length === 0) return
        await check('nodes', async () => {
          const nodes = await listNodes(installation)
          settings = settingsOf(nodes, settings)
          return describeNodes(nodes)
        })
        for (const [name, run] of contentChecks)
          await check(name, () => run({ ...installation, env: settings }))
      })
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      tell('database', failed(error.message))
    }
    for (const [name, needs, run] of environmentChecks)
      if (!needs || settings[needs]) await check(name, () => run(settings))
  }
  process.exitCode = bad ? 1 : 0
}

const databaseChecks: [
  string,
  (installation: Installation, applied: readonly string[]) => ReturnType<Check>,
][] = [
  ['database', checkDatabase],
  ['pooler', checkPooler],
  ['clock', checkClock],
  ['migrations', checkMigrations],
  ['secret', (installation, applied) => checkSecret(installation, applied.length > 0)],
]

/** Checks that read tables of Atrium. */
const contentChecks: [string, (installation: Installation) => ReturnType<Check>][] = [
  ['jobs', checkFailedJobs],
  ['backup', checkBackup],
  ['bases', checkBases],
  ['login', checkCentralLogin],
  ['directories', checkDirectories],
]

/** The second element is the variable that the check needs; it is skipped when unset. */
const environmentChecks: [
  string,
  keyof Environment | undefined,
  (env: Environment) => ReturnType<Check>,
][] = [
  ['data folder', undefined, checkDataFolder],
  ['address', undefined, checkAddress],
  ['certificate', 'ATRIUM_PUBLIC_URL', checkCertificate],
  ['redis', 'REDIS_URL', ({ REDIS_URL }) => checkRedis(REDIS_URL ?? '')],
  ['mail', 'ATRIUM_MAIL_URL', checkMail],
  ['answers', 'ATRIUM_MAIL_REPLIES', checkReplies],
  ['bucket', 'ATRIUM_S3_BUCKET', checkBucket],
  ['clamd', 'ATRIUM_CLAMD', checkClamd],
]

async function listNodes({ db, env }: Installation): Promise<RunningNode[]> {
  const there = (await db.introspection.getTables()).some(({ name }) => name === 'running_node')
  return there
    ? listRunningNodes(db, openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR)))
    : []
}

/** Settings that may differ between nodes. */
const perNode = ['PORT', 'HOST', 'ATRIUM_DATA_DIR', 'ATRIUM_LOG_LEVEL', 'ATRIUM_JOBS']

function describeNodes(nodes: readonly RunningNode[]): Finding[] {
  if (nodes.length === 0)
    return [warning('no node is running; the next checks use the settings of this shell')]
  const findings = nodes.map(({ host, version, startedAt, settings }) =>
    settings
      ? ok(
          `${host}, Atrium ${version}, running since ${startedAt}; the next checks use its settings`,
        )
      : failed(`${host} runs with another secret; give every node the same ATRIUM_SECRET`),
  )
  const all = nodes.flatMap(({ settings }) => (settings ? [settings] : []))
  const names = new Set(all.flatMap((settings) => Object.keys(settings)))
  const differing = [...names].filter(
    (name) => !perNode.includes(name) && new Set(all.map((one) => one[name])).size > 1,
  )
  if (differing.length > 0)
    findings.push(
      warning(`the nodes differ in ${differing.join(', ')}; give all of them the same values`),
    )
  return findings
}

/** Settings of the longest-running node, but with the database and secret of this command's environment. */
function settingsOf(nodes: readonly RunningNode[], own: Environment): Environment {
  const settings = nodes.find((node) => node.settings)?.settings
  if (!settings) return own
  const { DATABASE_URL, ATRIUM_SECRET } = process.env
  return readEnvironment({
    ...settings,
    ...(DATABASE_URL && { DATABASE_URL }),
    ...(ATRIUM_SECRET && { ATRIUM_SECRET }),
    ATRIUM_DATA_DIR: own.ATRIUM_DATA_DIR,
  })
}
