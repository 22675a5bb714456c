import { get, Id, Nullable, OneOf, post, put, type Static, T, Time, Username } from '../define.ts'

const Day = T.String({ format: 'date', description: "date in the institution's time zone" })
export const delegationStates = ['waiting', 'active', 'over'] as const
/** Upper limit; the operators' policy may lower it. */
export const maxDelegates = 10

export const Delegation = T.Object(
  {
    id: Id,
    startsOn: Day,
    endsOn: Day,
    state: OneOf(delegationStates),
    sources: T.Array(T.String(), { description: 'source systems of the tasks; empty: all' }),
    note: T.String(),
    person: T.String({ description: 'person whose tasks are delegated' }),
    personEn: T.String({ description: 'empty if there is no English text, like the other …En' }),
    people: T.Array(T.Object({ username: T.String(), name: T.String(), nameEn: T.String() })),
    handled: T.Integer({ description: 'number of tasks handled on behalf of this person' }),
    revokedAt: Nullable(Time),
  },
  { $id: 'Delegation' },
)
export type Delegation = Static<typeof Delegation>

const policyFields = {
  allowed: T.Boolean({ description: 'false: no new delegations' }),
  maxDays: T.Integer({ minimum: 1, maximum: 366 }),
  maxPeople: T.Integer({ minimum: 1, maximum: maxDelegates }),
  sameOrganization: T.Boolean({ description: "only to people of the member's own organisation" }),
  excludedSources: T.Array(T.String({ minLength: 1, maxLength: 60 }), {
    maxItems: 100,
    description: 'names of source systems whose tasks cannot be delegated',
  }),
}
export const DelegationPolicy = T.Object(policyFields, { $id: 'DelegationPolicy' })
export type DelegationPolicy = Static<typeof DelegationPolicy>

const params = T.Object({ id: Id })
const base = '/transaction/api/v1/delegations'

/** A member's tasks handled by others for some days, on the member's behalf. */
export const delegations = {
  list: get(base, {
    summary: 'List delegations by and to the member, newest first',
    access: 'member',
    reply: T.Object({
      given: T.Array(Delegation),
      received: T.Array(Delegation),
      sources: T.Array(T.String(), { description: "source systems of the member's pending tasks" }),
      policy: DelegationPolicy,
    }),
  }),
  create: post(base, {
    summary: 'Delegate tasks for a period; both days are inclusive',
    access: 'member',
    body: T.Object({
      startsOn: Day,
      endsOn: Day,
      people: T.Array(Username, { minItems: 1, maxItems: maxDelegates, uniqueItems: true }),
      sources: T.Array(T.String({ minLength: 1, maxLength: 60 }), {
        maxItems: 50,
        uniqueItems: true,
        default: [],
      }),
      note: T.String({ maxLength: 200, default: '' }),
    }),
    reply: Delegation,
    errors: ['request.invalid', 'delegation.not_allowed', 'delegation.back', 'delegation.overlaps'],
  }),
  end: post(`${base}/{id}/end`, {
    summary: 'End a delegation now',
    access: 'member',
    params,
    reply: Delegation,
    errors: ['delegation.not_found'],
  }),
  handled: get(`${base}/{id}/handled`, {
    summary: "List the tasks handled on the member's behalf, newest first; at most 200",
    access: 'member',
    params,
    reply: T.Array(
      T.Object({
        id: Id,
        title: T.String(),
        titleEn: T.String(),
        action: T.String(),
        actionEn: T.String(),
        by: T.String(),
        byEn: T.String(),
        at: Time,
      }),
    ),
    errors: ['delegation.not_found'],
  }),
}

const operator = { access: 'operator', permission: 'messages' } as const

/** The rules for delegation, for operators. */
export const delegationRules = {
  policy: get('/console-api/v1/delegation-policy', {
    summary: 'Get the policy for delegations',
    ...operator,
    reply: DelegationPolicy,
  }),
  setPolicy: put('/console-api/v1/delegation-policy', {
    summary: 'Set the policy for delegations; running ones are not affected',
    ...operator,
    body: T.Object(policyFields),
    reply: DelegationPolicy,
    errors: ['request.invalid'],
  }),
}
