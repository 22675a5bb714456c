import { get, OneOf, post, type Static, T, Time } from '../define.ts'
import { ECard } from './personal-sources.ts'

/** Lifetime of one code in seconds. */
export const codeSeconds = 30
/** Seconds for which a device can show codes while offline. */
export const codesSeconds = 600

export const PayCodes = T.Object(
  {
    now: Time,
    codes: T.Array(
      T.Object({
        code: T.String({ description: '18 digits' }),
        from: Time,
        until: Time,
      }),
      { description: 'one after the other; the device shows the one whose time it is' },
    ),
    mayPay: T.Boolean({ description: 'otherwise they only say who somebody is' }),
  },
  { $id: 'PayCodes' },
)
export type PayCodes = Static<typeof PayCodes>

export const CodeUse = T.Object(
  {
    at: Time,
    purpose: OneOf(['pay', 'identity']),
    system: T.String({ description: 'the name of the system whose terminal it was' }),
    place: T.String(),
  },
  { $id: 'CodeUse' },
)
export type CodeUse = Static<typeof CodeUse>

/** A member's actions on their campus card. */
export const eCard = {
  freeze: post('/portal-api/v1/eCard/freeze', {
    summary:
      'Freeze the campus card, or end that, which wants a fresh proof of who it is; the card system is told',
    access: 'member',
    body: T.Object({ frozen: T.Boolean() }),
    reply: ECard,
    errors: [
      'personal.source_cannot',
      'personal.source_refused',
      'personal.source_down',
      'session.confirmation_due',
    ],
  }),
  codes: post('/portal-api/v1/eCard/codes', {
    summary: 'Codes to pay and to say who one is, for the next ten minutes',
    access: 'member',
    reply: PayCodes,
    errors: ['ecard.frozen'],
  }),
  uses: get('/portal-api/v1/eCard/uses', {
    summary: 'Where codes of the member were read, newest first; the last fifty',
    access: 'member',
    reply: T.Array(CodeUse),
  }),
}

/** Verification of members' codes by terminals. */
export const payCodes = {
  verify: post('/personal/api/v1/integration/codes/verify', {
    summary: 'Whose code it is; a code is good once, and for about half a minute',
    access: 'integration',
    body: T.Object({
      code: T.String({ pattern: '^[0-9]{18}$' }),
      purpose: OneOf(['pay', 'identity'], { default: 'identity' }),
      place: T.String({ maxLength: 100, default: '', description: 'as the member reads it' }),
    }),
    reply: T.Object({
      username: T.String(),
      number: T.String({ description: 'student or staff number, or empty' }),
      name: T.String(),
      identityType: T.String({ description: 'its code' }),
      cardNo: T.String({ description: 'to pay with; otherwise empty' }),
      at: Time,
    }),
    errors: [
      'request.invalid',
      'ecard.code_unknown',
      'ecard.code_used',
      'ecard.code_late',
      'ecard.frozen',
      'ecard.no_card',
    ],
  }),
}
