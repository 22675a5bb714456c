import { del, get, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'
import { captchaField, directoryRefusals, PasswordHome } from './identity.ts'
import { factors, secondFactorFields } from './second-factor.ts'

/** Predefined security questions, worded in the portal; a person may also write their own. */
export const listedQuestions = [
  'firstTeacher',
  'childhoodFriend',
  'childhoodStreet',
  'firstSchool',
  'firstBook',
  'firstConcert',
  'favouriteDish',
  'grandparentsTown',
] as const
export type ListedQuestion = (typeof listedQuestions)[number]
export const questionCount = 3

/** Security settings and the proof each change requires. `contact`: a code sent to an already stored contact. */
export const securityChanges = ['password', 'mobile', 'email', 'questions'] as const
export type SecurityChange = (typeof securityChanges)[number]
const needs = ['confirm', 'questions', 'contact'] as const
export type Need = (typeof needs)[number]
const Needs = T.Array(OneOf(needs), { description: 'steps required first, in this order' })

const Contact = T.Object(
  {
    masked: T.String({ description: 'partly masked; empty: none' }),
    verifiedAt: Nullable(Time),
  },
  { $id: 'OwnContact' },
)

export const AccountSecurity = T.Object(
  {
    password: T.Object({
      set: T.Boolean(),
      changedAt: Nullable(Time),
      mustChange: T.Boolean({ description: 'older than the institution allows' }),
      elsewhere: Nullable(PasswordHome),
    }),
    mobile: Contact,
    email: Contact,
    smsLogin: T.Object({
      offered: T.Boolean({ description: 'the institution offers sign-in by SMS' }),
      on: T.Boolean({ description: 'enabled by this person' }),
    }),
    factors: T.Array(OneOf(factors), {
      description: 'second factors of the person; empty: none',
    }),
    passkeyLogin: T.Boolean({ description: 'the institution offers sign-in by passkey' }),
    questions: T.Object({
      offered: T.Boolean(),
      list: T.Array(T.String(), {
        description: "key of a predefined question, or the person's own wording",
      }),
    }),
    confirmedUntil: Nullable(Time),
    needs: T.Object({ password: Needs, mobile: Needs, email: Needs, questions: Needs }),
  },
  { $id: 'AccountSecurity' },
)
export type AccountSecurity = Static<typeof AccountSecurity>

const kind = T.Object({ kind: OneOf(['mobile', 'email']) })
const contact = T.String({ minLength: 3, maxLength: 254 })
const code = T.String({ minLength: 1, maxLength: 20 })
const Sent = T.Object({
  retryAfter: T.Integer({ description: 'seconds until another code can be requested' }),
})
const endOthers = T.Optional(
  T.Boolean({ description: 'also end all other sessions of the person' }),
)
const changes = ['session.confirmation_due', 'account.proof_due'] as const

/** Actions reserved to the account's owner: everything that decides who can sign in to it. */
export const account = {
  security: get('/token/account/security', {
    summary: "Get the security settings of the caller's account, and what changes to them require",
    access: 'member',
    reply: AccountSecurity,
  }),
  confirm: post('/token/account/confirm', {
    summary: "Confirm the caller's identity again; valid for ten minutes in this session",
    access: 'member',
    body: T.Object({
      password: T.String({ minLength: 1, maxLength: 200 }),
      captcha: captchaField,
      ...secondFactorFields,
    }),
    reply: AccountSecurity,
    errors: [
      'account.password_wrong',
      'account.password_missing',
      'account.factor_due',
      'factor.refused',
      'factor.passkey_refused',
      'login.captcha_due',
      'login.too_many',
      ...directoryRefusals,
    ],
  }),
  changePassword: post('/token/account/password', {
    summary: 'Change the password; other sessions end unless `endOthers` is false',
    access: 'member',
    body: T.Object({ newPassword: T.String({ minLength: 1, maxLength: 1000 }), endOthers }),
    reply: AccountSecurity,
    errors: [...changes, 'account.password_refused', 'account.password_elsewhere'],
  }),
  sendOldCode: post('/token/account/contacts/{kind}/code', {
    summary: 'Send a code to the stored contact',
    access: 'member',
    params: kind,
    reply: Sent,
    errors: ['session.confirmation_due', 'account.contact_missing', 'code.too_many'],
  }),
  proveContact: post('/token/account/contacts/{kind}/proof', {
    summary: 'Prove with a code that the stored contact still reaches the person',
    access: 'member',
    params: kind,
    body: T.Object({ code }),
    reply: AccountSecurity,
    errors: ['session.confirmation_due', 'account.contact_missing', 'code.wrong'],
  }),
  sendNewCode: post('/token/account/contacts/{kind}/new-code', {
    summary:
      'Send a code to a new contact; the response does not reveal whether somebody else uses it',
    access: 'member',
    params: kind,
    body: T.Object({ contact }),
    reply: Sent,
    errors: [...changes, 'code.too_many'],
  }),
  changeContact: put('/token/account/contacts/{kind}', {
    summary: 'Set a new contact with the code that was sent to it',
    access: 'member',
    params: kind,
    body: T.Object({ contact, code, endOthers }),
    reply: AccountSecurity,
    errors: [...changes, 'code.wrong'],
  }),
  removeContact: del('/token/account/contacts/{kind}', {
    summary: 'Remove a contact; the last one cannot be removed',
    access: 'member',
    params: kind,
    reply: AccountSecurity,
    errors: [...changes, 'account.contact_missing', 'account.contact_last'],
  }),
  answerQuestions: post('/token/account/questions/answers', {
    summary: "Answer all of the caller's security questions, if a change requires it",
    access: 'member',
    body: T.Object({
      answers: T.Array(T.String({ minLength: 1, maxLength: 100 }), {
        minItems: questionCount,
        maxItems: questionCount,
      }),
    }),
    reply: AccountSecurity,
    errors: [
      'session.confirmation_due',
      'account.questions_off',
      'account.answers_wrong',
      'login.too_many',
    ],
  }),
  setQuestions: put('/token/account/questions', {
    summary: 'Set security questions and their answers',
    access: 'member',
    body: T.Object({
      questions: T.Array(
        T.Object({
          question: T.String({ minLength: 4, maxLength: 60 }),
          answer: T.String({ minLength: 1, maxLength: 100 }),
        }),
        { minItems: questionCount, maxItems: questionCount },
      ),
    }),
    reply: AccountSecurity,
    errors: [...changes, 'account.questions_off', 'account.questions_refused'],
  }),
  removeQuestions: del('/token/account/questions', {
    summary: "Remove the caller's security questions",
    access: 'member',
    reply: AccountSecurity,
    errors: [...changes, 'account.questions_off'],
  }),
  chooseSmsLogin: put('/token/account/ways/sms', {
    summary: 'Turn sign-in with a code sent to the mobile number on or off',
    access: 'member',
    body: T.Object({ on: T.Boolean() }),
    reply: AccountSecurity,
    errors: ['session.confirmation_due'],
  }),
}
