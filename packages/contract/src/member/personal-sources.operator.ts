import {
  del,
  get,
  Nullable,
  OneOf,
  post,
  put,
  SecretText,
  type Static,
  T,
  Time,
} from '../define.ts'
import { PersonalConnector, sourceKinds } from './personal-source.ts'

export const PersonalSource = T.Object(
  {
    kind: OneOf(sourceKinds),
    way: OneOf(['http', 'sql', 'imap', 'import']),
    keepMinutes: T.Integer(),
    hasSecret: T.Boolean({ description: 'the secret itself is never shown' }),
    state: OneOf(['unasked', 'good', 'failing', 'import']),
    askedAt: Nullable(Time),
    answeredAt: Nullable(Time),
    failures: T.Integer({ description: 'in a row' }),
    answers: T.Integer({ description: 'that came, so far' }),
    errors: T.Integer({ description: 'questions without an answer, so far' }),
    refused: T.Integer({ description: 'answers that were about somebody else, so far' }),
    milliseconds: T.Integer({ description: 'the last answer took' }),
    error: T.String({ description: 'what went wrong last, or empty' }),
    members: T.Integer({ description: 'of whom something is kept' }),
  },
  { $id: 'PersonalSource' },
)
export type PersonalSource = Static<typeof PersonalSource>

/** A trial answer of a system about one member; nothing is stored. */
export const PersonalTrial = T.Object(
  {
    issue: T.String({ description: 'why there is no answer, or empty' }),
    known: T.Boolean({ description: 'the system knows the member' }),
    milliseconds: T.Integer(),
    value: T.Unknown({ description: 'as members would see it; null without an answer' }),
    problems: T.Array(
      T.Object({
        field: T.String({ description: 'where in the answer' }),
        text: T.String(),
      }),
    ),
  },
  { $id: 'PersonalTrial' },
)
export type PersonalTrial = Static<typeof PersonalTrial>

const params = T.Object({ kind: OneOf(sourceKinds) })
const secret = T.Optional(SecretText({ minLength: 1, maxLength: 2000 }))

/** Systems with data about members, for operators. */
export const personalSourceSettings = {
  list: get('/console-api/v1/personal-sources', {
    summary: 'The systems that are asked about members, with their health',
    access: 'operator',
    permission: 'system',
    reply: T.Array(PersonalSource),
  }),
  read: get('/console-api/v1/personal-sources/{kind}', {
    summary: 'How a system is asked about members',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Object({ connector: PersonalConnector, hasSecret: T.Boolean() }),
    errors: ['personal.source_unknown'],
  }),
  connect: put('/console-api/v1/personal-sources/{kind}', {
    summary:
      'Ask a system about members; without a secret it keeps its own, while it goes to the same hosts',
    access: 'operator',
    permission: 'system',
    params,
    body: T.Object({ connector: PersonalConnector, secret }),
    reply: PersonalSource,
    errors: ['request.invalid'],
  }),
  try: post('/console-api/v1/personal-sources/{kind}/try', {
    summary: 'Ask a system about one member, and keep nothing',
    access: 'operator',
    permission: 'system',
    params,
    body: T.Object({
      username: T.String({ minLength: 1, maxLength: 128 }),
      connector: T.Optional(PersonalConnector),
      secret,
    }),
    reply: PersonalTrial,
    errors: ['request.invalid', 'personal.source_unknown', 'personal.member_unknown'],
  }),
  disconnect: del('/console-api/v1/personal-sources/{kind}', {
    summary: 'Ask a system no longer, and forget what it said',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['personal.source_unknown'],
  }),
}
