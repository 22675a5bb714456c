import { randomBytes } from 'node:crypto'
import type { forgotten } from '@atrium/contract/identity/passwordless'
import { findPasswordHome } from '#domains/identity/directory/queries.ts'
import { recordAuthentication } from '#domains/identity/identity/authentication-log.ts'
import { hashNewPassword, storePassword } from '#domains/identity/identity/new-password.ts'
import { sendSecurityNotice } from '#domains/identity/identity/notices.ts'
import { clearFailuresOf, hashSecret } from '#domains/identity/identity/queries.ts'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import type { Db } from '#platform/database/db.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import { fail } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { consumeCode, sendCode } from './codes.ts'
import { createDecoy } from './decoy.ts'
import {
  activateAccounts,
  consumeRedeemedRequest,
  findContacts,
  findPersonByName,
  findRedeemedRequest,
  listUsernames,
  markVerified,
  normalizeMobile,
} from './queries.ts'
import { maskContact } from './rules.ts'

/**
 * Sets a new password with a code sent to a stored contact, whether the old one was forgotten or none was ever set; an
 * account waiting for its first password becomes active. It does not sign in, and the second factor is still required.
 */
export const forgottenHandlers: Handlers<typeof forgotten> = {
  async begin({ db, platform, body }) {
    const person = await findPersonByName(db, body.who)
    const decoy = await createDecoy(platform, body.who)
    const ownContacts = person ? deliverableContacts(platform, person) : []
    // A person without a contact is treated as unknown: an empty list would reveal that the name exists.
    const shownContacts =
      ownContacts.length > 0 ? ownContacts : deliverableContacts(platform, decoy)
    return {
      state: encryptState(
        platform,
        ownContacts.length > 0 ? (person?.id ?? null) : null,
        decoy.key,
      ),
      contacts: shownContacts.map(({ kind, contact }) => ({ kind, masked: maskContact(contact) })),
    }
  },

  async send({ db, platform, body, request, reply }) {
    const state = decryptState(platform, body.state)
    const contact = await contactOf(db, state, body.kind)
    const sent = await sendCode(platform, request, {
      purpose: 'recovery',
      kind: body.kind,
      ...contact,
      key: state.key,
      language: languageOf(request.headers['accept-language']),
      captcha: body.captcha,
    })
    reply.header('retry-after', String(sent.retryAfter))
    return sent
  },

  async check({ db, platform, body }) {
    const state = decryptState(platform, body.state)
    const { contact } = await contactOf(db, state, body.kind)
    const { personId } = await consumeCode(platform, {
      purpose: 'recovery',
      contact,
      key: state.key,
      code: body.code.trim(),
    })
    if (!personId || personId !== state.personId) return fail('code.wrong')
    await markVerified(db, personId, body.kind)
    const [first] = await listUsernames(db, personId)
    const passwordManager = (await findPasswordHome(db, personId)) ?? null
    return { username: first?.username ?? '', elsewhere: passwordManager }
  },

  async finish({ db, platform, body, request }) {
    const keyHash = hashSecret(decryptState(platform, body.state).key)
    const redeemed = await findRedeemedRequest(db, keyHash)
    const personId = redeemed?.personId ?? fail('code.request_used')
    const hash = await hashNewPassword(platform, personId, body.newPassword)
    await db.transaction().execute(async (db) => {
      if (!(await consumeRedeemedRequest(db, keyHash))) fail('code.request_used')
      const person = (await findContacts(db, personId)) ?? fail('code.request_used')
      await storePassword(db, personId, hash)
      await activateAccounts(db, personId)
      await revokePerson(db, personId)
      const accounts = await listUsernames(db, personId)
      await clearFailuresOf(
        db,
        personId,
        accounts.map(({ username }) => username),
      )
      await recordAuthentication(db, request, {
        personId,
        accountId: accounts[0]?.id ?? null,
        way: 'password',
        result: 'reset',
      })
      await sendSecurityNotice(
        { platform, request },
        db,
        {
          username: accounts[0]?.username ?? '',
          mobile: normalizeMobile(person.mobile),
          email: person.email,
        },
        person.hasPassword ? 'passwordReset' : 'passwordFirst',
      )
    })
    return {}
  },
}

/** Contacts of the kinds that can be sent to. */
const deliverableContacts = (
  platform: Platform,
  { mobile, email }: { mobile: string; email: string },
) =>
  [
    { kind: 'mobile' as const, contact: normalizeMobile(mobile) },
    { kind: 'email' as const, contact: email.toLowerCase() },
  ].filter(({ kind, contact }) => contact !== '' && canSend(platform, kind))

type State = { key: string; personId: string | null; decoy: string; until: number }
const stateMinutes = 30

/** Encrypted, and of equal length for unknown people, so that the caller cannot tell the difference. */
const encryptState = (platform: Platform, personId: string | null, decoy: string) =>
  platform.secret.encrypt(
    JSON.stringify([
      'recovery',
      randomBytes(18).toString('base64url'),
      (personId ?? '').padStart(20, '0'),
      decoy,
      Date.now() + stateMinutes * 60_000,
    ]),
  )

/** @throws code.request_used: not ours, or expired */
function decryptState(platform: Platform, sealed: string): State {
  const text = platform.secret.decrypt(sealed)
  const [what, key, person, decoy, until] = readList(text)
  if (what !== 'recovery' || !(Number(until) > Date.now())) return fail('code.request_used')
  const personId = String(person).replace(/^0+/, '') || null
  return { key: String(key), personId, decoy: String(decoy), until: Number(until) }
}

function readList(text = ''): unknown[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** The contact for a code; for an unknown person a placeholder used only by limits. */
async function contactOf(db: Db, state: State, kind: 'mobile' | 'email') {
  // The same query runs for an unknown person.
  const person = await findContacts(db, state.personId ?? '0')
  const contact = person?.[kind] ?? ''
  if (!person || contact === '') return { contact: `nobody:${kind}:${state.decoy}`, personId: null }
  return { contact: kind === 'mobile' ? normalizeMobile(contact) : contact, personId: person.id }
}
