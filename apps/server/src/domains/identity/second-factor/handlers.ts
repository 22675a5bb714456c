import type { secondFactor } from '@atrium/contract/identity/second-factor'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { lockPerson } from '#domains/identity/identity/revoke-person.ts'
import { fail } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { addPasskey, addTotp, cleanUpAfterRemoval } from './change.ts'
import { institutionName } from './institution.ts'
import { notifyFactorChange } from './notice.ts'
import { newPasskeyOptions, ownPasskeyOptions } from './passkeys.ts'
import {
  deletePasskey,
  deleteTotp,
  listFactors,
  readFactors,
  updatePasskeyName,
} from './queries.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { personNeedsFactor } from './required.ts'
import { beginTotp } from './totp.ts'

export const secondFactorHandlers: Handlers<typeof secondFactor> = {
  read: async ({ db, platform, viewer: { personId } }) =>
    readFactors(db, personId, await personNeedsFactor(db, platform, personId)),

  async beginTotp({ db, platform, viewer, request }) {
    await requireConfirmation(db, viewer)
    const issuer = await institutionName(platform, request)
    return beginTotp(platform, viewer.personId, issuer, viewer.username)
  },

  async addTotp({ db, platform, viewer, body, request }) {
    await requireConfirmation(db, viewer)
    const { personId } = viewer
    return db.transaction().execute(async (db) => {
      await lockPerson(db, personId)
      const recoveryCodes = await addTotp(db, platform, personId, body)
      await notifyFactorChange(db, personId, 'totp-added', requestLanguage(request))
      return { recoveryCodes }
    })
  },

  async removeTotp({ db, platform, viewer, request }) {
    await requireConfirmation(db, viewer)
    const { personId } = viewer
    const required = await personNeedsFactor(db, platform, personId)
    await db.transaction().execute(async (db) => {
      await lockPerson(db, personId)
      if (!(await deleteTotp(db, personId))) fail('factor.not_found')
      await cleanUpAfterRemoval(db, personId, required)
      await notifyFactorChange(db, personId, 'totp-removed', requestLanguage(request))
    })
    return readFactors(db, personId, required)
  },

  async renewRecoveryCodes({ db, platform, viewer, request }) {
    await requireConfirmation(db, viewer)
    const { personId } = viewer
    return db.transaction().execute(async (db) => {
      await lockPerson(db, personId)
      if ((await listFactors(db, personId)).length === 0) fail('factor.not_found')
      const recoveryCodes = await createRecoveryCodes(db, platform, personId)
      await notifyFactorChange(db, personId, 'codes-renewed', requestLanguage(request))
      return { recoveryCodes }
    })
  },

  async beginPasskey({ db, platform, viewer, request }) {
    await requireConfirmation(db, viewer)
    const institution = await institutionName(platform, request)
    return newPasskeyOptions(db, platform, viewer, institution, viewer.sessionId)
  },

  async addPasskey({ db, platform, viewer, body, request }) {
    await requireConfirmation(db, viewer)
    const { personId, sessionId: key } = viewer
    return db.transaction().execute(async (db) => {
      await lockPerson(db, personId)
      const added = await addPasskey(db, platform, personId, { ...body, key })
      await notifyFactorChange(db, personId, 'passkey-added', requestLanguage(request))
      return added
    })
  },

  async renamePasskey({ db, platform, viewer, params, body }) {
    await requireConfirmation(db, viewer)
    const { personId } = viewer
    if (!(await updatePasskeyName(db, personId, params.id, body.name))) fail('factor.not_found')
    return readFactors(db, personId, await personNeedsFactor(db, platform, personId))
  },

  async removePasskey({ db, platform, viewer, params, request }) {
    await requireConfirmation(db, viewer)
    const { personId } = viewer
    const required = await personNeedsFactor(db, platform, personId)
    await db.transaction().execute(async (db) => {
      await lockPerson(db, personId)
      if (!(await deletePasskey(db, personId, params.id))) fail('factor.not_found')
      await cleanUpAfterRemoval(db, personId, required)
      await notifyFactorChange(db, personId, 'passkey-removed', requestLanguage(request))
    })
    return readFactors(db, personId, required)
  },

  confirmOptions: ({ db, platform, viewer }) =>
    ownPasskeyOptions(db, platform, viewer.personId, viewer.sessionId),
}

const requestLanguage = (request: { headers: Record<string, string | string[] | undefined> }) =>
  languageOf(String(request.headers['accept-language'] ?? ''))
