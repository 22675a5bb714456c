import { del, get, Id, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'

export const correctable = [
  'name',
  'nameEn',
  'number',
  'identity',
  'organization',
  'mobile',
  'email',
  'other',
] as const

const wanted = {
  field: OneOf(correctable),
  value: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  note: T.String({ maxLength: 500, default: '' }),
}

export const Correction = T.Object(
  {
    id: Id,
    ...wanted,
    status: OneOf(['waiting', 'withdrawn', 'done', 'refused']),
    answer: T.String(),
    requestedAt: Time,
    decidedAt: Nullable(Time),
  },
  { $id: 'Correction' },
)
export type Correction = Static<typeof Correction>

const base = '/personal/api/v1/personal/corrections'

/** Requests to correct data that members cannot change themselves. */
export const corrections = {
  list: get(base, {
    summary: "List the caller's 50 newest correction requests",
    access: 'member',
    reply: T.Array(Correction),
  }),
  request: post(base, {
    summary:
      "Request a correction; it is answered by the operators responsible for the member's department",
    access: 'member',
    body: T.Object(wanted),
    reply: Correction,
    errors: ['request.invalid', 'correction.too_many'],
  }),
  withdraw: del(`${base}/{id}`, {
    summary: 'Withdraw a pending request',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: Correction,
    errors: ['correction.not_found'],
  }),
}

export const CorrectionRequest = T.Object(
  {
    ...Correction.properties,
    username: T.String(),
    number: T.String(),
    name: T.String(),
    organizationName: T.String(),
    now: T.String({ description: 'stored value of the field; empty if `field` is other' }),
    keptBy: T.String({
      description:
        'directory or SCIM client that the account comes from, which overwrites corrections made only here; empty: none',
    }),
  },
  { $id: 'CorrectionRequest' },
)

/** For operators who handle correction requests. */
export const correctionRequests = {
  list: get('/console-api/v1/corrections', {
    summary: 'List correction requests, pending ones first; at most 200',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(CorrectionRequest),
  }),
  answer: post('/console-api/v1/corrections/{id}/answer', {
    summary:
      'Answer a correction request: corrected at its source, or refused with a reason; the member is notified',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ id: Id }),
    body: T.Object({
      done: T.Boolean(),
      answer: T.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
    }),
    reply: CorrectionRequest,
    errors: ['request.invalid', 'correction.not_found', 'operator.member_may_more'],
  }),
}
