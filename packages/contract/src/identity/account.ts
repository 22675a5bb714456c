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
const Needs = T.Array(OneOf(needs), { description: 'what has to be shown first, in this order' })

const Contact = T.Object(
  {
    masked: T.String({ description: 'partly hidden; empty: none' }),
    verifiedAt: Nullable(Time),
  },
  { $id: 'OwnContact' },
)

export const AccountSecurity = T.Object(
  {
    password: T.Object({
      set: T.Boolean(),
      changedAt: Nullable(Time),
      mustChange: T.Boolean({ description: 'it is older than the institution allows' }),
      elsewhere: Nullable(PasswordHome),
    }),
    mobile: Contact,
    email: Contact,
    smsLogin: T.Object({
      offered: T.Boolean({ description: 'the institution lets people sign in by short message' }),
      on: T.Boolean({ description: 'this person wants that' }),
    }),
    factors: T.Array(OneOf(factors), {
      description: 'what the person gives beside the password; empty: nothing',
    }),
    passkeyLogin: T.Boolean({ description: 'the institution lets people sign in by passkey' }),
    questions: T.Object({
      offered: T.Boolean(),
      list: T.Array(T.String(), { description: 'a name of the list, or the person’s own words' }),
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
  retryAfter: T.Integer({ description: 'seconds until another code may be asked for' }),
})
const endOthers = T.Optional(
  T.Boolean({ description: 'end every other session of the person as well' }),
)
const changes = ['session.confirmation_due', 'account.proof_due'] as const

/** Actions reserved to the account's owner: everything that decides who can sign in to it. */
export const account = {
  security: get('/token/account/security', {
    summary: 'How well the account of the caller is secured, and what a change asks for',
    access: 'member',
    reply: AccountSecurity,
  }),
  confirm: post('/token/account/confirm', {
    summary: 'Show once more who one is; good for ten minutes of this session',
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
    summary: 'Choose another password; other sessions end where that is not declined',
    access: 'member',
    body: T.Object({ newPassword: T.String({ minLength: 1, maxLength: 1000 }), endOthers }),
    reply: AccountSecurity,
    errors: [...changes, 'account.password_refused', 'account.password_elsewhere'],
  }),
  sendOldCode: post('/token/account/contacts/{kind}/code', {
    summary: 'Send a code to the contact there is',
    access: 'member',
    params: kind,
    reply: Sent,
    errors: ['session.confirmation_due', 'account.contact_missing', 'code.too_many'],
  }),
  proveContact: post('/token/account/contacts/{kind}/proof', {
    summary: 'Show by its code that the contact there is still reaches the person',
    access: 'member',
    params: kind,
    body: T.Object({ code }),
    reply: AccountSecurity,
    errors: ['session.confirmation_due', 'account.contact_missing', 'code.wrong'],
  }),
  sendNewCode: post('/token/account/contacts/{kind}/new-code', {
    summary: 'Send a code to a new contact; the same whether others have it too',
    access: 'member',
    params: kind,
    body: T.Object({ contact }),
    reply: Sent,
    errors: [...changes, 'code.too_many'],
  }),
  changeContact: put('/token/account/contacts/{kind}', {
    summary: 'Take a new contact with the code that was sent to it',
    access: 'member',
    params: kind,
    body: T.Object({ contact, code, endOthers }),
    reply: AccountSecurity,
    errors: [...changes, 'code.wrong'],
  }),
  removeContact: del('/token/account/contacts/{kind}', {
    summary: 'Forget a contact; one has to stay',
    access: 'member',
    params: kind,
    reply: AccountSecurity,
    errors: [...changes, 'account.contact_missing', 'account.contact_last'],
  }),
  answerQuestions: post('/token/account/questions/answers', {
    summary: 'Answer all of one’s security questions, where a change asks for it',
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
    summary: 'Choose security questions and their answers',
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
    summary: 'Forget one’s security questions',
    access: 'member',
    reply: AccountSecurity,
    errors: [...changes, 'account.questions_off'],
  }),
  chooseSmsLogin: put('/token/account/ways/sms', {
    summary: 'Whether one can sign in by a code sent to one’s mobile number',
    access: 'member',
    body: T.Object({ on: T.Boolean() }),
    reply: AccountSecurity,
    errors: ['session.confirmation_due'],
  }),
}
