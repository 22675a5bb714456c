import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { beginSignIn } from '#domains/identity/identity/sign-in.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { casServiceUrl, validateTicket } from './cas.ts'
import { consumeLogin, findLoginOwner, storeLogin } from './logins.ts'
import { consumePendingLogin } from './pending-login.ts'
import { findLogin, findOffered } from './queries.ts'
import { recordRefusal } from './refusals.ts'

/**
 * Redeems a ticket of the external central login, received at the return route. It must belong to a login begun in this
 * browser: a ticket in a link sent by somebody else opens no session (ASVS V7.6.2).
 * @throws federation.expired, federation.refused, federation.unavailable, federation.no_account, login.way_off
 */
export async function redeemExternalTicket(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  { ticket, service }: { ticket: string; service: string },
) {
  const state = URL.canParse(service) ? new URL(service).searchParams.get('state') : null
  const pending = consumePendingLogin(platform, request, reply, state) ?? fail('federation.expired')
  const provider = (await findOffered(platform.db, pending.provider)) ?? fail('login.way_off')
  if (provider.kind !== 'cas') fail('federation.expired')
  // Rebuilt as originally sent: the returned address may be encoded differently.
  const expectedService = casServiceUrl(platform, pending, true)
  const identity = await validateTicket(platform, provider, expectedService, ticket).catch(
    (error) => recordRefusal(platform, request, provider, error),
  )
  const nonce = await storeLogin(platform, provider, identity, { reply })
  const login = (await findLogin(platform.db, hashSecret(nonce))) ?? fail('federation.expired')
  const owner = await findLoginOwner(platform.db, login)
  if (!owner) return { nonce }
  const proof = await consumeLogin(platform.db, login, provider, owner)
  return beginSignIn(platform, request, reply, proof)
}
