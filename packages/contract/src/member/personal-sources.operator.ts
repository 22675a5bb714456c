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
    hasSecret: T.Boolean({ description: 'a secret is stored; it is never returned' }),
    state: OneOf(['unasked', 'good', 'failing', 'import']),
    askedAt: Nullable(Time),
    answeredAt: Nullable(Time),
    failures: T.Integer({ description: 'consecutive failures' }),
    answers: T.Integer({ description: 'total number of answers' }),
    errors: T.Integer({ description: 'total number of failed queries' }),
    refused: T.Integer({
      description: 'total number of answers rejected because they were about somebody else',
    }),
    milliseconds: T.Integer({ description: 'duration of the last query' }),
    error: T.String({ description: 'last error, or empty' }),
    members: T.Integer({ description: 'number of members with cached data' }),
  },
  { $id: 'PersonalSource' },
)
export type PersonalSource = Static<typeof PersonalSource>

/** A trial answer of a system about one member; nothing is stored. */
export const PersonalTrial = T.Object(
  {
    issue: T.String({ description: 'error, or empty' }),
    known: T.Boolean({ description: 'the system knows the member' }),
    milliseconds: T.Integer(),
    value: T.Unknown({ description: 'data as members would see it; null if there is no answer' }),
    problems: T.Array(
      T.Object({
        field: T.String({ description: 'position in the answer' }),
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
    summary: 'List the source systems of personal data, with their state',
    access: 'operator',
    permission: 'system',
    reply: T.Array(PersonalSource),
  }),
  read: get('/console-api/v1/personal-sources/{kind}', {
    summary: 'Get how a source system is queried',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Object({ connector: PersonalConnector, hasSecret: T.Boolean() }),
    errors: ['personal.source_unknown'],
  }),
  connect: put('/console-api/v1/personal-sources/{kind}', {
    summary: 'Configure a source system; an omitted secret is kept while the hosts stay the same',
    access: 'operator',
    permission: 'system',
    params,
    body: T.Object({ connector: PersonalConnector, secret }),
    reply: PersonalSource,
    errors: ['request.invalid'],
  }),
  try: post('/console-api/v1/personal-sources/{kind}/try', {
    summary: 'Test a source system with one member, without storing anything',
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
    summary: 'Remove a source system and delete its cached data',
    access: 'operator',
    permission: 'system',
    params,
    reply: T.Null(),
    errors: ['personal.source_unknown'],
  }),
}
