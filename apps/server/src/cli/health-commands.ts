import type { Command } from 'commander'
import { pino } from 'pino'
import { probeNow } from '#domains/services/health/probe.ts'
import { listHealth } from '#domains/services/health/queries.ts'
import { StartError } from '#platform/environment.ts'
import { openPlatform } from '#platform/platform.ts'
import { withInstallation } from './installation.ts'

/** Commands for the health of services. */
export function addHealthCommands(program: Command) {
  const group = program
    .command('health')
    .description('whether services open: down, slow, dead links, and what members report')
  group
    .command('list')
    .description('services with a problem, those reported by most members first')
    .option('--all', 'every service')
    .addHelpText(
      'after',
      '\nExamples:\n  npx atrium health list\n  npx atrium health list --all\n\nExit code: 1 when a service has a problem.',
    )
    .action(list)
  group
    .command('check <serviceNo>')
    .description('probe a service now')
    .addHelpText(
      'after',
      '\nExample:\n  npx atrium health check JW-001\n\nExit code: 1 when it is not up.',
    )
    .action(check)
}

const maxListed = 10_000
type Line = Awaited<ReturnType<typeof listHealth>>['list'][number]

const show = ({ state, serviceNo, serviceName, serviceUrl, since, status, issue, reports }: Line) =>
  [
    `${state.padEnd(11)} ${serviceNo} ${serviceName} ${serviceUrl}`,
    since && `since ${since}`,
    status && `answered ${status}`,
    reports > 0 &&
      `${reports} ${reports === 1 ? 'member reports' : 'members report'} that it does not open`,
    issue,
  ]
    .filter(Boolean)
    .join('\n            ')

const list = ({ all = false }: { all?: boolean }) =>
  withInstallation('current', async ({ db }) => {
    const page = { offset: 0, pageSize: maxListed }
    const found = await listHealth(db, null, { all }, page)
    if (found.total === 0) console.log(all ? 'There are no services.' : 'No service has a problem.')
    for (const line of found.list) console.log(show(line))
    if (
      found.list.some(
        (line) => !['up', 'unknown', 'maintenance'].includes(line.state) || line.reports > 0,
      )
    )
      process.exitCode = 1
  })

const check = (serviceNo: string) =>
  withInstallation('current', async ({ env, url, db }) => {
    const service = await db
      .selectFrom('service')
      .select('id')
      .where('service_no', '=', serviceNo)
      .where('online', '=', true)
      .executeTakeFirst()
    if (!service) throw new StartError(`There is no online service ${serviceNo}.`)
    const platform = await openPlatform(env, pino({ level: 'silent' }), url, () => env.PORT)
    try {
      if (!(await probeNow(platform, service.id)))
        throw new StartError(`${serviceNo} is a screen of the portal: there is nothing to probe.`)
    } finally {
      await platform.close()
    }
    const filter = { all: true, serviceId: service.id }
    const { list } = await listHealth(db, null, filter, { offset: 0, pageSize: 1 })
    for (const line of list) console.log(show(line))
    if (list[0]?.state !== 'up') process.exitCode = 1
  })
