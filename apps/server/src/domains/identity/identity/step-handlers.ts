import type { signInSteps } from '@atrium/contract/identity/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { hashNewPassword, storePassword } from './new-password.ts'
import { sendSecurityNotice } from './notices.ts'
import { findSessionProof, getNoticeRecipient, listOwnAccounts } from './queries.ts'
import { revokePerson } from './revoke-person.ts'
import { type AuthMethod, beginSignIn, continueSignIn, getSignInPerson } from './sign-in.ts'

/** Signing purpose of the account list's key, which is valid only for the session it was issued to. */
const switchPurpose = 'switch-account'

/**
 * Steps between the proof and the session. A request for a step that is not due changes nothing and returns the step
 * that is.
 */
export const signInStepHandlers: Handlers<typeof signInSteps> = {
  step: ({ platform, body, request, reply }) =>
    continueSignIn(platform, request, reply, body.state, async () => ({})),

  async accountChoose({ platform, viewer, body, request, reply }) {
    const { accountId, cid } = body
    if (viewer.signedIn && platform.secret.verify(switchPurpose, viewer.sessionId, cid))
      return switchAccount(platform, request, reply, viewer, accountId)
    return continueSignIn(platform, request, reply, cid, async (db, row, due) => {
      if (due !== 'account') return {}
      const ownAccounts = await listOwnAccounts(db, row.personId)
      if (!ownAccounts.some((account) => account.accountId === accountId))
        fail('login.account_not_found')
      return { accountId }
    })
  },

  async passwordChange({ platform, body, request, reply }) {
    const personId = await getSignInPerson(platform.db, body.state)
    // Outside the transaction, which would otherwise hold the row lock while hashing is queued.
    const hash = await hashNewPassword(platform, personId, body.newPassword)
    return continueSignIn(platform, request, reply, body.state, async (db, row, due) => {
      if (due !== 'passwordChange' || !row.accountId) return {}
      await storePassword(db, row.personId, hash)
      await revokePerson(db, row.personId, { exceptState: body.state })
      await sendSecurityNotice(
        { platform, request },
        db,
        await getNoticeRecipient(db, row.accountId),
        'password',
      )
      return {}
    })
  },

  agreement: ({ platform, body, request, reply }) =>
    continueSignIn(platform, request, reply, body.state, async (db, row, due) => {
      // If the accepted version is outdated, the current one remains due.
      const { agreementVersion } = await currentSettings(platform)
      if (due === 'agreement' && body.version === agreementVersion)
        await db
          .updateTable('person')
          .set({ agreement_version: body.version })
          .where('id', '=', row.personId)
          .execute()
      return {}
    }),

  async accounts({ db, platform, viewer }) {
    const accounts = await listOwnAccounts(db, viewer.personId)
    return {
      cid: platform.secret.sign(switchPurpose, viewer.sessionId),
      accounts: accounts.map((account) => ({
        ...account,
        current: account.accountId === viewer.accountId,
      })),
    }
  },
}

/** Switches to another account of the member; steps it requires beyond this session's proof become due. */
async function switchAccount(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Member,
  accountId: string,
) {
  const ownAccounts = await listOwnAccounts(platform.db, viewer.personId)
  if (!ownAccounts.some((account) => account.accountId === accountId))
    fail('login.account_not_found')
  const { way, strong } =
    (await findSessionProof(platform.db, viewer.sessionId)) ?? fail('session.expired')
  return beginSignIn(platform, request, reply, {
    way: way as AuthMethod,
    strong,
    personId: viewer.personId,
    accountId,
    replaces: viewer.sessionId,
  })
}
