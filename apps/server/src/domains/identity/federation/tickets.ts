import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { beginSignIn } from '#domains/identity/identity/sign-in.ts'
import { fail } from '#platform/http/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { serviceOf, validateTicket } from './cas.ts'
import { findOwner, keepLogin, takeFor } from './logins.ts'
import { takeBegun } from './pending-login.ts'
import { findLogin, findOffered } from './queries.ts'
import { recordRefusal } from './refusals.ts'

/**
 * Redeems a ticket of the external central login, received at the return route. It must belong to a login begun in this
 * browser: a ticket in a link sent by somebody else opens no session (ASVS V7.6.2).
 * @throws federation.expired, federation.refused, federation.unavailable, federation.no_account, login.way_off
 */
export async function redeemOutsideTicket(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  { ticket, service }: { ticket: string; service: string },
) {
  const state = URL.canParse(service) ? new URL(service).searchParams.get('state') : null
  const begun = takeBegun(platform, request, reply, state) ?? fail('federation.expired')
  const provider = (await findOffered(platform.db, begun.provider)) ?? fail('login.way_off')
  if (provider.kind !== 'cas') fail('federation.expired')
  // Rebuilt as originally sent: the returned address may be encoded differently.
  const asked = serviceOf(platform, begun, true)
  const shown = await validateTicket(platform, provider, asked, ticket).catch((error) =>
    recordRefusal(platform, request, provider, error),
  )
  const nonce = await keepLogin(platform, provider, shown, { reply })
  const login = (await findLogin(platform.db, hashSecret(nonce))) ?? fail('federation.expired')
  const owner = await findOwner(platform.db, login)
  if (!owner) return { nonce }
  const proof = await takeFor(platform.db, login, provider, owner)
  return beginSignIn(platform, request, reply, proof)
}
