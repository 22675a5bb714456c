import { indexNames } from '../apps/server/src/domains/identity/members/name-index.ts'
import { openDatabase, openPool, type Pool } from '../apps/server/src/platform/database/db.ts'

const perMember = 100
const batch = 250_000

/**
 * Adds members with a hundred messages each until the table has `total` rows. Messages are assigned to members in turn,
 * so one member's rows are scattered over the table, as after years of use.
 * @returns the ids of the new members
 */
export async function addMessages(url: string, total: number): Promise<string[]> {
  const pool = openPool(url, 1)
  try {
    const { rows: counted } = await pool.query(
      'select count(*)::integer as count from message_delivery',
    )
    const missing = total - counted[0].count
    const accounts = await addMembers(pool, Math.ceil(missing / perMember))
    // Skip the triggers, which would update the box and check foreign keys per row: the rows are valid, and the boxes
    // are counted once below.
    await pool.query(
      'set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0',
    )
    for (let from = 0; from < missing; from += batch) {
      if (from > 0) process.stdout.write(`\r${from.toLocaleString('en')} messages written`)
      await pool.query(
        `with added as (
           insert into message (app_id, title, summary, search_text, sent_at)
           select ($4::bigint[])[1 + i / cardinality($3::bigint[]) % cardinality($4::bigint[])],
                  '借阅到期提醒（' || i || '）', '您借阅的图书将于三日后到期，请及时归还或续借。',
                  '借阅到期提醒(' || i || ') 您借阅的图书将于三日后到期,请及时归还或续借。',
                  now() - interval '1 year' * (1 - i / $5::float)
           from generate_series($1::integer, $2::integer - 1) as i
           returning id, app_id, sent_at
         ), numbered as (
           select added.*, $1 + row_number() over (order by id) - 1 as i from added
         )
         insert into message_delivery (account_id, message_id, app_id, sent_at, read_at)
         select ($3::bigint[])[1 + i % cardinality($3::bigint[])], id, app_id, sent_at,
                case when i / cardinality($3::bigint[]) % 10 > 0 then sent_at end
         from numbered`,
        [from, Math.min(from + batch, missing), accounts, await listApps(pool), missing],
      )
    }
    if (missing > batch) process.stdout.write('\r'.padEnd(40))
    await pool.query(
      `insert into message_box (account_id, app_id, unread, last_message_id, last_sent_at)
       select account_id, app_id, count(*) filter (where read_at is null), max(message_id), max(sent_at)
       from message_delivery where account_id = any($1) group by account_id, app_id`,
      [accounts],
    )
    return accounts
  } finally {
    await pool.end()
  }
}

/** Adds other members' messages to one member's box until it holds `total`. */
export async function growBox(url: string, accountId: string, total: number) {
  const pool = openPool(url, 1)
  await pool.query('set statement_timeout = 0')
  await pool.query(
    `insert into message_delivery (account_id, message_id, app_id, sent_at, read_at)
     select $1, id, app_id, sent_at, case when id % 10 > 0 then sent_at end from message
     where not exists (select from message_delivery as own where own.account_id = $1 and own.message_id = message.id)
     order by sent_at desc limit $2 - (select count(*) from message_delivery where account_id = $1)`,
    [accountId, total],
  )
  await pool.end()
}

/** Marks this many of a member's newest messages as unread. */
export async function markUnread(url: string, accountId: string, number: number) {
  const pool = openPool(url, 1)
  await pool.query(
    `update message_delivery set read_at = null where account_id = $1 and message_id in (
       select message_id from message_delivery where account_id = $1 order by sent_at desc limit $2)`,
    [accountId, number],
  )
  await pool.end()
}

/** Fills the table to `total` sessions of a thousand members, each with its refresh token. */
export async function addSessions(url: string, total: number) {
  const pool = openPool(url, 1)
  try {
    await pool.query('set synchronous_commit = off; set statement_timeout = 0')
    const accounts = await addMembers(pool, 1000)
    for (let from = 0; from < total; from += batch)
      await pool.query(
        `with opened as (
           insert into session (kind, account_id, address, device, expires_at, last_seen_at)
           select 'portal', ($1::bigint[])[1 + i % cardinality($1::bigint[])], '10.0.0.1',
                  '{"userAgent":"Mozilla/5.0 (Linux; Android 14; Pixel 8)"}', now() + interval '60 days',
                  now() - random() * interval '13 days'
           from generate_series($2::integer, $3::integer - 1) as i returning id
         )
         insert into refresh_token (key_hash, session_id)
         select encode(sha256(id::text::bytea), 'hex'), id from opened`,
        [accounts, from, Math.min(from + batch, total)],
      )
  } finally {
    await pool.end()
  }
}

/** Runs the maintenance that the database would do by itself within minutes. */
export async function settle(url: string) {
  const pool = openPool(url, 1)
  await pool.query('set statement_timeout = 0')
  await pool.query(
    'vacuum (analyze) person, account, session, refresh_token, message, message_delivery, message_box',
  )
  await pool.query('checkpoint')
  await pool.end()
}

/** Size of the vocabulary: `w0` occurs in most articles, `w1999` in hardly any. */
const vocabulary = 2000

/**
 * Adds articles until the table has `total` rows: in sixty columns, every third restricted to one of the demo's
 * audiences, with forty words of a vocabulary distributed as unevenly as a natural language, and a body of two thousand
 * characters.
 */
export async function addArticles(url: string, total: number) {
  const pool = openPool(url, 1)
  try {
    await pool.query('set synchronous_commit = off; set statement_timeout = 0')
    await pool.query(
      `insert into news_column (code, name, audience_id, position)
       select 'bench-' || n, '栏目' || n, case when n % 3 = 2 then
                (select id from audience order by id offset n % (select count(*) from audience) limit 1)
              else (select audience_id from news_column where code = 'headlines') end, 100 + n
       from generate_series(1, 60) n on conflict (code) do nothing`,
    )
    const { rows } = await pool.query('select count(*)::integer as count from article')
    for (let from = rows[0].count; from < total; from += batch / 5)
      await pool.query(
        `insert into article (column_id, title, summary, body, department, published_at, read_count, search)
         select c.id, '第' || i || '条资讯：' || words.list, '摘要', '<p>' || repeat('正文内容。', 400) || '</p>',
                '部门' || i % 80, now() - interval '10 years' * (1 - i / $3::float), i % 5000,
                to_tsvector('simple', words.list)
         from generate_series($1::integer, $2::integer - 1) as i
         join news_column c on c.code = 'bench-' || (1 + i % 60)
         cross join lateral (
           select string_agg('w' || floor($4 * power(random(), 4)), ' ') as list from generate_series(1, 40 + i * 0)
         ) words`,
        [from, Math.min(from + batch / 5, total), total, vocabulary],
      )
    await pool.query('vacuum (analyze) article, news_column, account, person')
    await pool.query('checkpoint')
  } finally {
    await pool.end()
  }
}

export async function addMembers(pool: Pool, members: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with people as (
       insert into person (name) select 'bench' from generate_series(1, $1::integer) returning id
     )
     insert into account (person_id, username, identity_type_code, organization_id, status)
     select id, 'bench' || id, (select min(code) from identity_type), (select min(id) from organization), 'active' from people
     returning id`,
    [members],
  )
  return rows.map((row) => row.id)
}

/** Gives members realistic names: two or three characters, many of them shared. Returns when all are searchable. */
export async function nameMembers(pool: Pool) {
  await pool.query(
    `update person set name = substr('王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗', 1 + (id % 20)::integer, 1)
       || substr('伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚桂英华建文玉', 1 + (id / 20 % 26)::integer, 1)
       || substr('晨雨欣怡梓涵浩宇博文 子轩', 1 + (id / 520 % 13)::integer, 1)
     where name = 'bench'`,
  )
  const db = openDatabase(pool)
  while ((await db.transaction().execute((db) => indexNames(db))) > 0) {
    // until all names are indexed
  }
}

/**
 * Gives each account a calendar with this many events over a year around today, a tenth of them this month; one in a
 * hundred has a guest.
 */
export async function addEvents(pool: Pool, accounts: readonly string[], perMember: number) {
  await pool.query(
    'set session_replication_role = replica; set synchronous_commit = off; set statement_timeout = 0',
  )
  await pool.query(
    `with given as (
       select id, place, lead(id, 1, ($1::bigint[])[1]) over (order by place) as guest
       from unnest($1::bigint[]) with ordinality as one (id, place)
     ), own as (
       insert into calendar (kind, source, source_key, name, owner_account_id)
       select 'personal', 'own', id, '我的日程', id from given returning id, owner_account_id
     ), made as (
       insert into event (calendar_id, title, location, starts_local, minutes, time_zone)
       select own.id, '事项 ' || n, '教一 101', date_trunc('hour', now()) + (n - $2 / 2) * interval '17 hours', 60, 'Asia/Shanghai'
       from own, generate_series(1, $2::integer) n returning id, calendar_id, starts_local
     ), invited as (
       -- the next member, to one in a hundred
       insert into event_participant (event_id, account_id, answer)
       select made.id, given.guest, 'yes' from made join own on own.id = made.calendar_id
       join given on given.id = own.owner_account_id and given.guest <> given.id
       where round(extract(epoch from made.starts_local - date_trunc('hour', now()::timestamp)) / 61200) % 100 = 0
     )
     insert into event_occurrence (event_id, calendar_id, original_local, starts_at, ends_at)
     select id, calendar_id, starts_local, starts_local at time zone 'Asia/Shanghai',
       (starts_local at time zone 'Asia/Shanghai') + interval '1 hour' from made`,
    [accounts, perMember],
  )
  await pool.query('set session_replication_role = default')
}

async function listApps(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from message_app order by id')
  return rows.map((row) => row.id)
}
