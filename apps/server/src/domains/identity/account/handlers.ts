import type { AccountSecurity, account, SecurityChange } from '@atrium/contract/identity/account'
import { isEmail, isMobile, normalizeInput } from '@atrium/rules/validators'
import { findPasswordHome } from '#domains/identity/directory/queries.ts'
import { confirmSession, requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { hashNewPassword, storePassword } from '#domains/identity/identity/new-password.ts'
import { type SecurityEvent, sendSecurityNotice } from '#domains/identity/identity/notices.ts'
import { checkPassword } from '#domains/identity/identity/password-login.ts'
import { cancelSignIns, revokePerson } from '#domains/identity/identity/revoke-person.ts'
import { isSmsLoginOn } from '#domains/identity/identity/sms-login.ts'
import { consumeCode, sendCode } from '#domains/identity/passwordless/codes.ts'
import { markVerified, normalizeMobile } from '#domains/identity/passwordless/queries.ts'
import { listFactors } from '#domains/identity/second-factor/queries.ts'
import { verifySecondFactor } from '#domains/identity/second-factor/verify-factor.ts'
import { hideEmail, hideMobile } from '#domains/member/personal/rules.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import type { Context, Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  consumeProofs,
  getOwner,
  insertProof,
  lockPerson,
  passwordOfOwner,
  proofStatusOf,
  replaceQuestions,
  updateContact,
  updateSmsLogin,
} from './queries.ts'
import { checkAnswers, hashAnswers, requireQuestionsEnabled } from './questions.ts'
import { needsOf } from './rules.ts'

type CallContext = Pick<Context<typeof account.security>, 'platform' | 'viewer' | 'request'>

export const accountHandlers: Handlers<typeof account> = {
  security: ({ platform, viewer }) => securityOf(platform, viewer),

  async confirm({ db, platform, viewer, request, body }) {
    const owner = await getOwner(db, viewer)
    const passwordManager = await findPasswordHome(db, viewer.personId)
    if (!owner.hasPassword && !passwordManager) fail('account.password_missing')
    const { password, captcha, code, assertion } = body
    const factors = await listFactors(db, viewer.personId)
    // Checked before the password: an incomplete answer reveals nothing about either factor.
    if (factors.length > 0 && !code && !assertion) fail('account.factor_due')
    await checkPassword(
      platform,
      request,
      viewer.username,
      password,
      captcha,
      viewer.sessionId,
    ).catch((error) => {
      // A 401 would mean that the session has ended.
      if (error instanceof Refusal && error.code === 'login.refused') fail('account.password_wrong')
      throw error
    })
    if (factors.length > 0) {
      const secondFactor = { ...(code && { code }), ...(assertion && { assertion }) }
      await verifySecondFactor(db, platform, viewer, secondFactor)
    }
    await confirmSession(db, viewer)
    return securityOf(platform, viewer)
  },

  async changePassword({ platform, viewer, request, body }) {
    await requireNeeds(platform, viewer, 'password')
    const hash = await hashNewPassword(platform, viewer.personId, body.newPassword)
    await applyChange({ platform, viewer, request }, 'password', 'password', async (tx) => {
      await storePassword(tx, viewer.personId, hash)
      // Pending sign-ins began with the old password: they are cancelled even if other sessions stay.
      if (body.endOthers === false) await cancelSignIns(tx, viewer.personId)
      else await revokePerson(tx, viewer.personId, { reason: 'password', except: viewer.sessionId })
    })
    await platform.topics.flushed()
    return securityOf(platform, viewer)
  },

  async sendOldCode({ db, platform, viewer, request, params, reply }) {
    await requireConfirmation(db, viewer)
    const contact = (await getOwner(db, viewer))[params.kind] || fail('account.contact_missing')
    return sendContactCode({ platform, viewer, request, reply }, 'old', params.kind, contact)
  },

  async proveContact({ db, platform, viewer, params, body }) {
    await requireConfirmation(db, viewer)
    const contact = (await getOwner(db, viewer))[params.kind] || fail('account.contact_missing')
    await consumeContactCode(viewer, platform, 'old', params.kind, contact, body.code)
    await insertProof(db, viewer.sessionId, params.kind)
    await markVerified(db, viewer.personId, params.kind)
    return securityOf(platform, viewer)
  },

  async sendNewCode({ platform, viewer, request, params, body, reply }) {
    await requireNeeds(platform, viewer, params.kind)
    const contact = readContact(params.kind, body.contact)
    await requireOther(platform, viewer, params.kind, contact)
    return sendContactCode({ platform, viewer, request, reply }, 'new', params.kind, contact)
  },

  async changeContact({ platform, viewer, request, params, body }) {
    const { kind } = params
    await requireNeeds(platform, viewer, kind)
    const contact = readContact(kind, body.contact)
    await requireOther(platform, viewer, kind, contact)
    await consumeContactCode(viewer, platform, 'new', kind, contact, body.code)
    await applyChange({ platform, viewer, request }, kind, kind, async (tx) => {
      await updateContact(tx, viewer.personId, kind, contact)
      if (body.endOthers)
        await revokePerson(tx, viewer.personId, { reason: 'account', except: viewer.sessionId })
    })
    await platform.topics.flushed()
    return securityOf(platform, viewer)
  },

  async removeContact({ platform, viewer, request, params }) {
    const { kind } = params
    const other = kind === 'mobile' ? 'email' : 'mobile'
    await requireNeeds(platform, viewer, kind)
    await applyChange({ platform, viewer, request }, kind, `${kind}Removed`, async (tx, before) => {
      if (!before[kind]) fail('account.contact_missing')
      if (!before[other]) fail('account.contact_last')
      await updateContact(tx, viewer.personId, kind, '')
    })
    return securityOf(platform, viewer)
  },

  async answerQuestions({ db, platform, viewer, body }) {
    await requireConfirmation(db, viewer)
    await requireQuestionsEnabled(platform)
    await checkAnswers(platform, viewer, body.answers)
    await insertProof(db, viewer.sessionId, 'questions')
    return securityOf(platform, viewer)
  },

  async setQuestions({ platform, viewer, request, body }) {
    await requireQuestionsEnabled(platform)
    await requireNeeds(platform, viewer, 'questions')
    const hashed = await hashAnswers(platform, body.questions)
    await applyChange({ platform, viewer, request }, 'questions', 'questions', (tx) =>
      replaceQuestions(tx, viewer.personId, hashed),
    )
    return securityOf(platform, viewer)
  },

  async removeQuestions({ platform, viewer, request }) {
    await requireQuestionsEnabled(platform)
    await requireNeeds(platform, viewer, 'questions')
    await applyChange({ platform, viewer, request }, 'questions', 'questionsRemoved', (tx) =>
      replaceQuestions(tx, viewer.personId, []),
    )
    return securityOf(platform, viewer)
  },

  async chooseSmsLogin({ db, platform, viewer, request, body }) {
    await requireConfirmation(db, viewer)
    await db.transaction().execute(async (tx) => {
      const contacts = await lockPerson(tx, viewer.personId)
      await updateSmsLogin(tx, viewer.personId, body.on)
      const recipient = { ...contacts, username: viewer.username }
      await sendSecurityNotice(
        { platform, request },
        tx,
        recipient,
        body.on ? 'smsLoginOn' : 'smsLoginOff',
      )
    })
    return securityOf(platform, viewer)
  },
}

async function securityOf(platform: Platform, viewer: Member): Promise<AccountSecurity> {
  const settings = await currentSettings(platform)
  const owner = await getOwner(platform.db, viewer)
  const questionsOn = settings.securityQuestions === '1'
  const status = proofStatusOf(owner, questionsOn)
  const passwordManager = (await findPasswordHome(platform.db, viewer.personId)) ?? null
  return {
    password: passwordManager
      ? { set: true, changedAt: null, mustChange: false, elsewhere: passwordManager }
      : { ...passwordOfOwner(owner, Number(settings.passwordMaxDays)), elsewhere: null },
    mobile: { masked: hideMobile(owner.mobile), verifiedAt: owner.mobileVerifiedAt },
    email: { masked: hideEmail(owner.email), verifiedAt: owner.emailVerifiedAt },
    smsLogin: { offered: await isSmsLoginOn(platform), on: owner.smsLogin },
    factors: await listFactors(platform.db, viewer.personId),
    passkeyLogin: settings.passkeyLogin === '1',
    questions: { offered: questionsOn, list: questionsOn ? (owner.questions ?? []) : [] },
    confirmedUntil: status.confirmed ? owner.confirmedUntil : null,
    needs: {
      password: needsOf('password', status),
      mobile: needsOf('mobile', status),
      email: needsOf('email', status),
      questions: needsOf('questions', status),
    },
  }
}

/** @throws session.confirmation_due, account.proof_due */
async function requireNeeds(platform: Platform, viewer: Member, securityChange: SecurityChange) {
  const { needs } = await securityOf(platform, viewer)
  const [first] = needs[securityChange]
  if (first) fail(first === 'confirm' ? 'session.confirmation_due' : 'account.proof_due')
}

/**
 * Makes a change in one transaction: locks the person's row, consumes the session's proofs and checks them again, and
 * notifies the previous contacts.
 */
async function applyChange(
  context: CallContext,
  securityChange: SecurityChange,
  event: SecurityEvent,
  apply: (tx: Db, before: { mobile: string; email: string }) => Promise<unknown>,
) {
  const { platform, viewer } = context
  const questionsOn = (await currentSettings(platform)).securityQuestions === '1'
  await platform.db.transaction().execute(async (tx) => {
    const before = await lockPerson(tx, viewer.personId)
    const owner = await getOwner(tx, viewer)
    const proofs = await consumeProofs(tx, viewer.sessionId)
    const [first] = needsOf(securityChange, { ...proofStatusOf(owner, questionsOn), proofs })
    if (first) fail(first === 'confirm' ? 'session.confirmation_due' : 'account.proof_due')
    await apply(tx, before)
    await sendSecurityNotice(context, tx, { ...before, username: viewer.username }, event)
  })
}

type Kind = 'mobile' | 'email'
const purposes = {
  old: { mobile: 'oldMobile', email: 'oldEmail' },
  new: { mobile: 'newMobile', email: 'newEmail' },
} as const

async function sendContactCode(
  context: CallContext & Pick<Context<typeof account.sendOldCode>, 'reply'>,
  which: 'old' | 'new',
  kind: Kind,
  contact: string,
) {
  const { platform, viewer, request, reply } = context
  const sent = await sendCode(platform, request, {
    purpose: purposes[which][kind],
    kind,
    contact,
    key: viewer.sessionId,
    personId: viewer.personId,
    memberId: viewer.personId,
    language: languageOf(request.headers['accept-language']),
  })
  reply.header('retry-after', String(sent.retryAfter))
  return sent
}

const consumeContactCode = (
  viewer: Member,
  platform: Platform,
  which: 'old' | 'new',
  kind: Kind,
  contact: string,
  code: string,
) =>
  consumeCode(platform, {
    purpose: purposes[which][kind],
    contact,
    key: viewer.sessionId,
    code: normalizeInput(code),
  })

/**
 * Normalises a contact for storage: a mainland mobile number, an international number with country code, or an e-mail
 * address.
 */
function readContact(kind: Kind, input: string): string {
  const contact = kind === 'mobile' ? normalizeMobile(input) : normalizeInput(input)
  const isValid =
    kind === 'mobile' ? isMobile(contact) || /^\+\d{7,15}$/.test(contact) : isEmail(contact)
  return isValid ? contact : fail('request.invalid', { fields: { contact: 'format' } })
}

async function requireOther(platform: Platform, viewer: Member, kind: Kind, contact: string) {
  const owner = await getOwner(platform.db, viewer)
  const verified = owner[`${kind}VerifiedAt`] !== null
  if (verified && owner[kind].toLowerCase() === contact.toLowerCase())
    fail('request.invalid', { fields: { contact: 'contactSame' } })
}
