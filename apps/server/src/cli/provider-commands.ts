import type { ProviderSettings } from '@atrium/contract/identity/federation'
import { providerKinds } from '@atrium/contract/identity/identity'
import { type Command, Option } from 'commander'
import { pino } from 'pino'
import {
  countIdentities,
  listProviders,
  type Provider,
} from '#domains/identity/federation/queries.ts'
import type { Kind } from '#domains/identity/federation/rules.ts'
import {
  addProvider,
  changeProvider,
  removeProvider,
  settingNames,
} from '#domains/identity/identity-providers/providers.ts'
import { tryProvider } from '#domains/identity/identity-providers/try-provider.ts'
import type { Db } from '#platform/database/db.ts'
import { type Environment, StartError } from '#platform/environment.ts'
import { fieldTexts, type IssueKind } from '#platform/http/errors.ts'
import { openPlatform } from '#platform/platform.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { type Installation, withInstallation } from './installation.ts'
import { readSecretStdin } from './prompt.ts'

type Options = {
  kind: Kind
  name?: string
  nameEn?: string
  position?: string
  set: string[]
  secretStdin?: boolean
}

const settingsHelp = `Settings, one --set for each:
${providerKinds.map((kind) => `  ${kind.padEnd(12)} ${settingNames(kind).join(', ')}`).join('\n')}
The secret of openid, wechat-mini, wechat-mp and wecom is read from standard input with --secret-stdin.`

/** Commands for external logins. */
export function addProviderCommands(program: Command) {
  const group = program
    .command('provider')
    .description('external logins: a CAS server, OpenID providers, WeChat, WeCom')
  const collected = (value: string, list: string[]) => [...list, value]
  const described = (command: Command) =>
    command
      .option('--name-en <name>', 'the English name that members see')
      .option('--position <number>', 'lower values come first')
      .option('--set <name=value>', 'a setting; may be given several times', collected, [])
      .option('--secret-stdin', 'read the secret from standard input')
  group
    .command('list')
    .description('list every external login, and whether it is enabled')
    .addHelpText('after', '\nExample:\n  npx atrium provider list')
    .action(list)
  described(
    group
      .command('add <code>')
      .description('add an external login; members see it once it is enabled')
      .addOption(
        new Option('--kind <kind>', 'its kind').choices(providerKinds).makeOptionMandatory(),
      )
      .requiredOption('--name <name>', 'the name that members see'),
  )
    .addHelpText(
      'after',
      `
${settingsHelp}

Examples:
  npx atrium provider add campus --kind cas --name 统一身份认证 --set serverUrl=https://cas.example.edu/cas --set matchUsername=true
  npx atrium provider add federation --kind openid --name 教育联盟 --set issuer=https://id.example.org --set clientId=portal --secret-stdin < secret.txt`,
    )
    .action(add)
  described(
    group
      .command('set <code>')
      .description(
        'change an external login; what is not given stays unchanged, an empty value removes a setting',
      )
      .option('--name <name>', 'the name that members see'),
  )
    .addHelpText(
      'after',
      `
${settingsHelp}

Example:
  npx atrium provider set campus --set renew=true --set validateUrl=`,
    )
    .action(change)
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    group
      .command(`${verb} <code>`)
      .description(enabled ? 'offer it to members' : 'no longer offer it; members’ bindings stay')
      .addHelpText('after', `\nExample:\n  npx atrium provider ${verb} campus`)
      .action((code: string) => update(code, () => ({ enabled })))
  group
    .command('test <code>')
    .description('check that it answers and accepts the settings; nobody is signed in')
    .addHelpText('after', '\nExample:\n  npx atrium provider test campus')
    .action(test)
  group
    .command('remove <code>')
    .description('remove it, with all bindings of members')
    .addHelpText('after', '\nExample:\n  npx atrium provider remove campus')
    .action(remove)
}

const list = () =>
  withInstallation('current', async ({ db }) => {
    const counts = await countIdentities(db)
    const providers = await listProviders(db)
    if (providers.length === 0)
      console.log('There are no external logins. Add one with npx atrium provider add.')
    for (const { id, code, kind, name, enabled, settings } of providers)
      console.log(
        `${enabled ? '*' : ' '} ${code} (${kind}) ${name}, bound by ${counts.get(id) ?? 0}\n    ${Object.entries(
          settings,
        )
          .map(([key, value]) => `${key}=${value}`)
          .join(' ')}`,
      )
  })

async function add(code: string, options: Options) {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(code))
    throw new StartError('The code must be lower-case Latin letters, digits and hyphens.')
  const secret = options.secretStdin ? await readSecretStdin() : undefined
  await withInstallation('current', async ({ env, db }) => {
    const outcome = await db.transaction().execute(async (db) =>
      addProvider(fieldsOf(env, db), {
        code,
        kind: options.kind,
        name: options.name ?? '',
        nameEn: options.nameEn ?? '',
        position: readPosition(options.position) ?? 0,
        settings: readSettings(options.set),
        secret,
      }),
    )
    if ('taken' in outcome) throw new StartError(`The external login ${code} already exists.`)
    if ('fields' in outcome) refuse(outcome.fields)
  })
  console.log(
    `${code} was added. Test it: npx atrium provider test ${code}. Offer it to members: npx atrium provider enable ${code}`,
  )
}

async function change(code: string, options: Options) {
  const secret = options.secretStdin ? await readSecretStdin() : undefined
  await update(code, (before) => ({
    name: options.name ?? before.name,
    nameEn: options.nameEn ?? before.nameEn,
    position: readPosition(options.position) ?? before.position,
    settings: { ...before.settings, ...readSettings(options.set) },
    secret,
  }))
}

const update = (
  code: string,
  values: (before: Provider) => Partial<Parameters<typeof changeProvider>[2]>,
) =>
  withInstallation('current', async ({ env, db }) => {
    await db.transaction().execute(async (db) => {
      const before = await getProvider(db, code)
      const outcome = await changeProvider(fieldsOf(env, db), before, {
        ...before,
        ...values(before),
      })
      if ('fields' in outcome) refuse(outcome.fields)
    })
    console.log(`${code} was changed.`)
  })

const remove = (code: string) =>
  withInstallation('current', async ({ db }) => {
    await db
      .transaction()
      .execute(async (db) => removeProvider(db, (await getProvider(db, code)).id))
    console.log(`${code} was removed.`)
  })

const test = (code: string) => withInstallation('current', (given) => ask(given, code))

async function ask({ env, url, db }: Installation, code: string) {
  const provider = await getProvider(db, code)
  const platform = await openPlatform(env, pino({ level: 'silent' }), url, () => env.PORT)
  try {
    const { ok, checks } = await tryProvider(platform, provider)
    for (const { check, ok, said } of checks)
      console.log(`${ok ? 'ok' : 'failed'} ${check}: ${said}`)
    if (!ok) process.exitCode = 1
  } finally {
    await platform.close()
  }
}

async function getProvider(db: Db, code: string) {
  const providers = await listProviders(db)
  const provider = providers.find((one) => one.code === code)
  if (provider) return provider
  const codes = providers.map((one) => one.code).join(', ')
  throw new StartError(
    `There is no external login ${code}. ${codes ? `There are: ${codes}.` : 'There are none yet.'}`,
  )
}

const fieldsOf = (env: Environment, db: Db) => ({
  db,
  secret: openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR)),
})

function readSettings(given: readonly string[]): ProviderSettings {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
      if (!name) throw new StartError(`${text} is not a setting: write name=value.`)
      if (!['renew', 'signOutThere', 'matchUsername'].includes(name)) return [name, value]
      if (!['true', 'false', ''].includes(value))
        throw new StartError(`${name} must be true or false.`)
      return [name, value === 'true']
    }),
  )
}

function readPosition(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,4}$/.test(text)) throw new StartError('--position must be a number from 0 to 9999.')
  return Number(text)
}

function refuse(fields: Record<string, IssueKind>): never {
  const said = Object.entries(fieldTexts(fields, 'en')).map(
    ([field, text]) => `${field.replace('settings.', '--set ')} ${text}`,
  )
  throw new StartError(`${said.join('; ')}. Nothing was changed.`)
}
