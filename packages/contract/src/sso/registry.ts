import { del, get, Id, Nullable, OneOf, post, put, type Static, T, Time } from '../define.ts'

/**
 * Data about a member that another system may receive besides the username: its title and purpose in both languages.
 * `values`: the claim names under which it is released.
 */
export const releasable = {
  name: {
    values: ['name'],
    zh: { title: '姓名', reason: '显示你是谁' },
    en: { title: 'Name', reason: 'to show who you are' },
  },
  identityType: {
    values: ['identityTypeCode', 'identityTypeName'],
    zh: { title: '身份类型', reason: '区分学生、教师等身份，提供对应的功能' },
    en: { title: 'Role', reason: 'to offer what students, teachers or staff need' },
  },
  organization: {
    values: ['organizationCode', 'organizationName'],
    zh: { title: '所在组织', reason: '按院系、部门提供内容' },
    en: { title: 'Organisation', reason: 'to offer what belongs to your school or department' },
  },
  email: {
    values: ['email'],
    zh: { title: '邮箱', reason: '向你发送邮件通知' },
    en: { title: 'Mail address', reason: 'to write to you' },
  },
  mobile: {
    values: ['mobile'],
    zh: { title: '手机号', reason: '通过电话或短信与你联系' },
    en: { title: 'Mobile number', reason: 'to reach you by phone or short message' },
  },
  groups: {
    values: ['groups'],
    zh: { title: '所在群组', reason: '判断你可以使用哪些功能' },
    en: { title: 'Groups', reason: 'to decide what you may use' },
  },
  accountId: {
    values: ['accountId'],
    zh: { title: '账号编号', reason: '学工号变更后仍能认出你的账号' },
    en: { title: 'Account key', reason: 'to know your account even when the number changes' },
  },
} as const
export type Releasable = keyof typeof releasable
export const releasables = Object.keys(releasable) as Releasable[]
/** The username, released to every service. */
export const usernameWords = {
  zh: { title: '学工号', reason: '识别你的账号' },
  en: { title: 'Username', reason: 'to know your account' },
}

/** Parts of the API open to other systems with their own token (client credentials). */
export const integrations = ['message', 'transaction', 'schedule', 'personal'] as const
export type Integration = (typeof integrations)[number]
/** Our attribute names, for CAS clients that receive them under their own names. */
export const attributeValues = releasables.flatMap((name) => [...releasable[name].values])

const Address = T.String({ maxLength: 1000 })
const Words = (maxLength: number, description: string) =>
  T.String({ maxLength, default: '', description })

/** An operator's settings of a relying party. A field with a default may be omitted. */
export const RelyingPartyContent = T.Object({
  name: Words(60, 'empty: name of the linked service'),
  nameEn: Words(100, 'empty: name of the linked service'),
  serviceId: T.Optional(Nullable(Id)),
  enabled: T.Boolean({ default: true }),
  addresses: T.Array(Address, {
    maxItems: 20,
    default: [],
    description:
      'https origin and path; addresses below it, separated by /, belong to the system. Empty: address of the linked service',
  }),
  redirectUris: T.Array(Address, {
    maxItems: 20,
    default: [],
    description: 'OpenID Connect: allowed redirect URIs, matched exactly',
  }),
  postLogoutRedirectUris: T.Array(Address, {
    maxItems: 20,
    default: [],
    description: 'OpenID Connect: allowed redirect URIs after logout, matched exactly',
  }),
  logoutUrl: T.String({
    maxLength: 1000,
    default: '',
    description: 'CAS: address notified when a session ends; empty: not notified',
  }),
  backchannelLogoutUrl: T.String({
    maxLength: 1000,
    default: '',
    description: 'OpenID Connect: address notified when a session ends; empty: not notified',
  }),
  attributes: T.Array(OneOf(releasables), {
    maxItems: releasables.length,
    default: [],
    description: 'attributes released besides the username',
  }),
  purpose: Words(200, 'purpose of the attributes, shown to members'),
  purposeEn: Words(400, 'purpose in English'),
  consentNeeded: T.Boolean({ default: false, description: 'members must consent first' }),
  audience: T.String({
    maxLength: 200,
    default: '',
    description: '`aud` of its tokens; empty: its code',
  }),
  publicClient: T.Boolean({
    default: false,
    description: 'OpenID Connect: a client that cannot keep a secret (an app or a page)',
  }),
  /** OpenID Connect: signature algorithm of id and logout tokens. */
  idTokenAlg: OneOf(['ES256', 'RS256'], { default: 'ES256' }),
  jwks: T.String({
    maxLength: 20_000,
    default: '',
    description:
      'OpenID Connect: public keys as a JWK set. With this or jwksUrl, the client authenticates by private_key_jwt instead of a secret',
  }),
  jwksUrl: T.String({
    maxLength: 1000,
    default: '',
    description: 'OpenID Connect: address of the public keys, instead of jwks',
  }),
  pairwise: T.Boolean({
    default: false,
    description:
      'OpenID Connect: members have a `sub` specific to this system, and the username is not released',
  }),
  offlineAccess: T.Boolean({
    default: false,
    description:
      "OpenID Connect: with consent, refresh tokens remain valid after the member's session (offline_access)",
  }),
  integrations: T.Array(OneOf(integrations), {
    maxItems: integrations.length,
    default: [],
    description: 'parts of the API it may call with client credentials',
  }),
  attributeNames: T.Record(T.String(), T.String(), {
    default: {},
    description: 'CAS: its own attribute names by our names; others keep our names',
  }),
})
export type RelyingPartyContent = Static<typeof RelyingPartyContent>

/** Stable, short and URL-safe. */
export const PartyCode = T.String({ pattern: '^(?!portal$)[a-z0-9][a-z0-9._-]{1,59}$' })

export const RelyingParty = T.Interface(
  [RelyingPartyContent],
  {
    code: PartyCode,
    hasSecret: T.Boolean(),
    secretSetAt: Nullable(Time),
    updatedAt: Time,
  },
  { $id: 'RelyingParty' },
)
export type RelyingParty = Static<typeof RelyingParty>

const params = T.Object({ code: PartyCode })
const path = '/console-api/v1/relying-parties'

/** Relying parties receive member data, so registering them requires the directory permission. */
export const registry = {
  list: get(path, {
    summary: 'List the systems that members sign in to through this portal',
    access: 'operator',
    permission: 'identity',
    reply: T.Array(RelyingParty),
  }),
  create: post(path, {
    summary: 'Register a system',
    access: 'operator',
    permission: 'identity',
    body: T.Interface([RelyingPartyContent], { code: PartyCode }),
    reply: RelyingParty,
    errors: ['registry.code_taken'],
  }),
  update: put(`${path}/{code}`, {
    summary: 'Update a system; its code cannot be changed',
    access: 'operator',
    permission: 'identity',
    params,
    body: RelyingPartyContent,
    reply: RelyingParty,
    errors: ['registry.not_found'],
  }),
  remove: del(`${path}/{code}`, {
    summary:
      'Delete a system; one that received member data fails with registry.in_use and can be disabled instead',
    access: 'operator',
    permission: 'identity',
    params,
    reply: T.Null(),
    errors: ['registry.not_found', 'registry.in_use'],
  }),
  replaceSecret: post(`${path}/{code}/secret`, {
    summary: 'Create a new client secret, returned only once; the previous one becomes invalid',
    access: 'operator',
    permission: 'identity',
    params,
    reply: T.Object({ secret: T.String() }),
    errors: ['registry.not_found', 'registry.public_client'],
  }),
}
