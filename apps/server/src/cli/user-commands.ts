import { type Permission, permissions } from '@atrium/contract/define'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { findPasswordHome } from '#domains/identity/directory/queries.ts'
import { getPasswordOwner, passwordIssue } from '#domains/identity/identity/new-password.ts'
import { sendSecurityNoticeIn } from '#domains/identity/identity/notices.ts'
import { openHashing } from '#domains/identity/identity/password.ts'
import { findAccountByUsername, getNoticeRecipient } from '#domains/identity/identity/queries.ts'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import { memberFields } from '#domains/identity/members/member-fields.ts'
import {
  deleteGrants,
  deleteRoleGrants,
  findOrganization,
  findRole,
  insertGrant,
} from '#domains/identity/operators/queries.ts'
import { resetFactors } from '#domains/identity/second-factor/reset.ts'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import { StartError } from '#platform/environment.ts'
import { fieldTexts } from '#platform/http/errors.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { withInstallation } from './installation.ts'
import { promptHidden, readStdin } from './prompt.ts'

type NewUser = {
  name: string
  nameEn?: string
  identity: string
  organization: string
  mobile?: string
  email?: string
}

const permissionHelp = `Permissions:
  content   what members read and see on the start screen
  services  the service hub
  messages  messages and tasks
  send      sending messages to members
  identity  members, organisations, groups, operators
  system    configuration and tabs`

export function addUserCommands(program: Command) {
  const group = program
    .command('user')
    .description('create accounts, set passwords, end sessions, grant permissions')
  group
    .command('create <username>')
    .description('create an account')
    .requiredOption('--name <name>', 'the name of the person')
    .requiredOption('--identity <code>', 'identity type')
    .requiredOption('--organization <code>', 'organisation')
    .option('--name-en <name>', 'the name in Latin letters')
    .option('--mobile <number>', 'mobile number')
    .option('--email <address>', 'email address')
    .addHelpText(
      'after',
      `
Identity types and organisations come from npx atrium import identities and npx atrium import organisations.

Example:
  npx atrium user create 20260001 --name 李雷 --identity T01 --organization CS
  npx atrium user password 20260001`,
    )
    .action(createUser)
  group
    .command('password <username>')
    .description('set a password; every session of the person ends')
    .option('--stdin', 'read it from standard input instead of prompting')
    .option(
      '--keep',
      'the person may keep it; without this option they must change it at the next sign-in',
    )
    .addHelpText(
      'after',
      `
Examples:
  npx atrium user password 20260001
  npx atrium user password 20260001 --stdin < password.txt`,
    )
    .action(setPassword)
  group
    .command('revoke <username>')
    .description('end every session of the person immediately, on every device and node')
    .addHelpText('after', '\nExample:\n  npx atrium user revoke 20260001')
    .action(revoke)
  group
    .command('reset-factors <username>')
    .description('remove every second factor of somebody who lost them; the person is notified')
    .addHelpText('after', '\nExample:\n  npx atrium user reset-factors 20260001')
    .action(resetSecondFactors)
  group
    .command('contact <username>')
    .description(
      'replace the contacts of somebody who cannot use them any more; the old ones are notified',
    )
    .option('--mobile <number>', 'mobile number; empty: none')
    .option('--email <address>', 'email address; empty: none')
    .addHelpText(
      'after',
      `
Verify the identity of the person first: with the codes sent to a contact, the password can be reset.

Example:
  npx atrium user contact 20260001 --mobile 13800000000`,
    )
    .action(setContacts)
  group
    .command('grant <username> <permission...>')
    .description('grant permissions or roles, by their codes')
    .option('--organization <code>', 'only for this organisation and all below it')
    .addHelpText(
      'after',
      `
${permissionHelp}

Examples:
  npx atrium user grant 20260001 content
  npx atrium user grant 20260001 directory --organization CS
  npx atrium user grant 20260001 ${permissions.join(' ')}`,
    )
    .action(grant)
  group
    .command('revoke-grant <username> [permission...]')
    .description('revoke permissions; without a name, all permissions and roles')
    .addHelpText(
      'after',
      `
${permissionHelp}

Examples:
  npx atrium user revoke-grant 20260001 content
  npx atrium user revoke-grant 20260001`,
    )
    .action(revokeGrant)
}

function createUser(given: string, options: NewUser) {
  const username = read('The username', memberFields.username.read, given)
  const person = {
    name: read('--name', memberFields.name.read, options.name),
    name_en: read('--name-en', memberFields.nameEn.read, options.nameEn ?? ''),
    mobile: read('--mobile', memberFields.mobile.read, options.mobile ?? ''),
    email: read('--email', memberFields.email.read, options.email ?? ''),
  }
  return withInstallation('current', async ({ db }) => {
    await db.transaction().execute(async (db) => {
      const organization = await db
        .selectFrom('organization')
        .select('id')
        .where('code', '=', options.organization)
        .executeTakeFirst()
      if (!organization)
        throw new StartError(
          `There is no organisation ${options.organization}. ${await knownCodes(db, 'organization', 'npx atrium import organisations')}`,
        )
      const identity = await db
        .selectFrom('identity_type')
        .select('code')
        .where('code', '=', options.identity)
        .executeTakeFirst()
      if (!identity)
        throw new StartError(
          `There is no identity type ${options.identity}. ${await knownCodes(db, 'identity_type', 'npx atrium import identities')}`,
        )
      if (await findAccountByUsername(db, username))
        throw new StartError(`The account ${username} already exists.`)
      const { id } = await db
        .insertInto('person')
        .values(person)
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('account')
        .values({
          person_id: id,
          username,
          identity_type_code: identity.code,
          organization_id: organization.id,
          status: 'active',
        })
        .execute()
      await invalidate(db, 'directory')
    })
    console.log(
      `The account ${username} was created. Nobody can sign in with it until it has a password: npx atrium user password ${username}`,
    )
  })
}

function read<T>(what: string, reader: (cell: string) => T, text: string): T {
  const cell = text.trim().normalize('NFC')
  try {
    if (cell === '' && (what === '--name' || what === 'The username'))
      throw new RowIssue('is empty')
    return reader(cell)
  } catch (error) {
    if (error instanceof RowIssue) throw new StartError(`${what} ${error.message}.`)
    throw error
  }
}

async function knownCodes(db: Db, table: 'organization' | 'identity_type', command: string) {
  const rows = await db
    .selectFrom(table)
    .select('code')
    .orderBy('position')
    .orderBy('code')
    .limit(20)
    .execute()
  return rows.length === 0
    ? `There are none yet; import them with ${command}.`
    : `There are: ${rows.map((row) => row.code).join(', ')}${rows.length === 20 ? ' …' : ''}`
}

function setPassword(username: string, options: { stdin?: boolean; keep?: boolean }) {
  return withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const elsewhere = await findPasswordHome(db, account.personId)
    if (elsewhere)
      throw new StartError(
        `The password of ${account.username} is stored in the directory ${elsewhere.name}. Set it there${elsewhere.address && `: ${elsewhere.address}`}.`,
      )
    const password = options.stdin ? await readStdin() : await askTwice()
    const issue = passwordIssue(password, await getPasswordOwner(db, account.personId))
    if (issue) throw new StartError(fieldTexts({ password: issue }, 'en').password)
    const password_hash = await openHashing(1).hash(password)
    const ended = await db.transaction().execute(async (db) => {
      await db
        .updateTable('person')
        .set({
          password_hash,
          password_changed_at: sql`now()`,
          // The operator knows this password, so the person must choose another one.
          password_must_change: !options.keep,
        })
        .where('id', '=', account.personId)
        .execute()
      // The operator vouches for the person, so activation is no longer needed.
      await db
        .updateTable('account')
        .set({ status: 'active' })
        .where('id', '=', account.id)
        .where('status', '=', 'inactive')
        .execute()
      return revokePerson(db, account.personId)
    })
    console.log(`${account.username} has a new password; ${sessions(ended)} ended.`)
    if (!options.keep) console.log('It has to be changed at the next sign-in.')
    if (account.status === 'inactive') console.log('The account is active now.')
    if (account.status === 'disabled')
      console.log('The account is still disabled: nobody can sign in with it.')
  })
}

async function askTwice() {
  if (!process.stdin.isTTY)
    throw new StartError(
      'There is no terminal to prompt on. Give the password on standard input with --stdin.',
    )
  const first = await promptHidden('New password: ')
  if ((await promptHidden('Repeat it: ')) !== first)
    throw new StartError('The two passwords differ. Nothing was changed.')
  return first
}

const revoke = (username: string) =>
  withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const ended = await db
      .transaction()
      .execute((db) => revokePerson(db, account.personId, { reason: 'operator' }))
    console.log(`${account.username}: ${sessions(ended)} ended.`)
  })

const resetSecondFactors = (username: string) =>
  withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const removed = await resetFactors(db, account.personId)
    console.log(
      removed.length === 0
        ? `${account.username} had no second factor.`
        : `${account.username} signs in without a second factor now. Removed: ${removed.join(', ')}.`,
    )
  })

function setContacts(username: string, options: { mobile?: string; email?: string }) {
  const given = {
    ...(options.mobile !== undefined && {
      mobile: read('--mobile', memberFields.mobile.read, options.mobile),
    }),
    ...(options.email !== undefined && {
      email: read('--email', memberFields.email.read, options.email),
    }),
  }
  if (Object.keys(given).length === 0) throw new StartError('Give --mobile, --email, or both.')
  return withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const { schoolName } = await readSettings(db)
    await db.transaction().execute(async (db) => {
      const before = await getNoticeRecipient(db, account.id)
      await db
        .updateTable('person')
        .set({
          ...given,
          ...('mobile' in given && { mobile_verified_at: null }),
          ...('email' in given && { email_verified_at: null }),
        })
        .where('id', '=', account.personId)
        .execute()
      for (const kind of ['mobile', 'email'] as const)
        if (given[kind] !== undefined && given[kind] !== before[kind])
          await sendSecurityNoticeIn(
            'zh',
            schoolName,
            db,
            before,
            given[kind] ? kind : `${kind}Removed`,
          )
    })
    console.log(`${account.username} has a new ${Object.keys(given).join(' and ')} now.`)
  })
}

function grant(username: string, names: string[], options: { organization?: string }) {
  return withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const added = await db.transaction().execute(async (db) => {
      const place = options.organization ? await findOrganization(db, options.organization) : null
      if (place === undefined)
        throw new StartError(
          `There is no organisation ${options.organization}. ${await knownCodes(db, 'organization', 'npx atrium import organisations')}`,
        )
      const added: string[] = []
      for (const name of new Set(names)) {
        const permission = permissions.find((known) => known === name)
        const role = permission ? undefined : await findRole(db, { code: name })
        const granted = role?.permissions ?? [readPermission(name)]
        if (place && granted.includes('system'))
          throw new StartError(
            `${name} includes the permission system, which cannot be limited to an organisation. Grant it without --organization.`,
          )
        const what = role ? { roleId: role.id } : { permission: readPermission(name) }
        const organizationId = place?.id ?? null
        if (await insertGrant(db, { accountId: account.id, what, organizationId })) added.push(name)
      }
      return added
    })
    const where = options.organization ? ` in ${options.organization}` : ''
    console.log(
      added.length === 0
        ? `${account.username} already had these permissions.`
        : `${account.username} now has: ${added.join(', ')}${where}.`,
    )
    if (account.status !== 'active')
      console.log(`The account is ${account.status}: nobody can sign in with it.`)
  })
}

function revokeGrant(username: string, names: string[]) {
  const taken = names.length === 0 ? permissions : names.map(readPermission)
  return withInstallation('current', async ({ db }) => {
    const account = await getAccount(db, username)
    const gone: string[] = await db.transaction().execute(async (db) => {
      const roles = names.length === 0 ? await deleteRoleGrants(db, account.id) : []
      return [...(await deleteGrants(db, account.id, taken)), ...roles]
    })
    console.log(
      gone.length === 0
        ? `${account.username} had none of these permissions.`
        : `${account.username} no longer has: ${gone.join(', ')}.`,
    )
  })
}

function readPermission(name: string): Permission {
  const found = permissions.find((permission) => permission === name)
  if (!found)
    throw new StartError(`There is no permission ${name}. There are: ${permissions.join(', ')}.`)
  return found
}

const sessions = (number: number) => (number === 1 ? '1 session' : `${number} sessions`)

async function getAccount(db: Db, username: string) {
  const account = await findAccountByUsername(db, username)
  if (!account) throw new StartError(`There is no account ${username}.`)
  return account
}
