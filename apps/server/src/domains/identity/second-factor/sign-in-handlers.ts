import { randomBytes } from 'node:crypto'
import type { factorSignIn } from '@atrium/contract/identity/second-factor'
import type { FastifyRequest } from 'fastify'
import { recordAuthentication } from '#domains/identity/identity/authentication-log.ts'
import { findDeviceThrottleKey } from '#domains/identity/identity/known-devices.ts'
import { lockPerson } from '#domains/identity/identity/revoke-person.ts'
import { type AuthMethod, beginSignIn, continueSignIn } from '#domains/identity/identity/sign-in.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { signIns } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { addPasskey, addTotp } from './change.ts'
import { institutionName } from './institution.ts'
import { type Notice, notifyFactorChange } from './notice.ts'
import {
  anyPasskeyOptions,
  newPasskeyOptions,
  ownPasskeyOptions,
  verifyPasskey,
} from './passkeys.ts'
import { clearAttempts, findPasskey, findSignIn, listFactors } from './queries.ts'
import { beginTotp } from './totp.ts'
import { countFactorAttempt, verifyFactor } from './verify-factor.ts'

export const factorSignInHandlers: Handlers<typeof factorSignIn> = {
  async mfa({ db, platform, body, request, reply }) {
    const { state, ...submitted } = body
    const { personId, accountId, way } = await getSignIn(db, state)
    const counterKey =
      (await findDeviceThrottleKey(platform, request, { id: personId })) ?? personId
    await countFactorAttempt(db, counterKey, submitted)
    try {
      const next = await continueSignIn(platform, request, reply, state, async (db, row, due) => {
        if (due !== 'secondFactor') fail('login.state_expired')
        const factor = await verifyFactor(db, platform, row.personId, submitted, state)
        if (factor === 'recovery')
          await notifyFactorChange(
            db,
            row.personId,
            'code-used',
            languageOf(request.headers['accept-language']),
          )
        return { strong: true }
      })
      await clearAttempts(db, counterKey)
      return next
    } catch (error) {
      if (error instanceof Refusal && error.code.startsWith('factor.'))
        await recordRefusal(db, request, error, { personId, accountId, way: way as AuthMethod })
      throw error
    }
  },

  async mfaOptions({ db, platform, body: { state } }) {
    const { personId } = await getSignIn(db, state)
    return ownPasskeyOptions(db, platform, personId, state)
  },

  async beginTotp({ db, platform, body: { state }, request }) {
    const { personId, username } = await getEnrollingPerson(db, state)
    return beginTotp(platform, personId, await institutionName(platform, request), username)
  },

  async addTotp({ platform, body: { state, ...submitted }, request, reply }) {
    let recoveryCodes: string[] = []
    const next = await continueSignIn(platform, request, reply, state, (db, row, due) =>
      enrolFactor(db, row.personId, due, request, 'totp-added', async () => {
        recoveryCodes = await addTotp(db, platform, row.personId, submitted)
      }),
    )
    return { recoveryCodes, next }
  },

  async beginPasskey({ db, platform, body: { state }, request }) {
    const person = await getEnrollingPerson(db, state)
    return newPasskeyOptions(db, platform, person, await institutionName(platform, request), state)
  },

  async addPasskey({ platform, body: { state, ...submitted }, request, reply }) {
    let recoveryCodes: string[] = []
    const next = await continueSignIn(platform, request, reply, state, (db, row, due) =>
      enrolFactor(db, row.personId, due, request, 'passkey-added', async () => {
        const added = await addPasskey(db, platform, row.personId, { ...submitted, key: state })
        recoveryCodes = added.recoveryCodes
      }),
    )
    return { recoveryCodes, next }
  },

  async passkeyOptions({ db, platform }) {
    await requirePasskeyLogin(platform)
    const key = randomBytes(32).toString('base64url')
    return { key, options: await anyPasskeyOptions(db, platform, key) }
  },

  async passkeyLogin({ db, platform, body: { key, assertion }, request, reply }) {
    await requirePasskeyLogin(platform)
    try {
      const personId = await verifyPasskey(db, platform, assertion, { purpose: 'login', key })
      return await beginSignIn(platform, request, reply, { way: 'passkey', personId, strong: true })
    } catch (error) {
      if (error instanceof Refusal) {
        const personId = (await findPasskey(db, assertion.id))?.personId ?? null
        await recordRefusal(db, request, error, { personId, accountId: null, way: 'passkey' })
      }
      throw error
    }
  },
}

/** @throws login.state_expired */
const getSignIn = async (db: Db, state: string) =>
  (await findSignIn(db, state)) ?? fail('login.state_expired')

/** A pending sign-in of a person without a second factor. If one is due instead, none may be added. */
async function getEnrollingPerson(db: Db, state: string) {
  const person = await getSignIn(db, state)
  const { accountId, username, personId } = person
  if (!accountId || !username || (await listFactors(db, personId)).length > 0)
    return fail('login.state_expired')
  return { ...person, username }
}

/** Adds a person's first factor during sign-in; of two concurrent sign-ins only one succeeds. */
async function enrolFactor(
  db: Db,
  personId: string,
  due: string,
  request: FastifyRequest,
  notice: Notice,
  add: () => Promise<void>,
) {
  if (due !== 'enrolment') fail('login.state_expired')
  await lockPerson(db, personId)
  if ((await listFactors(db, personId)).length > 0) fail('login.state_expired')
  await add()
  await notifyFactorChange(db, personId, notice, languageOf(request.headers['accept-language']))
  return { strong: true }
}

async function requirePasskeyLogin(platform: Platform) {
  if ((await currentSettings(platform)).passkeyLogin !== '1') fail('login.way_off')
}

async function recordRefusal(
  db: Db,
  request: FastifyRequest,
  refusal: Refusal,
  entry: { personId: string | null; accountId: string | null; way: AuthMethod },
) {
  signIns.inc({ way: entry.way, result: 'refused' })
  await recordAuthentication(db, request, { ...entry, result: refusal.code })
}
