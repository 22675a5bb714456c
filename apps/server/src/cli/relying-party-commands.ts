import { readFile } from 'node:fs/promises'
import {
  type Integration,
  integrations,
  type Releasable,
  type RelyingPartyContent,
  releasable,
  releasables,
} from '@atrium/contract/sso/registry'
import type { Command } from 'commander'
import {
  getPartyRow,
  removeParty,
  replaceSecret,
  writeParty,
} from '#domains/sso/registry/change.ts'
import { allowsLoopback } from '#domains/sso/registry/parties.ts'
import { listPartyRows, toManaged } from '#domains/sso/registry/queries.ts'
import { emptyParty } from '#domains/sso/registry/rules.ts'
import type { Db } from '#platform/database/db.ts'
import { StartError } from '#platform/environment.ts'
import { fileIssue } from '#platform/ingest/text-file.ts'
import { withInstallation } from './installation.ts'
import { withTerminalErrors } from './terminal-errors.ts'

type Options = {
  name?: string
  nameEn?: string
  service?: string
  address?: string[]
  redirectUri?: string[]
  postLogoutRedirectUri?: string[]
  logout?: string
  backchannelLogout?: string
  attribute?: string[]
  purpose?: string
  purposeEn?: string
  consent?: boolean
  audience?: string
  public?: boolean
  idTokenAlg?: string
  jwks?: string
  jwksUrl?: string
  pairwise?: boolean
  offlineAccess?: boolean
  integration?: string[]
  attributeName?: string[]
  disable?: boolean
  enable?: boolean
}

export function addRelyingPartyCommands(program: Command) {
  const group = program
    .command('relying-party')
    .description('systems that members sign in to with Atrium: CAS, OpenID Connect, tokens')
  group
    .command('list')
    .description('list all')
    .addHelpText('after', '\nExample:\n  npx atrium relying-party list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const row of await listPartyRows(db))
          console.log(
            `${row.code}${row.enabled ? '' : ' (off)'}  ${row.name || (row.service_name ?? '')}\n    ${
              [row.addresses.join(' ') || row.service_url, row.redirect_uris.join(' ')]
                .filter(Boolean)
                .join('\n    ') || 'no address'
            }\n    receives: ${['username', ...row.attributes].join(', ')}${row.consent_needed ? ', after the member agrees' : ''}`,
          )
      }),
    )
  group
    .command('show <code>')
    .description('show one as JSON')
    .addHelpText('after', '\nExample:\n  npx atrium relying-party show library')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () =>
          console.log(JSON.stringify(toManaged(await getPartyRow(db, code)), null, 2)),
        ),
      ),
    )
  group
    .command('set <code>')
    .description('create one, or change what is given; the rest stays unchanged')
    .option('--name <name>', 'its name; default: the name of its service')
    .option('--name-en <name>', 'its English name')
    .option('--service <number>', 'its service in the catalogue; "" for none')
    .option('--address <address...>', 'its addresses: https origin and path')
    .option('--redirect-uri <address...>', 'OpenID Connect: allowed redirect URIs')
    .option(
      '--post-logout-redirect-uri <address...>',
      'OpenID Connect: allowed redirect URIs after a logout',
    )
    .option('--logout <address>', 'CAS: notified that a session has ended; "" for none')
    .option(
      '--backchannel-logout <address>',
      'OpenID Connect: notified that a session has ended; "" for none',
    )
    .option('--attribute <name...>', 'attributes it receives; "" for the username only')
    .option('--purpose <text>', 'why it needs them, shown to members')
    .option('--purpose-en <text>', 'purpose in English')
    .option('--consent', 'ask members before sending attributes')
    .option('--no-consent', 'do not ask members')
    .option('--audience <name>', 'the audience of its tokens; "" for its code')
    .option('--public', 'OpenID Connect: a public client, which cannot keep a secret')
    .option('--no-public', 'OpenID Connect: a confidential client')
    .option(
      '--id-token-alg <name>',
      'OpenID Connect: ES256, or RS256 for a client that supports nothing else',
    )
    .option('--jwks <file>', 'OpenID Connect: its public keys, instead of a secret; "" for none')
    .option('--jwks-url <address>', 'OpenID Connect: the address of its public keys; "" for none')
    .option('--pairwise', 'OpenID Connect: members have a separate sub for it, not their username')
    .option('--no-pairwise', 'OpenID Connect: members have the same sub as for other systems')
    .option(
      '--offline-access',
      'OpenID Connect: members may allow access after their session has ended',
    )
    .option('--no-offline-access', 'OpenID Connect: access ends with the session')
    .option('--integration <name...>', 'parts of the API it calls on its own; "" for none')
    .option(
      '--attribute-name <pair...>',
      'CAS: our name=its name of an attribute; "" for our names',
    )
    .option('--enable', 'members can sign in to it')
    .option('--disable', 'members cannot sign in to it')
    .addHelpText(
      'after',
      `
Attributes:
${releasables.map((name) => `  ${name.padEnd(14)} ${releasable[name].en.title}: ${releasable[name].values.join(', ')}`).join('\n')}

Examples:
  npx atrium relying-party set library --name 图书馆 --address https://lib.example.edu/ --attribute name identityType
  npx atrium relying-party set library --logout https://lib.example.edu/cas/logout
  npx atrium relying-party set library --disable`,
    )
    .action(set)
  group
    .command('secret <code>')
    .description('create a new client secret for OpenID Connect; it is shown only once')
    .addHelpText('after', '\nExample:\n  npx atrium relying-party secret library')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () =>
          console.log(await db.transaction().execute((db) => replaceSecret(db, code))),
        ),
      ),
    )
  group
    .command('remove <code>')
    .description('remove one that never received data of members; disable the others instead')
    .addHelpText('after', '\nExample:\n  npx atrium relying-party remove library')
    .action((code: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeParty(db, code))
          console.log(`${code} was removed.`)
        }),
      ),
    )
}

function set(code: string, options: Options) {
  if (!/^[a-z0-9][a-z0-9._-]{1,59}$/.test(code))
    throw new StartError(
      'The code must be 2 to 60 lower-case letters, digits, dots, dashes and underscores.',
    )
  return withInstallation('current', ({ db, env }) =>
    withTerminalErrors(async () => {
      const made = await db.transaction().execute(async (db) => {
        const row = (await listPartyRows(db)).find((known) => known.code === code)
        if (!row && !isWhole(options))
          throw new StartError(
            `${code} is not in the registry. A new one needs --service, or --name with --address, --redirect-uri or --integration.`,
          )
        const content = await changed(db, row ? toManaged(row) : emptyParty, options)
        const loopback = allowsLoopback({ env })
        await writeParty(db, row ? 'update' : 'create', { code, content, loopback })
        return !row
      })
      console.log(`${code} was ${made ? 'created' : 'changed'}.`)
    }),
  )
}

/** Whether the options suffice for a new one; a service of the catalogue already has a name and an address. */
const isWhole = ({ name, service, address, redirectUri, integration }: Options) =>
  Boolean(service || (name && (address || redirectUri || integration)))

async function changed(db: Db, before: RelyingPartyContent, options: Options) {
  const list = (given: string[] | undefined, kept: string[]) => given?.filter(Boolean) ?? kept
  return {
    ...before,
    name: options.name ?? before.name,
    nameEn: options.nameEn ?? before.nameEn,
    serviceId:
      options.service === undefined
        ? (before.serviceId ?? null)
        : await serviceId(db, options.service),
    enabled: options.disable ? false : options.enable ? true : before.enabled,
    addresses: list(options.address, before.addresses),
    redirectUris: list(options.redirectUri, before.redirectUris),
    postLogoutRedirectUris: list(options.postLogoutRedirectUri, before.postLogoutRedirectUris),
    logoutUrl: options.logout ?? before.logoutUrl,
    backchannelLogoutUrl: options.backchannelLogout ?? before.backchannelLogoutUrl,
    attributes: options.attribute
      ? options.attribute.filter(Boolean).map(readAttribute)
      : before.attributes,
    purpose: options.purpose ?? before.purpose,
    purposeEn: options.purposeEn ?? before.purposeEn,
    consentNeeded: options.consent ?? before.consentNeeded,
    audience: options.audience ?? before.audience,
    publicClient: options.public ?? before.publicClient,
    idTokenAlg: options.idTokenAlg ? readAlg(options.idTokenAlg) : before.idTokenAlg,
    jwks: options.jwks ? await readKeys(options.jwks) : (options.jwks ?? before.jwks),
    jwksUrl: options.jwksUrl ?? before.jwksUrl,
    pairwise: options.pairwise ?? before.pairwise,
    offlineAccess: options.offlineAccess ?? before.offlineAccess,
    integrations: options.integration
      ? options.integration.filter(Boolean).map(readIntegration)
      : before.integrations,
    attributeNames: options.attributeName
      ? Object.fromEntries(options.attributeName.filter(Boolean).map(readPair))
      : before.attributeNames,
  }
}

function readAttribute(name: string): Releasable {
  const found = releasables.find((known) => known === name)
  if (!found)
    throw new StartError(`There is no attribute ${name}. There are: ${releasables.join(', ')}.`)
  return found
}

function readAlg(name: string) {
  if (name !== 'ES256' && name !== 'RS256')
    throw new StartError('--id-token-alg must be ES256 or RS256.')
  return name
}

const readKeys = (file: string) =>
  readFile(file, 'utf8').catch((error) => {
    throw new StartError(fileIssue(file, error))
  })

function readIntegration(name: string): Integration {
  const found = integrations.find((known) => known === name)
  if (!found)
    throw new StartError(
      `There is no part ${name} of the API. There are: ${integrations.join(', ')}.`,
    )
  return found
}

function readPair(pair: string): [string, string] {
  const [, ours, theirs] = /^([^=]+)=(.+)$/.exec(pair) ?? []
  if (!ours || !theirs)
    throw new StartError(`${pair} must be written as our name=its name, such as name=cn.`)
  return [ours, theirs]
}

async function serviceId(db: Db, number: string): Promise<string | null> {
  if (number === '') return null
  const found = await db
    .selectFrom('service')
    .select('id')
    .where('service_no', '=', number)
    .executeTakeFirst()
  if (!found) throw new StartError(`There is no service ${number} in the catalogue.`)
  return found.id
}
