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
    title: { zh: '账号', en: 'Accounts' },
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
  directory_entry: {
    column: 'account_id',
    title: { zh: '来自的目录', en: 'Directory of origin' },
    rows: (owner) => sql`
      select jsonb_build_object('directory', d.settings ->> 'name', 'entry', e.external_key) as row
      from directory_entry e join directory d on d.id = e.directory_id where e.account_id = ${accounts(owner)}`,
    closing: 'delete',
  },
  scim_user: {
    column: 'account_id',
    title: { zh: '由其他系统提供的资料', en: 'Pushed by another system' },
    rows: (owner) => sql`
      select jsonb_build_object('system', c.name, 'key', u.external_id, 'resource', u.resource, 'updated_at', u.updated_at) as row
      from scim_user u join scim_client c on c.id = u.client_id where u.account_id = ${accounts(owner)}`,
    closing: 'delete',
  },
  file_owner: {
    column: 'account_id',
    title: { zh: '上传的文件', en: 'Uploaded files' },
    rows: (owner) => sql`
      select jsonb_build_object('name', f.name, 'media_type', f.media_type, 'bytes', f.byte_size, 'uploaded_at', f.created_at) as row
      from file_owner o join file f on f.id = o.file_id where o.account_id = ${accounts(owner)} order by f.id`,
    // What nothing of the institution's refers to is taken away the following night.
    closing: {
      anonymise: (owner) => sql`
        with gone as (delete from file_owner where account_id = ${accounts(owner)} returning file_id)
        update file set name = '', used_at = to_timestamp(0) where id in (select file_id from gone)`,
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
    hide: ['id', 'account_id', 'secret_hash', 'central_session_id', 'federated_login_id'],
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
  federated_identity: {
    column: 'person_id',
    title: { zh: '绑定的第三方登录', en: 'Linked sign-ins' },
    rows: ({ personId }) => sql`
      select jsonb_build_object('provider', p.name, 'subject', i.subject, 'display', i.display, 'created_at', i.created_at,
        'last_used_at', i.last_used_at) as row
      from federated_identity i join identity_provider p on p.id = i.provider_id
      where i.person_id = ${personId} order by i.id`,
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
  openid_entry: {
    column: 'account_id',
    untold: 'codes and tokens of the sessions that are told; they end with them',
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
  service_report: {
    column: 'account_id',
    title: { zh: '报告过打不开的服务', en: 'Services reported as not opening' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'reported_at', r.reported_at) as row
      from service_report r join service s on s.id = r.service_id
      where r.account_id = ${accounts(owner)} order by r.reported_at desc`,
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
  service_placement_cancel: {
    column: 'account_id',
    title: { zh: '移除的部门推荐服务', en: 'Departments’ services taken off' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', c.created_at) as row
      from service_placement_cancel c join service s on s.id = c.service_id
      where c.account_id = ${accounts(owner)} order by c.created_at desc`,
    closing: 'delete',
  },
  article_favourite: {
    column: 'account_id',
    title: { zh: '收藏的资讯', en: 'Favourite articles' },
    rows: (owner) => sql`
      select jsonb_build_object('title', a.title, 'created_at', f.created_at) as row
      from article_favourite f join article a on a.id = f.article_id
      where f.account_id = ${accounts(owner)} order by f.position`,
    closing: 'delete',
  },
  file_favourite: {
    column: 'account_id',
    title: { zh: '收藏的文件', en: 'Favourite files' },
    hide: ['id', 'account_id', 'position'],
    closing: 'delete',
  },
  article_visit: {
    column: 'account_id',
    title: { zh: '浏览历史', en: 'Articles read' },
    rows: (owner) => sql`
      select jsonb_build_object('title', a.title, 'visited_at', v.visited_at) as row
      from article_visit v join article a on a.id = v.article_id
      where v.account_id = ${accounts(owner)} order by v.visited_at desc`,
    closing: 'delete',
  },
  evaluation: {
    column: 'account_id',
    title: { zh: '服务评价', en: 'Ratings of services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'stars', e.stars, 'comment', e.comment, 'reply', e.reply,
        'hidden_reason', e.hidden_reason, 'updated_at', e.updated_at, 'photos', (select count(*) from evaluation_photo p where p.evaluation_id = e.id)) as row
      from evaluation e join service s on s.id = e.service_id
      where e.account_id = ${accounts(owner)} order by e.updated_at desc`,
    closing: 'delete',
  },
  evaluation_upload: {
    column: 'account_id',
    untold: 'files of the ratings above, and of none for a day',
    // The opinions are gone; the job takes away what they showed.
    closing: {
      anonymise: (owner) =>
        sql`update evaluation_upload set account_id = null where account_id = ${accounts(owner)}`,
    },
  },
  service_use: {
    column: 'account_id',
    title: { zh: '使用过的服务', en: 'Services used' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'use_count', u.use_count, 'seconds', u.seconds,
        'last_used_at', u.last_used_at) as row
      from service_use u join service s on s.id = u.service_id
      where u.account_id = ${accounts(owner)} order by u.last_used_at desc`,
    closing: 'delete',
  },
  article: {
    column: 'author_account_id',
    title: { zh: '我撰写的资讯', en: 'Articles written' },
    rows: (owner) => sql`
      select jsonb_build_object('title', title, 'column', (select c.name from news_column c where c.id = column_id),
        'status', status, 'published_at', published_at) as row
      from article where author_account_id = ${accounts(owner)} order by id`,
    closing: { keep: 'what the institution published stays its own' },
  },
  article_version: {
    column: 'writer_account_id',
    untold: 'told with the articles themselves',
    closing: {
      anonymise: (owner) =>
        sql`update article_version set writer_account_id = null where writer_account_id = ${accounts(owner)}`,
    },
  },
  article_work: {
    column: 'reviewer_account_id',
    untold: 'says only that a text of the institution was looked at',
    closing: {
      anonymise: (owner) =>
        sql`update article_work set reviewer_account_id = null where reviewer_account_id = ${accounts(owner)}`,
    },
  },
  announcement_confirmation: {
    column: 'account_id',
    title: { zh: '确认阅读的公告', en: 'Announcements confirmed' },
    rows: (owner) => sql`
      select jsonb_build_object('announcement', a.title, 'confirmed_at', c.confirmed_at) as row
      from announcement_confirmation c join article a on a.id = c.article_id
      where c.account_id = ${accounts(owner)} order by c.confirmed_at`,
    closing: 'delete',
  },
  letter: {
    column: 'account_id',
    also: ['answerer_account_id'],
    title: { zh: '给部门的来信', en: 'Letters to departments' },
    rows: (owner) => sql`
      select jsonb_build_object('mailbox', m.name, 'title', l.title, 'content', l.content, 'answer', l.answer,
        'published', l.published_at is not null, 'created_at', l.created_at) as row
      from letter l join mailbox m on m.id = l.mailbox_id where l.account_id = ${accounts(owner)} order by l.id`,
    closing: 'delete',
  },
  article_comment: {
    column: 'account_id',
    also: ['decided_account_id'],
    title: { zh: '我的评论', en: 'Comments written' },
    rows: (owner) => sql`
      select jsonb_build_object('article', a.title, 'content', c.content, 'status', c.status, 'reason', c.reason,
        'created_at', c.created_at) as row
      from article_comment c join article a on a.id = c.article_id
      where c.account_id = ${accounts(owner)} order by c.id`,
    closing: 'delete',
  },
  article_comment_report: {
    column: 'account_id',
    title: { zh: '我举报的评论', en: 'Comments reported' },
    rows: (owner) => sql`
      select jsonb_build_object('reason', reason, 'created_at', created_at) as row
      from article_comment_report where account_id = ${accounts(owner)} order by created_at`,
    closing: 'delete',
  },
  article_like: {
    column: 'account_id',
    title: { zh: '点赞的资讯', en: 'Articles liked' },
    rows: (owner) => sql`
      select jsonb_build_object('article', a.title, 'created_at', l.created_at) as row
      from article_like l join article a on a.id = l.article_id
      where l.account_id = ${accounts(owner)} order by l.created_at`,
    closing: 'delete',
  },
  news_subscription: {
    column: 'account_id',
    title: { zh: '资讯栏目订阅', en: 'News columns' },
    rows: (owner) => sql`
      select jsonb_build_object('column', c.name, 'subscribed', s.subscribed) as row
      from news_subscription s join news_column c on c.id = s.column_id
      where s.account_id = ${accounts(owner)} order by s.position`,
    closing: 'delete',
  },
  message_app_in_group: {
    column: 'account_id',
    untold: 'told with the groups themselves',
    closing: 'delete',
  },
  message_app_group: {
    column: 'account_id',
    title: { zh: '消息应用分组', en: 'Groups of message applications' },
    rows: (owner) => sql`
      select jsonb_build_object('name', g.name, 'applications', (
        select coalesce(jsonb_agg(a.name order by a.position), '[]') from message_app_in_group i
        join message_app a on a.id = i.app_id where i.group_id = g.id)) as row
      from message_app_group g where g.account_id = ${accounts(owner)} order by g.position`,
    closing: 'delete',
  },
  service_guide_alert: {
    column: 'account_id',
    title: { zh: '不再提示的办事指南', en: 'Guides not shown again' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', g.created_at) as row
      from service_guide_alert g join service s on s.id = g.service_id
      where g.account_id = ${accounts(owner)} order by g.created_at`,
    closing: 'delete',
  },
  service_owner: {
    column: 'account_id',
    title: { zh: '负责的服务', en: 'Services answered for' },
    rows: (owner) => sql`
      select jsonb_build_object('service', s.name, 'created_at', o.created_at) as row
      from service_owner o join service s on s.id = o.service_id
      where o.account_id = ${accounts(owner)} order by s.name`,
    closing: 'delete',
  },
  consent: {
    column: 'account_id',
    title: { zh: '授权的应用', en: 'Authorised services' },
    rows: (owner) => sql`
      select jsonb_build_object('service', coalesce(nullif(p.name, ''), s.name, p.code), 'attributes', c.attributes,
        'given_at', c.given_at) as row
      from consent c join relying_party p on p.id = c.relying_party_id left join service s on s.id = p.service_id
      where c.account_id = ${accounts(owner)} order by c.given_at`,
    closing: 'delete',
  },
  attribute_release: {
    column: 'account_id',
    title: { zh: '提供给应用的信息', en: 'What services were told' },
    rows: (owner) => sql`
      select jsonb_build_object('service', coalesce(nullif(p.name, ''), s.name, p.code), 'attributes', r.attributes,
        'first_at', r.first_at, 'last_at', r.last_at, 'times', r.release_count) as row
      from attribute_release r join relying_party p on p.id = r.relying_party_id left join service s on s.id = p.service_id
      where r.account_id = ${accounts(owner)} order by r.last_at desc`,
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
