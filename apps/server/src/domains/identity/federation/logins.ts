import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  activateAccount,
  findAccountByUsername,
  hashSecret,
  listOwnAccounts,
} from '#domains/identity/identity/queries.ts'
import type { AuthMethod, AuthResult } from '#domains/identity/identity/sign-in.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import type { ExternalIdentity } from './external-identity.ts'
import { isSameBrowser, setBrowserCookie } from './pending-login.ts'
import {
  findIdentityOwner,
  findLogin,
  findProvider,
  insertLogin,
  type Login,
  markLoginUsed,
  type Provider,
} from './queries.ts'
import { type Kind, normalizeDisplay, normalizeUsername, realmOf } from './rules.ts'

/** The auth method recorded in the sign-in log. */
export const authMethodOf = (kind: Kind): AuthMethod =>
  kind === 'wechat-mini' || kind === 'wechat-mp'
    ? 'wechat'
    : kind === 'wecom'
      ? 'wecom'
      : 'federated'

/**
 * Stores the identity confirmed by a provider, for one sign-in in this browser.
 * @returns the nonce that names it
 * @param to `reply` sets the browser's cookie; with `nonce`, the nonce alone identifies the login and must not have
 * been used before
 */
export async function storeLogin(
  platform: Platform,
  provider: Provider,
  identity: ExternalIdentity,
  to: { reply: FastifyReply } | { nonce: string },
): Promise<string> {
  const nonce = 'nonce' in to ? to.nonce : randomBytes(32).toString('base64url')
  const isNew = await insertLogin(platform.db, {
    nonceHash: hashSecret(nonce),
    providerId: provider.id,
    realm: realmOf(provider.kind, provider.settings),
    subject: identity.subject,
    display: normalizeDisplay(identity.display),
    username: normalizeUsername(identity.username),
    browserHash: 'reply' in to ? setBrowserCookie(platform, to.reply) : '',
    sessionHash: identity.session ? hashSecret(identity.session) : null,
  })
  return isNew ? nonce : fail('federation.expired')
}

/** An unused login of this browser, with its provider. @throws federation.expired, login.way_off */
export async function getLogin(platform: Platform, request: FastifyRequest, nonce: string) {
  const login = await findLogin(platform.db, hashSecret(nonce))
  if (!login || !isSameBrowser(platform, request, login.browserHash))
    return fail('federation.expired')
  const provider = await findProvider(platform.db, login.providerId)
  if (!provider?.enabled) return fail('login.way_off')
  return { login, provider }
}

export type Owner = { personId: string; accountId?: string }

/**
 * The person who signs in: the one who bound the identity, else the owner of the matching account if operators trust
 * the provider. Undefined if there is neither.
 */
export async function findLoginOwner(db: Db, login: Login): Promise<Owner | undefined> {
  const personId = await findIdentityOwner(db, login)
  if (personId) return { personId }
  const account = login.username ? await findAccountByUsername(db, login.username) : undefined
  return account && { personId: account.personId, accountId: account.id }
}

/**
 * Consumes the login for its owner.
 * @returns the proof
 * @throws federation.expired: consumed concurrently; federation.no_account; login.account_not_found
 */
export async function consumeLogin(
  db: Db,
  login: Login,
  { kind }: Provider,
  owner: Owner,
  requestedAccountId = '',
): Promise<AuthResult> {
  // A trusted provider vouches for the account, as a directory does: no activation is needed.
  if (owner.accountId) await activateAccount(db, owner.accountId)
  const accounts = await listOwnAccounts(db, owner.personId)
  const chosenId = owner.accountId ?? (requestedAccountId || undefined)
  if (accounts.length === 0) fail('federation.no_account')
  if (chosenId && !accounts.some(({ accountId }) => accountId === chosenId))
    fail(owner.accountId ? 'federation.no_account' : 'login.account_not_found')
  if (!(await markLoginUsed(db, login.id, { binds: false }))) fail('federation.expired')
  return {
    way: authMethodOf(kind),
    personId: owner.personId,
    ...(chosenId && { accountId: chosenId }),
    federatedLoginId: login.id,
  }
}
