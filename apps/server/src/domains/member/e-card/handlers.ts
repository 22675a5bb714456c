import type { eCard, payCodes } from '@atrium/contract/member/e-card'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { performAction } from '#domains/member/personal-sources/perform-action.ts'
import {
  readStoredCards,
  updateCardStatus,
} from '#domains/member/personal-sources/read-personal.ts'
import { eCardOf, storedValue } from '#domains/member/personal-sources/views.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { codesFrom, newHandle, newSeed, splitCode, verifyCode } from './codes.ts'
import { deleteSeeds, findSeed, insertSeed, insertUse, listUses, markStepUsed } from './queries.ts'

/** The cached card. Codes do not wait for the card system. */
const cardOf = async (platform: Platform, accountId: string) =>
  storedValue('ecard', (await readStoredCards(platform, accountId, ['ecard'])).ecard)

export const eCardHandlers: Handlers<typeof eCard> = {
  async freeze({ platform, db, viewer, body: { frozen } }) {
    // Freezing needs no confirmation: with an unlocked phone, a stranger can stop payments but not resume them.
    if (!frozen) await requireConfirmation(db, viewer)
    const action = frozen ? 'freeze' : 'unfreeze'
    const stored = await performAction(platform, viewer.accountId, 'ecard', action)
    const status = frozen ? 'frozen' : 'active'
    // The card system accepted the action, but the card could not be read again.
    if (stored.isStale) await updateCardStatus(db, viewer.accountId, status)
    if (frozen) await deleteSeeds(db, viewer.accountId)
    const card = eCardOf(stored) ?? fail('personal.source_down')
    return stored.isStale ? { ...card, status } : card
  },

  async codes({ platform, db, viewer }) {
    const card = await cardOf(platform, viewer.accountId)
    if (card?.status && card.status !== 'active') fail('ecard.frozen')
    const seed = newSeed()
    const now = Date.now()
    for (;;) {
      const handle = newHandle()
      const isNew = await insertSeed(db, {
        handle,
        accountId: viewer.accountId,
        sessionId: viewer.sessionId,
        sealedSeed: platform.secret.encrypt(seed),
      })
      if (isNew)
        return {
          now: new Date(now).toISOString(),
          codes: codesFrom(handle, seed, now),
          mayPay: card !== null,
        }
    }
  },

  uses: async ({ db, viewer }) =>
    (await listUses(db, viewer.accountId)).map((use) => ({
      ...use,
      purpose: use.purpose as 'pay' | 'identity',
    })),
}

export const payCodeHandlers: Handlers<typeof payCodes> = {
  async verify({ platform, request, body: { code, purpose, place } }) {
    const parsed = splitCode(code) ?? fail('ecard.code_unknown')
    const owner = (await findSeed(platform.db, parsed.handle)) ?? fail('ecard.code_unknown')
    const seed = platform.secret.decrypt(owner.sealedSeed) ?? fail('ecard.code_unknown')
    const verified = verifyCode(seed, parsed.code, Date.now()) ?? fail('ecard.code_unknown')
    if ('late' in verified) return fail('ecard.code_late')
    const card = await cardOf(platform, owner.accountId)
    if (purpose === 'pay' && !card) fail('ecard.no_card')
    if (card?.status && card.status !== 'active') fail('ecard.frozen')
    const { at } = await platform.db.transaction().execute(async (db) => {
      if (!(await markStepUsed(db, parsed.handle, verified.step))) fail('ecard.code_used')
      return insertUse(db, {
        account_id: owner.accountId,
        purpose,
        system: request.integrator ?? '',
        place: place.trim(),
      })
    })
    return {
      username: owner.username,
      number: owner.number ?? '',
      name: owner.name,
      identityType: owner.identityType,
      cardNo: purpose === 'pay' ? (card?.cardNo ?? '') : '',
      at,
    }
  },
}
