import { type RawBuilder, sql } from 'kysely'

/** A person with the keys of all their accounts. */
export type Owner = { personId: string; accountIds: readonly string[] }

type Titles = { zh: string; en: string }
export type PersonalTable = {
  /** The column that says whose a row is; `person_id` and `id` of person name a person, any other an account. */
  column: string
  /** Further columns that name somebody whose the row is not. */
  also?: readonly string[]
  /** What the person reads above it; nothing: it is not told, for the reason given. */
  title?: Titles
  untold?: string
  /** Secrets, and keys that say nothing to a person. */
  hide?: readonly string[]
  /** What is told instead of the rows as they are. One column, `row`, of JSON. */
  rows?: (owner: Owner) => RawBuilder<{ row: Row }>
  /** What becomes of it when the accounts are closed: deleted, kept for the reason given, or changed so that it names nobody. */
  closing: 'delete' | { keep: string } | { anonymise: (owner: Owner) => RawBuilder<unknown> }
}
export type Row = Record<string, unknown>

const accounts = ({ accountIds }: Owner) => sql`any(${accountIds as string[]}::bigint[])`

/**
 * Every table that holds something of a person, in the order in which it is told and taken away. A table with a column that
 * names a person or an account and is not listed here fails a test.
 */
export const personalData: Record<string, PersonalTable> = {
  person: {
    column: 'id',
    title: { zh: '个人资料', en: 'Profile' },
    hide: ['id', 'password_hash', 'portrait_file_id'],
    closing: {
      anonymise: ({ personId }) => sql`
        update person set name = '已注销用户', name_en = 'Closed account', external_key = null, mobile = '', email = '',
          mobile_verified_at = null, email_verified_at = null, portrait_file_id = null, password_hash = null, time_zone = null
        where id = ${personId}`,
    },
  },
  account: {
    column: 'person_id',
    title: { zh: '帐号', en: 'Accounts' },
    rows: (owner) => sql`
      select jsonb_build_object('username', a.username, 'identity', i.name, 'organization', o.name, 'status', a.status,
        'created_at', a.created_at) as row
      from account a join identity_type i on i.code = a.identity_type_code join organization o on o.id = a.organization_id
      where a.id = ${accounts(owner)} order by a.id`,
    // The row stays, for what the institution keeps refers to it; the name is free for whoever comes with it next.
    closing: {
      anonymise: (owner) =>
        sql`update account set status = 'disabled', username = 'closed-' || id where id = ${accounts(owner)}`,
    },
  },
  group_member: {
    column: 'account_id',
    title: { zh: '所在群组', en: 'Groups' },
    rows: (owner) => sql`
      select jsonb_build_object('group', g.name) as row from group_member m join member_group g on g.id = m.group_id
      where m.account_id = ${accounts(owner)} order by g.name`,
    closing: 'delete',
  },
  operator_grant: {
    column: 'account_id',
    title: { zh: '管理权限', en: 'Operator permissions' },
    rows: (owner) => sql`
      select jsonb_build_object('permission', p.permission, 'organization', p.organization_code) as row
      from operator_permission p where p.account_id = ${accounts(owner)}`,
    closing: 'delete',
  },
  privacy_setting: {
    column: 'account_id',
    title: { zh: '隐私设置', en: 'Privacy settings' },
    hide: ['account_id'],
    closing: 'delete',
  },
  member_block: {
    column: 'account_id',
    also: ['blocked_account_id'],
    title: { zh: '黑名单', en: 'Blocked members' },
    rows: (owner) => sql`
      select jsonb_build_object('name', p.name, 'created_at', b.created_at) as row
      from member_block b join account a on a.id = b.blocked_account_id join person p on p.id = a.person_id
      where b.account_id = ${accounts(owner)} order by b.created_at`,
    closing: 'delete',
  },
  session: {
    column: 'account_id',
    title: { zh: '登录设备', en: 'Sessions' },
    hide: ['id', 'account_id', 'secret_hash', 'central_session_id'],
    closing: 'delete',
  },
  contact_code: {
    column: 'person_id',
    untold: 'codes on their way, as hashes, for ten minutes',
    closing: 'delete',
  },
  code_request: {
    column: 'person_id',
    untold: 'when a code was asked for, for a day, so that nobody is flooded',
    closing: 'delete',
  },
  security_question: {
    column: 'person_id',
    untold: 'the questions stand in account security; of the answers there are hashes alone',
    closing: 'delete',
  },
  known_device: {
    column: 'person_id',
    title: { zh: '用过的设备', en: 'Known devices' },
    hide: ['person_id', 'key_hash'],
    closing: 'delete',
  },
  authentication_log: {
    column: 'person_id',
    also: ['account_id'],
    title: { zh: '登录记录', en: 'Sign-in log' },
    hide: ['id', 'person_id', 'account_id'],
    closing: 'delete',
  },
  sign_in: {
    column: 'person_id',
    also: ['account_id'],
    untold: 'lives for ten minutes',
    closing: 'delete',
  },
  totp: {
    column: 'person_id',
    title: { zh: '验证器', en: 'Authenticator app' },
    hide: ['person_id', 'secret', 'last_step'],
    closing: 'delete',
  },
  recovery_code: { column: 'person_id', untold: 'secrets', closing: 'delete' },
  passkey: {
    column: 'person_id',
    title: { zh: '通行密钥', en: 'Passkeys' },
    hide: ['id', 'person_id', 'credential_id', 'public_key', 'counter', 'user_handle'],
    closing: 'delete',
  },
  message_delivery: {
    column: 'account_id',
    title: { zh: '消息', en: 'Messages' },
    rows: (owner) => sql`
      select jsonb_build_object('title', m.title, 'content', m.content, 'sender', m.sender, 'sent_at', d.sent_at,
        'read_at', d.read_at, 'starred', d.starred) as row
      from message_delivery d join message m on m.id = d.message_id
      where d.account_id = ${accounts(owner)} order by d.sent_at desc`,
    closing: 'delete',
  },
  message_box: {
    column: 'account_id',
    untold: 'counts of the messages above',
    closing: 'delete',
  },
  task: {
    column: 'applicant_account_id',
    title: { zh: '我发起的事项', en: 'Tasks begun' },
    hide: ['id', 'applicant_account_id', 'url'],
    closing: { keep: 'a task is a record of the institution’s business' },
  },
  task_step: {
    column: 'account_id',
    also: ['sent_by_account_id'],
    title: { zh: '我处理的事项', en: 'Tasks handled' },
    rows: (owner) => sql`
      select jsonb_build_object('title', t.title, 'name', s.name, 'action', s.action, 'comment', s.comment,
        'created_at', s.created_at, 'done_at', s.done_at) as row
      from task_step s join task t on t.id = s.task_id where s.account_id = ${accounts(owner)} order by s.id`,
    closing: { keep: 'who decided what is part of the institution’s business' },
  },
  calendar: {
    column: 'owner_account_id',
    title: { zh: '我的日程', en: 'Own calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name, 'title', e.title, 'location', e.location, 'description', e.description,
        'starts_local', e.starts_local, 'minutes', e.minutes, 'time_zone', e.time_zone, 'repeats', e.rrule) as row
      from calendar c join event e on e.calendar_id = c.id
      where c.owner_account_id = ${accounts(owner)} order by e.starts_local`,
    closing: 'delete',
  },
  calendar_subscription: {
    column: 'account_id',
    title: { zh: '订阅的日历', en: 'Subscribed calendars' },
    rows: (owner) => sql`
      select jsonb_build_object('calendar', c.name) as row
      from calendar_subscription s join calendar c on c.id = s.calendar_id where s.account_id = ${accounts(owner)}`,
    closing: 'delete',
  },
  service_favourite: {
    column: 'account_id',
    title: { zh: '收藏的服务', en: 'Favourite services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', f.created_at) as row
      from service_favourite f join service s on s.id = f.service_id
      where f.account_id = ${accounts(owner)} order by f.position`,
    closing: 'delete',
  },
  service_use: {
    column: 'account_id',
    title: { zh: '使用过的服务', en: 'Services used' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'use_count', u.use_count, 'last_used_at', u.last_used_at) as row
      from service_use u join service s on s.id = u.service_id
      where u.account_id = ${accounts(owner)} order by u.last_used_at desc`,
    closing: 'delete',
  },
  personal_card: {
    column: 'account_id',
    title: { zh: '一卡通、借阅与邮箱', en: 'Card, library, mailbox' },
    hide: ['account_id'],
    closing: 'delete',
  },
  user_event: {
    column: 'account_id',
    title: { zh: '使用记录', en: 'Recorded use' },
    rows: (owner) => sql`
      select jsonb_build_object('occurred_at', occurred_at, 'name', name, 'detail', detail, 'object', object_name,
        'result', result, 'os', os_name, 'device', device_type, 'user_agent', user_agent) as row
      from user_event where account_id = ${accounts(owner)} order by occurred_at desc limit 50000`,
    closing: {
      anonymise: (owner) => sql`
        update user_event set account_id = null, operator_code = '', operator_name = '', operator_role_name = '',
          operator_user_type = '', operator_organization_code = '', operator_organization_detail = '',
          operator_organization_name = '', user_agent = ''
        where account_id = ${accounts(owner)}`,
    },
  },
  account_closing: {
    column: 'person_id',
    also: ['account_id'],
    title: { zh: '注销申请', en: 'Closing requests' },
    hide: ['id', 'person_id', 'account_id'],
    closing: { keep: 'shows that the closing was asked for' },
  },
  personal_export: {
    column: 'person_id',
    also: ['account_id'],
    untold: 'this very file',
    closing: 'delete',
  },
  member_lookup: {
    column: 'account_id',
    untold: 'a counter of the last minute',
    closing: 'delete',
  },
  audit_entry: {
    column: 'operator_account_id',
    untold: 'what was done as an operator speaks of others, and is the institution’s',
    closing: { keep: 'the institution has to answer for what was done in its name' },
  },
}

/** The condition that a row is the owner's. */
export const isOf = (owner: Owner, { column }: PersonalTable, table: string) =>
  table === 'person' || column === 'person_id'
    ? sql<boolean>`${sql.ref(column)} = ${owner.personId}`
    : sql<boolean>`${sql.ref(column)} = ${accounts(owner)}`
