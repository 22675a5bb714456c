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
      { description: 'consecutive codes; the device shows the one that is currently valid' },
    ),
    mayPay: T.Boolean({ description: 'false: codes only identify the member' }),
  },
  { $id: 'PayCodes' },
)
export type PayCodes = Static<typeof PayCodes>

export const CodeUse = T.Object(
  {
    at: Time,
    purpose: OneOf(['pay', 'identity']),
    system: T.String({ description: 'name of the system that operates the terminal' }),
    systemEn: T.String({ description: 'or empty' }),
    place: T.String(),
  },
  { $id: 'CodeUse' },
)
export type CodeUse = Static<typeof CodeUse>

/** A member's actions on their campus card. */
export const eCard = {
  freeze: post('/portal-api/v1/eCard/freeze', {
    summary:
      'Freeze or unfreeze the campus card in the card system; unfreezing requires the identity to be confirmed again',
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
    summary: 'Get codes for payment and identification for the next ten minutes',
    access: 'member',
    reply: PayCodes,
    errors: ['ecard.frozen'],
  }),
  uses: get('/portal-api/v1/eCard/uses', {
    summary: "List the 50 latest uses of the member's codes, newest first",
    access: 'member',
    reply: T.Array(CodeUse),
  }),
}

/** Verification of members' codes by terminals. */
export const payCodes = {
  verify: post('/personal/api/v1/integration/codes/verify', {
    summary: 'Verify a code and get its member; a code is valid once, for about 30 seconds',
    access: 'integration',
    body: T.Object({
      code: T.String({ pattern: '^[0-9]{18}$' }),
      purpose: OneOf(['pay', 'identity'], { default: 'identity' }),
      place: T.String({ maxLength: 100, default: '', description: 'shown to the member' }),
    }),
    reply: T.Object({
      username: T.String(),
      number: T.String({ description: 'student or staff number, or empty' }),
      name: T.String(),
      identityType: T.String({ description: 'code of the identity type' }),
      cardNo: T.String({ description: 'card number, if `purpose` is pay; otherwise empty' }),
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
