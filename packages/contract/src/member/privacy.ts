import { del, get, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'

/** Who may see a member's field. `organization`: members of the same organisation or below it. */
export const showTo = ['everybody', 'organization', 'nobody'] as const
export type ShowTo = (typeof showTo)[number]

export const PrivacySettings = T.Object(
  {
    mobile: OneOf(showTo),
    email: OneOf(showTo),
    portrait: OneOf(showTo),
    useRecorded: T.Boolean({
      description: 'reading and use may be recorded by name, for recommendations',
    }),
    lettersAllowed: T.Boolean({ description: 'other members may write to this member' }),
    listed: T.Boolean({ description: 'listed in the address book' }),
  },
  { $id: 'PrivacySettings' },
)
export type PrivacySettings = Static<typeof PrivacySettings>

const member = {
  name: T.String(),
  nameEn: T.String(),
  organizationName: T.String(),
  organizationNameEn: T.String(),
  portraitUrl: T.String({ description: 'empty: none, or not shown to the caller' }),
}
export const BlockedMember = T.Object(
  { accountId: Id, ...member, blockedAt: Time },
  { $id: 'BlockedMember' },
)
export type BlockedMember = Static<typeof BlockedMember>
export const MemberHit = T.Object(
  {
    ...member,
    member: T.String({
      description: 'reference to the member, valid for the caller only; used by the block list',
    }),
    blocked: T.Boolean(),
  },
  { $id: 'MemberHit' },
)

export const PersonalExport = T.Object(
  {
    status: OneOf(['none', 'waiting', 'ready', 'failed', 'gone']),
    requestedAt: Nullable(Time),
    expiresAt: Nullable(Time),
    nextAt: Nullable(Time),
  },
  { $id: 'PersonalExport' },
)
export const AccountClosing = T.Object(
  {
    offered: T.Boolean({ description: 'the institution offers closing accounts' }),
    operator: T.Boolean({
      description: 'the member is an operator and must give up the permissions first',
    }),
    days: T.Integer({ description: 'days during which the request can be withdrawn' }),
    accounts: T.Array(T.String(), {
      description: 'usernames of the accounts that would be closed',
    }),
    status: OneOf(['none', 'waiting', 'refused']),
    requestedAt: Nullable(Time),
    dueAt: Nullable(Time),
    answer: T.String({ description: 'reason of the refusal' }),
  },
  { $id: 'AccountClosing' },
)

const base = '/personal/api/v1/personal/privacy'

export const privacy = {
  read: get(base, {
    summary: "Get the member's privacy settings",
    access: 'member',
    reply: PrivacySettings,
  }),
  update: put(base, {
    summary: 'Update the given privacy settings; others are unchanged',
    access: 'member',
    body: T.Partial(PrivacySettings),
    reply: PrivacySettings,
  }),
  blackList: get(`${base}/blackList`, {
    summary: 'List the members the caller has blocked',
    access: 'member',
    reply: T.Array(BlockedMember),
  }),
  findMembers: get(`${base}/members`, {
    summary: 'Find members by the beginning of the name or the whole username; at most ten',
    access: 'member',
    query: T.Object({ q: T.String({ minLength: 2, maxLength: 50 }) }),
    reply: T.Array(MemberHit),
    errors: ['request.too_many'],
  }),
  block: post(`${base}/blackList`, {
    summary: 'Block a member found by a search',
    access: 'member',
    body: T.Object({ member: T.String({ maxLength: 100 }) }),
    reply: T.Null(),
    errors: ['privacy.member_not_found', 'privacy.blocked_too_many'],
  }),
  unblock: del(`${base}/blackList/{accountId}`, {
    summary: 'Unblock a member',
    access: 'member',
    params: T.Object({ accountId: Id }),
    reply: T.Null(),
    errors: ['privacy.member_not_found'],
  }),
  exportState: get(`${base}/export`, {
    summary: "Get the state of the export of the caller's personal data",
    access: 'member',
    reply: PersonalExport,
  }),
  requestExport: post(`${base}/export`, {
    summary:
      "Request an export of the caller's personal data, at most once an hour; a message is sent when it is ready",
    access: 'member',
    reply: PersonalExport,
    errors: ['session.confirmation_due', 'privacy.export_too_soon'],
  }),
  downloadExport: post(`${base}/export/address`, {
    summary: 'Get the download address of the export, valid for ten minutes',
    access: 'member',
    reply: T.Object({ url: T.String() }),
    errors: ['session.confirmation_due', 'privacy.export_not_ready'],
  }),
  closingState: get(`${base}/closing`, {
    summary: 'Get whether the account will be closed, and when',
    access: 'member',
    reply: AccountClosing,
  }),
  requestClosing: post(`${base}/closing`, {
    summary: 'Request that all accounts of the person be closed after the waiting period',
    access: 'member',
    body: T.Object({ reason: T.Optional(T.String({ maxLength: 500 })) }),
    reply: AccountClosing,
    errors: [
      'session.confirmation_due',
      'privacy.closing_off',
      'privacy.closing_operator',
      'privacy.closing_waiting',
    ],
  }),
  withdrawClosing: del(`${base}/closing`, {
    summary: 'Withdraw the request to close the account',
    access: 'member',
    reply: AccountClosing,
    errors: ['privacy.closing_not_found'],
  }),
}

export const ClosingRequest = T.Object(
  {
    id: Id,
    username: T.String(),
    name: T.String(),
    organizationName: T.String(),
    status: OneOf(['waiting', 'withdrawn', 'refused', 'done']),
    reason: T.String(),
    answer: T.String(),
    requestedAt: Time,
    dueAt: Time,
  },
  { $id: 'ClosingRequest' },
)

export const closings = {
  list: get('/console-api/v1/closings', {
    summary: 'List requests to close accounts, newest first; at most 200',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(ClosingRequest),
  }),
  refuse: post('/console-api/v1/closings/{id}/refuse', {
    summary: 'Refuse a request to close an account; the member sees the reason',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ id: Id }),
    body: T.Object({ answer: T.String({ minLength: 1, maxLength: 500 }) }),
    reply: T.Null(),
    errors: ['privacy.closing_not_found', 'operator.member_may_more'],
  }),
}
