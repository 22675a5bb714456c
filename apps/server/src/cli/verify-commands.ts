import { baseNames, bases, type UpstreamName } from '@atrium/contract/services/upstreams'
import { Argument, type Command } from 'commander'
import { pino } from 'pino'
import { baseAddress, tokenFor } from '#domains/services/upstreams/proxy.ts'
import { type Verification, verifyBase } from '#domains/services/upstreams/verify.ts'
import { readEnvironment, StartError } from '#platform/environment.ts'
import { openPlatform } from '#platform/platform.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { withInstallation } from './installation.ts'
import { readStdin } from './prompt.ts'

type Options = { base?: string; as?: string; tokenStdin?: boolean; slowest: string }

export function addVerifyCommands(program: Command) {
  program
    .command('verify')
    .description('check that a system of the institution answers as the portal requires')
    .addArgument(new Argument('<family>', 'the family of calls').choices(baseNames))
    .option('--base <address>', 'its address; default: the configured one')
    .option('--as <username>', 'call it as this member, with a token made for it')
    .option('--token-stdin', 'call it with a token from standard input')
    .option('--slowest <milliseconds>', 'how long an answer may take', '2000')
    .addHelpText(
      'after',
      `
Makes every read call of the family: as a member, as a visitor, with wrong tokens, for unknown keys, page by page. Nothing is
written there. With --base and without --as, no database is needed.

Families and the configuration key of each:
${baseNames.map((name) => `  ${name.padEnd(14)} ${bases[name].key}`).join('\n')}

Examples:
  npx atrium verify services --base https://services.example.edu/api --as 20260001
  npx atrium verify cms --base https://news.example.edu
  npx atrium verify messages --as 20260001

Exit code: 1 when a check failed.`,
    )
    .action(verify)
}

async function verify(base: UpstreamName, options: Options) {
  const slowest = Number(options.slowest)
  if (!Number.isInteger(slowest) || slowest < 1)
    throw new StartError('--slowest must be a number of milliseconds.')
  if (options.base && !URL.canParse(options.base))
    throw new StartError('--base must be an address such as https://services.example.edu/api.')
  const given = options.tokenStdin ? (await readStdin()).trim() : undefined
  const { address, token, foreignToken } =
    options.base && !options.as
      ? { address: baseAddress(base, options.base), token: given, foreignToken: undefined }
      : await fromInstallation(base, options, given)
  const { ATRIUM_OUTBOUND_ALLOW: allow } = readEnvironment(process.env)
  const result = await verifyBase(base, { address, token, foreignToken, slowest, allow })
  print(base, address, options.as, result)
  if (result.findings.some(({ ok }) => !ok)) process.exitCode = 1
}

const fromInstallation = (base: UpstreamName, options: Options, given: string | undefined) =>
  withInstallation('current', async ({ env, url, db }) => {
    const configured = options.base ?? (await readSettings(db))[bases[base].key]
    if (configured === '')
      throw new StartError(`${bases[base].key} is not set: this server answers these calls itself.`)
    const address = baseAddress(base, configured)
    if (!options.as) return { address, token: given, foreignToken: undefined }
    const member = await db
      .selectFrom('account')
      .select([
        'username',
        'identity_type_code as identityTypeCode',
        'organization_id as organizationId',
      ])
      .where('username', '=', options.as)
      .where('status', '=', 'active')
      .executeTakeFirst()
    if (!member) throw new StartError(`There is no active account ${options.as}.`)
    const platform = await openPlatform(env, pino({ level: 'silent' }), url, () => env.PORT)
    try {
      return {
        address,
        token: await tokenFor(platform, address, member),
        foreignToken: await tokenFor(platform, 'https://another-system.invalid', member),
      }
    } finally {
      await platform.close()
    }
  })

function print(base: UpstreamName, address: string, as: string | undefined, result: Verification) {
  const { findings, notAsked } = result
  console.log(`${base} at ${address}${as ? `, as ${as}` : ''}`)
  let call = ''
  for (const finding of findings) {
    if (finding.call !== call) console.log(`\n${finding.call}`)
    call = finding.call
    console.log(`  ${finding.ok ? 'ok    ' : 'FAILED'} ${finding.check}: ${finding.said}`)
  }
  if (notAsked.length > 0) console.log('\nNot called:')
  for (const { call, because } of notAsked) console.log(`  ${call}: ${because}`)
  const failed = findings.filter(({ ok }) => !ok).length
  console.log(`\n${findings.length} checks, ${failed} failed, ${notAsked.length} calls not made.`)
}
