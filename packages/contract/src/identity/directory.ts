import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  Nullable,
  OneOf,
  post,
  put,
  SecretText,
  type Static,
  T,
  Time,
  Username,
  usernameMax,
} from '../define.ts'

/**
 * Builds a value from an entry's attributes: text with attribute names in braces, `{sn}{givenName}`;
 * `{departmentNumber|ou}` takes the first attribute present. The first value of a multi-valued attribute is used.
 */
const Template = (means: string) => T.String({ maxLength: 200, description: means })
const OptionalTemplate = (means: string) =>
  T.String({ maxLength: 200, default: '', description: means })
const Filter = T.String({ minLength: 3, maxLength: 1000, pattern: '^\\(.*\\)$' })
const Base = T.String({ minLength: 1, maxLength: 500 })
const Attribute = T.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,60}$' })

const settings = {
  name: T.String({ minLength: 1, maxLength: 100 }),
  nameEn: T.String({ maxLength: 100, default: '' }),
  servers: T.Array(T.String({ pattern: '^ldaps?://[^/?#@\\s]+$', maxLength: 200 }), {
    minItems: 1,
    maxItems: 5,
    description: 'ldaps://host or ldap://host, with a port unless it is the default; tried in turn',
  }),
  startTls: T.Boolean({ default: true, description: 'ldap:// connections must switch to TLS' }),
  ca: T.String({
    maxLength: 20_000,
    default: '',
    description: 'CA certificates (PEM) of the servers; empty: those of the system',
  }),
  bindDn: T.String({ maxLength: 500, description: 'DN of the account that reads the directory' }),
  passwords: T.Boolean({ description: 'members sign in with their password in the directory' }),
  passwordAddress: T.String({
    maxLength: 500,
    default: '',
    pattern: '^(https?://[^\\s]+)?$',
    description: 'address where members change their password',
  }),
  schedule: T.String({
    maxLength: 60,
    default: '',
    pattern: '^([0-9*,/-]+ ){4}[0-9*,/-]+$|^$',
    description: 'when it is imported: five cron fields, UTC; empty: only on request',
  }),
  maxDisabled: T.Integer({
    minimum: 0,
    maximum: 100,
    default: 5,
    description: 'percentage of its members that an import may disable without confirmation',
  }),
  takeOver: OneOf(['nobody', 'members', 'everybody'], { default: 'members' }),
  members: T.Object({
    base: Base,
    filter: Filter,
    key: Attribute,
    username: Template('username'),
    name: Template('display name'),
    nameEn: OptionalTemplate('display name in Latin letters'),
    identity: Template('value that determines the identity type'),
    identities: T.Record(T.String({ maxLength: 100 }), T.String({ maxLength: 64 }), {
      default: {},
      description: 'maps values of `identity` to codes of identity types; `*`: all others',
    }),
    organization: OptionalTemplate(
      'code of the organisation; empty: the nearest imported unit above the entry',
    ),
    organizationElse: T.String({
      maxLength: 64,
      default: '',
      description: 'code to use if none is found',
    }),
    mobile: OptionalTemplate('mobile number'),
    email: OptionalTemplate('mail address'),
    personKey: OptionalTemplate('value shared by all accounts of one person'),
    disabled: T.String({
      maxLength: 200,
      default: '',
      description:
        'condition for accounts that may not sign in: `attribute=value`, `attribute&bit`, or `attribute` if its presence suffices',
    }),
    memberOf: T.String({
      maxLength: 60,
      default: '',
      description: 'attribute that lists the groups of a person; empty: groups list their members',
    }),
  }),
  organizations: Nullable(
    T.Object({
      base: Base,
      filter: Filter,
      key: Attribute,
      code: Template('code; not changed after the first import'),
      name: Template('name'),
      nameEn: Template('English name'),
      under: T.String({
        maxLength: 64,
        description: 'code of the organisation above the topmost units; empty: none',
      }),
    }),
  ),
  groups: Nullable(
    T.Object({
      base: Base,
      filter: Filter,
      key: Attribute,
      code: Template('code; not changed after the first import'),
      name: Template('name'),
      member: T.String({
        maxLength: 60,
        description: 'attribute that lists the members',
      }),
      memberIs: OneOf(['dn', 'username']),
    }),
  ),
}
export const DirectorySettings = T.Object(settings, { $id: 'DirectorySettings' })
export type DirectorySettings = Static<typeof DirectorySettings>

const Code = T.String({ pattern: '^[a-z][a-z0-9-]{1,39}$' })
const params = T.Object({ code: Code })

const RunCounts = T.Object(
  { added: T.Integer(), changed: T.Integer(), unchanged: T.Integer(), refused: T.Integer() },
  { $id: 'DirectoryRunCounts' },
)
export const DirectoryRun = T.Object(
  {
    id: Id,
    dry: T.Boolean({ description: 'dry run: nothing was written' }),
    startedBy: T.String({ description: '`schedule`, or the operator who started it' }),
    status: OneOf(['running', 'done', 'stopped', 'confirmed', 'failed']),
    startedAt: Time,
    finishedAt: Nullable(Time),
    organizations: RunCounts,
    groups: RunCounts,
    members: RunCounts,
    disabled: T.Integer({
      description: 'accounts that were disabled, or would have been in a dry run',
    }),
    known: T.Integer({
      description: 'accounts of the directory that were not disabled before the import',
    }),
    notes: T.Array(T.String()),
    error: T.String({ description: 'why it failed or stopped' }),
  },
  { $id: 'DirectoryRun' },
)
export type DirectoryRun = Static<typeof DirectoryRun>

export const Directory = T.Object(
  {
    code: Code,
    settings: DirectorySettings,
    hasPassword: T.Boolean({ description: 'a password for bindDn is stored (encrypted)' }),
    members: T.Integer({ description: 'number of accounts from this directory' }),
    lastRun: Nullable(DirectoryRun),
  },
  { $id: 'Directory' },
)

export const testSteps = [
  'address',
  'connect',
  'encrypt',
  'bind',
  'members',
  'organizations',
  'groups',
  'person',
] as const
export const DirectoryTest = T.Object(
  {
    ok: T.Boolean(),
    steps: T.Array(
      T.Object({
        step: OneOf(testSteps),
        server: T.String(),
        ok: T.Boolean(),
        detail: T.String({ description: 'what was found, or what failed and how to fix it' }),
      }),
    ),
  },
  { $id: 'DirectoryTest' },
)
export type DirectoryTest = Static<typeof DirectoryTest>

/** The institution's directories, for operators. */
export const directories = {
  list: get('/console-api/v1/directories', {
    summary: 'List the directories that accounts are imported from',
    access: 'operator',
    permission: 'identity',
    reply: T.Array(Directory),
  }),
  presets: get('/console-api/v1/directory-presets', {
    summary: 'Get initial settings for OpenLDAP and Active Directory',
    access: 'operator',
    permission: 'identity',
    reply: T.Object({ openldap: DirectorySettings, activeDirectory: DirectorySettings }),
  }),
  save: put('/console-api/v1/directories/{code}', {
    summary: 'Create or update a directory; an omitted password is kept',
    access: 'operator',
    permission: 'identity',
    params,
    body: T.Object({
      settings: T.Object(settings),
      bindPassword: T.Optional(SecretText({ maxLength: 500 })),
    }),
    reply: Directory,
    errors: ['operator.beyond_own', 'operator.member_may_more', 'directory.settings_invalid'],
  }),
  remove: del('/console-api/v1/directories/{code}', {
    summary: 'Delete a directory; its members stay, without a password',
    access: 'operator',
    permission: 'identity',
    params,
    reply: T.Null(),
    errors: ['directory.not_found', 'operator.member_may_more'],
  }),
  test: post('/console-api/v1/directories/{code}/test', {
    summary: 'Test each step of accessing the directory, and report which one fails and why',
    access: 'operator',
    permission: 'identity',
    params,
    body: T.Object({
      username: T.Optional(
        T.String({ maxLength: usernameMax, description: 'also look up this person' }),
      ),
    }),
    reply: DirectoryTest,
    errors: ['directory.not_found', 'operator.member_may_more'],
  }),
  unlink: del('/console-api/v1/directories/{code}/members/{username}', {
    summary: 'Detach an account from the directory, until an import matches it by username',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ code: Code, username: Username }),
    reply: T.Null(),
    errors: ['directory.not_found', 'directory.member_not_found', 'operator.member_may_more'],
  }),
  importNow: post('/console-api/v1/directories/{code}/runs', {
    summary: 'Start an import; with `dry`, only report what it would do',
    access: 'operator',
    permission: 'identity',
    params,
    body: T.Object({ dry: T.Optional(T.Boolean()) }),
    reply: DirectoryRun,
    errors: ['directory.not_found', 'directory.busy', 'operator.member_may_more'],
  }),
  runs: get('/console-api/v1/directories/{code}/runs', {
    summary: 'List the imports of a directory, newest first; kept for 90 days',
    access: 'operator',
    permission: 'identity',
    params,
    query: T.Object(cursorQuery),
    reply: CursorPage(DirectoryRun),
    errors: ['directory.not_found'],
  }),
  run: get('/console-api/v1/directory-runs/{id}', {
    summary: 'Get an import',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ id: Id }),
    reply: DirectoryRun,
    errors: ['directory.run_not_found'],
  }),
  report: get('/console-api/v1/directory-runs/{id}/rows', {
    summary:
      'List the rows of an import, at most 2,000 per kind and outcome; refused ones with the reason',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ id: Id }),
    query: T.Object({
      ...cursorQuery,
      what: T.Optional(OneOf(['added', 'changed', 'disabled', 'refused'])),
    }),
    reply: CursorPage(
      T.Object({
        kind: OneOf(['organization', 'group', 'member']),
        what: OneOf(['added', 'changed', 'disabled', 'refused']),
        name: T.String({ description: 'code or username; for refused rows, their position' }),
        detail: T.String(),
      }),
    ),
    errors: ['directory.run_not_found'],
  }),
  confirm: post('/console-api/v1/directory-runs/{id}/confirm', {
    summary: 'Continue a stopped import, and allow it to disable the reported number of accounts',
    access: 'operator',
    permission: 'identity',
    params: T.Object({ id: Id }),
    reply: DirectoryRun,
    errors: [
      'directory.run_not_found',
      'directory.not_stopped',
      'directory.busy',
      'operator.member_may_more',
    ],
  }),
}

/** A POST, so that it is audited (reads are not): it exports everybody's data. */
export const exports = {
  members: post('/console-api/v1/exports/members', {
    summary: 'Export all members with their accounts, as CSV in the import format',
    access: 'operator',
    permission: 'identity',
    body: T.Object({}),
    reply: T.String(),
    media: 'text/csv',
  }),
  organizations: post('/console-api/v1/exports/organizations', {
    summary: 'Export all organisations, as CSV in the import format',
    access: 'operator',
    permission: 'identity',
    body: T.Object({}),
    reply: T.String(),
    media: 'text/csv',
  }),
}
