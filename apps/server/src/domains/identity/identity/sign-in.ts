import { randomBytes } from 'node:crypto'
import type { DueStep, Session, SignIn, SignInStep } from '@atrium/contract/identity/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { requireSameOrigin } from '#domains/identity/browsers/same-origin.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings, type Settings } from '#platform/settings/settings.ts'
import { recordAuthentication } from './authentication-log.ts'
import { externalLogins, signInSteps } from './extensions.ts'
import { isPasswordExpired } from './password.ts'
import { findSessionProof, hashSecret, listOwnAccounts, revokeSignIn } from './queries.ts'
import { lockPerson } from './revoke-person.ts'
import { endReplacedSession, openSessions, type SignInDetails } from './sessions.ts'

/** How somebody proved their identity. */
export type AuthMethod =
  | 'password'
  | 'sms'
  | 'passkey'
  | 'scan'
  | 'wechat'
  | 'wecom'
  | 'directory'
  | 'federated'

/** Result of an auth method. */
export type AuthResult = {
  way: AuthMethod
  personId: string
  /** the account, if the method identifies one; otherwise a person with several accounts chooses */
  accountId?: string
  /** counts as two factors by itself: a passkey with user verification */
  strong?: boolean
  /** the session of a member who switches to another of their accounts; it ends when the new one opens */
  replaces?: string
  /** the external login used, which may later end the sessions */
  federatedLoginId?: string
  /** days for which the browser stays signed in to the central login; until it closes if omitted */
  rememberDays?: number | undefined
  /** the browser's previous central session: continued for the same member, ended for anybody else */
  renews?: string | undefined
}

const stateMinutes = 10
/** Failed attempts allowed per pending sign-in, across all steps. */
const maxAttempts = 10

type SignInRow = {
  personId: string
  accountId: string | null
  way: AuthMethod
  strong: boolean
  replaces: string | null
  federatedLoginId: string | null
  rememberDays: number | null
  renews: string | null
}

/**
 * Continues after a successful auth method: opens the sessions and sets their cookies, or returns the step that is due.
 * Every auth method ends here.
 */
export async function beginSignIn(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  proof: AuthResult,
): Promise<SignIn> {
  const open = (entry: SignInDetails) => openSessions(platform, request, reply, entry)
  const opened = await startSignIn(platform, request, proof, open)
  return 'due' in opened ? opened : withoutSessionId(opened)
}

/** Removes the session id, which stays on the server. */
function withoutSessionId({ sessionId: _, ...session }: Session & { sessionId: string }): Session {
  return session
}

/** As `beginSignIn`, with a custom function that opens the session. */
export async function startSignIn<Opened extends { sessionId: string }>(
  platform: Platform,
  request: FastifyRequest,
  proof: AuthResult,
  open: (entry: SignInDetails) => Promise<Opened>,
): Promise<Opened | SignInStep> {
  requireSameOrigin(platform, request)
  const state = randomBytes(32).toString('base64url')
  const row = await withSingleAccount(platform.db, {
    personId: proof.personId,
    accountId: proof.accountId ?? null,
    way: proof.way,
    strong: proof.strong ?? false,
    replaces: proof.replaces ?? null,
    federatedLoginId: proof.federatedLoginId ?? null,
    rememberDays: proof.rememberDays ?? null,
    renews: proof.renews ?? null,
  })
  const due = await requiredStep(platform.db, await currentSettings(platform), row)
  if (!due) return completeSignIn(platform, request, row, open)
  await platform.db
    .insertInto('sign_in')
    .values({
      key_hash: hashSecret(state),
      person_id: row.personId,
      account_id: row.accountId,
      way: row.way,
      strong: row.strong,
      replaces_session_id: row.replaces,
      federated_login_id: row.federatedLoginId,
      remember_days: row.rememberDays,
      renews_session_id: row.renews,
      device: JSON.stringify(deviceOf(request)),
      address: request.ip,
      expires_at: sql<string>`now() + make_interval(mins => ${stateMinutes})`,
    })
    .execute()
  return describeStep(platform, state, row, due)
}

/**
 * Continues a pending sign-in. `performStep` performs the due step in one transaction with person and row locked: it
 * returns changes to the row, or throws, which counts as a failed attempt.
 * @throws login.state_expired
 */
export async function continueSignIn(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  state: string,
  performStep: (db: Db, row: Readonly<SignInRow>, due: DueStep) => Promise<Partial<SignInRow>>,
): Promise<SignIn> {
  requireSameOrigin(platform, request)
  const key = hashSecret(state)
  const settings = await currentSettings(platform)
  const attempt = await platform.db
    .updateTable('sign_in')
    .set({ tries: sql<number>`tries + 1` })
    .where('key_hash', '=', key)
    .where('expires_at', '>', sql<string>`now()`)
    .where('tries', '<', maxAttempts)
    .returning('person_id')
    .executeTakeFirst()
  if (!attempt) return fail('login.state_expired')
  const { row, due } = await platform.db.transaction().execute(async (db) => {
    // A revocation that came first has deleted the row; one that comes later waits.
    await lockPerson(db, attempt.person_id)
    const found = await db
      .selectFrom('sign_in')
      .select([
        'person_id as personId',
        'account_id as accountId',
        'way',
        'strong',
        'replaces_session_id as replaces',
        'federated_login_id as federatedLoginId',
        'remember_days as rememberDays',
        'renews_session_id as renews',
      ])
      .where('key_hash', '=', key)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return fail('login.state_expired')
    const current = found as SignInRow
    const dueNow = await requiredStep(db, settings, current)
    const changed = dueNow ? { ...current, ...(await performStep(db, current, dueNow)) } : current
    const next = await requiredStep(db, settings, changed)
    if (!next) await db.deleteFrom('sign_in').where('key_hash', '=', key).execute()
    else
      await db
        .updateTable('sign_in')
        .set({
          account_id: changed.accountId,
          strong: changed.strong,
          // Attempts are reset only on progress: otherwise calls that change nothing would buy more guesses.
          ...(next !== dueNow && { tries: 0 }),
        })
        .where('key_hash', '=', key)
        .execute()
    return { row: changed, due: next }
  })
  if (due) return describeStep(platform, state, row, due)
  return withoutSessionId(
    await completeSignIn(platform, request, row, (entry) =>
      openSessions(platform, request, reply, entry),
    ),
  )
}

/** The person of a pending sign-in. @throws login.state_expired */
export async function getSignInPerson(db: Db, state: string): Promise<string> {
  const row = await db
    .selectFrom('sign_in')
    .select('person_id as personId')
    .where('key_hash', '=', hashSecret(state))
    .where('expires_at', '>', sql<string>`now()`)
    .where('tries', '<', maxAttempts)
    .executeTakeFirst()
  return row?.personId ?? fail('login.state_expired')
}

async function completeSignIn<Opened extends { sessionId: string }>(
  platform: Platform,
  request: FastifyRequest,
  row: SignInRow,
  open: (entry: SignInDetails) => Promise<Opened>,
): Promise<Opened> {
  const accountId = row.accountId ?? fail('login.refused')
  const { way, strong, replaces } = row
  const replaced = replaces === null ? undefined : await findSessionProof(platform.db, replaces)
  // The session being switched from has ended concurrently; its proof is no longer valid.
  if (replaces !== null && !replaced) fail('login.state_expired')
  const federatedLoginId = row.federatedLoginId ?? replaced?.federatedLoginId ?? undefined
  // Switching accounts is not a new proof of identity.
  const opened = await open({
    accountId,
    way,
    strong,
    confirmedAt: replaced?.confirmedAt,
    federatedLoginId,
    rememberDays: row.rememberDays ?? undefined,
    renews: row.renews ?? undefined,
  })
  if (federatedLoginId)
    for (const { completed } of externalLogins.all())
      await completed(platform.db, request, {
        loginId: federatedLoginId,
        personId: row.personId,
      })
  if (replaces !== null)
    for (const id of await revokeSignIn(platform.db, replaces, 'switch'))
      platform.guard.forgetSession(id)
  await endReplacedSession(platform, request, opened.sessionId)
  signIns.inc({ way: row.way, result: 'ok' })
  await recordAuthentication(platform.db, request, {
    personId: row.personId,
    accountId,
    way: row.way,
    result: 'ok',
  })
  return opened
}

/** Fills in the account if the person has only one. @throws login.refused, login.not_activated */
async function withSingleAccount(db: Db, row: SignInRow): Promise<SignInRow> {
  if (row.accountId) return row
  const accounts = await listOwnAccounts(db, row.personId)
  if (accounts.length === 0) fail('login.refused')
  return accounts.length === 1 ? { ...row, accountId: accounts[0]?.accountId ?? null } : row
}

/** The next step due before a session opens, if any. */
async function requiredStep(
  db: Db,
  settings: Settings,
  row: SignInRow,
): Promise<DueStep | undefined> {
  if (!row.accountId) return 'account'
  const person = await db
    .selectFrom('person')
    .innerJoin('account', 'account.person_id', 'person.id')
    .select([
      'person.password_must_change as mustChange',
      'person.password_changed_at as changedAt',
      'person.agreement_version as agreementVersion',
      'account.identity_type_code as identityTypeCode',
    ])
    .where('account.id', '=', row.accountId)
    .where('person.id', '=', row.personId)
    .where('account.status', '=', 'active')
    .executeTakeFirst()
  if (!person) return fail('login.refused')
  const subject = {
    personId: row.personId,
    identityTypeCode: person.identityTypeCode,
    strong: row.strong,
  }
  for (const provider of signInSteps.all()) {
    const dueStep = await provider.due(db, settings, subject)
    if (dueStep) return dueStep
  }
  // Not on switching accounts, which proves no identity: whoever holds the phone could set a password of their own.
  if (
    row.way === 'password' &&
    row.replaces === null &&
    (person.mustChange || isPasswordExpired(person.changedAt, Number(settings.passwordMaxDays)))
  )
    return 'passwordChange'
  if (settings.agreementVersion && person.agreementVersion !== settings.agreementVersion)
    return 'agreement'
  return undefined
}

async function describeStep(
  platform: Platform,
  state: string,
  row: SignInRow,
  due: DueStep,
): Promise<SignInStep> {
  const described = await Promise.all(
    signInSteps.all().map(({ describe }) => describe(platform.db, row.personId, due)),
  )
  return {
    state,
    due,
    accounts: due === 'account' ? await listOwnAccounts(platform.db, row.personId) : [],
    factors: [],
    agreementVersion: due === 'agreement' ? (await currentSettings(platform)).agreementVersion : '',
    ...Object.assign({}, ...described),
  }
}
