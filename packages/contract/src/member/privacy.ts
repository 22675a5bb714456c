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
      description: 'what is read and used may be kept by name, for recommendations',
    }),
    lettersAllowed: T.Boolean({ description: 'other members may write' }),
    listed: T.Boolean({ description: 'other members find them in the address book' }),
  },
  { $id: 'PrivacySettings' },
)
export type PrivacySettings = Static<typeof PrivacySettings>

const member = {
  name: T.String(),
  nameEn: T.String(),
  organizationName: T.String(),
  organizationNameEn: T.String(),
  portraitUrl: T.String({ description: 'empty where there is none, or it is not shown' }),
}
export const BlockedMember = T.Object(
  { accountId: Id, ...member, blockedAt: Time },
  { $id: 'BlockedMember' },
)
export type BlockedMember = Static<typeof BlockedMember>
export const MemberHit = T.Object(
  {
    ...member,
    member: T.String({ description: 'names the member to the caller, for the black list' }),
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
    offered: T.Boolean({ description: 'members of this institution may ask for it' }),
    operator: T.Boolean({ description: 'an operator gives the permissions back first' }),
    days: T.Integer({ description: 'how long it can be taken back' }),
    accounts: T.Array(T.String(), { description: 'usernames it takes along' }),
    status: OneOf(['none', 'waiting', 'refused']),
    requestedAt: Nullable(Time),
    dueAt: Nullable(Time),
    answer: T.String({ description: 'why it was refused' }),
  },
  { $id: 'AccountClosing' },
)

const base = '/personal/api/v1/personal/privacy'

export const privacy = {
  read: get(base, {
    summary: 'What the member shows and allows',
    access: 'member',
    reply: PrivacySettings,
  }),
  update: put(base, {
    summary: 'Changes what is named; the rest stays',
    access: 'member',
    body: T.Partial(PrivacySettings),
    reply: PrivacySettings,
  }),
  blackList: get(`${base}/blackList`, {
    summary: 'Members the caller does not want to hear from',
    access: 'member',
    reply: T.Array(BlockedMember),
  }),
  findMembers: get(`${base}/members`, {
    summary: 'Ten members at most, by the beginning of the name or the whole username',
    access: 'member',
    query: T.Object({ q: T.String({ minLength: 2, maxLength: 50 }) }),
    reply: T.Array(MemberHit),
    errors: ['request.too_many'],
  }),
  block: post(`${base}/blackList`, {
    summary: 'Put a member that was found on the black list',
    access: 'member',
    body: T.Object({ member: T.String({ maxLength: 100 }) }),
    reply: T.Null(),
    errors: ['privacy.member_not_found', 'privacy.blocked_too_many'],
  }),
  unblock: del(`${base}/blackList/{accountId}`, {
    summary: 'Take a member off the black list',
    access: 'member',
    params: T.Object({ accountId: Id }),
    reply: T.Null(),
    errors: ['privacy.member_not_found'],
  }),
  exportState: get(`${base}/export`, {
    summary: 'The file with everything held about the person: whether it is there',
    access: 'member',
    reply: PersonalExport,
  }),
  requestExport: post(`${base}/export`, {
    summary: 'Ask for that file, once an hour; a message says when it is ready',
    access: 'member',
    reply: PersonalExport,
    errors: ['session.confirmation_due', 'privacy.export_too_soon'],
  }),
  downloadExport: post(`${base}/export/address`, {
    summary: 'Where the file is, for ten minutes',
    access: 'member',
    reply: T.Object({ url: T.String() }),
    errors: ['session.confirmation_due', 'privacy.export_not_ready'],
  }),
  closingState: get(`${base}/closing`, {
    summary: 'Whether the account is going to be closed, and when',
    access: 'member',
    reply: AccountClosing,
  }),
  requestClosing: post(`${base}/closing`, {
    summary: 'Ask for every account of the person to be closed after the waiting time',
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
    summary: 'Keep the account after all',
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
    summary: 'Who asked for an account to be closed, the newest first, two hundred at most',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    reply: T.Array(ClosingRequest),
  }),
  refuse: post('/console-api/v1/closings/{id}/refuse', {
    summary: 'Keep an account the institution needs; the member reads why',
    access: 'operator',
    permission: 'identity',
    delegated: true,
    params: T.Object({ id: Id }),
    body: T.Object({ answer: T.String({ minLength: 1, maxLength: 500 }) }),
    reply: T.Null(),
    errors: ['privacy.closing_not_found', 'operator.member_may_more'],
  }),
}
