import { indexNames } from '../apps/server/src/domains/identity/members/name-index.ts'
import { openDatabase, openPool, type Pool } from '../apps/server/src/platform/database/db.ts'

const perMember = 100
const batch = 250_000

/**
 * Adds members who have a hundred messages each until the table holds so many. Message after message goes to the next
 * member, so that one member's rows lie scattered over the whole table, as years of use leave them.
 * @returns the keys of the members it made
 */
export async function addMessages(url: string, total: number): Promise<string[]> {
  const pool = openPool(url, 1)
  try {
    const { rows: counted } = await pool.query(
      'select count(*)::integer as there from message_delivery',
    )
    const missing = total - counted[0].there
    const accounts = await addMembers(pool, Math.ceil(missing / perMember))
    // The triggers would count each row into its box and check each key: the rows are right as they are, and the boxes
    // are counted once, below.
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

/** Puts other people's messages into one member's box too, until it holds so many. */
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

/** Gives the table so many sessions of a thousand members, each with the refresh token that keeps it alive. */
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

/** What the database does by itself within minutes of such a fill. */
export async function settle(url: string) {
  const pool = openPool(url, 1)
  await pool.query('set statement_timeout = 0')
  await pool.query(
    'vacuum (analyze) person, account, session, refresh_token, message, message_delivery, message_box',
  )
  await pool.query('checkpoint')
  await pool.end()
}

/** Words of the bench's articles: `w0` is in most of them, `w1999` in hardly one. */
const vocabulary = 2000

/**
 * Adds articles until the table holds so many: in sixty columns, which every third of the demo's audiences may read, each with
 * forty words of a vocabulary as unevenly used as that of a language, and a body of two thousand characters.
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
    const { rows } = await pool.query('select count(*)::integer as there from article')
    for (let from = rows[0].there; from < total; from += batch / 5)
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

/** Names as people have them: two or three characters, many of them shared. Done when all of them are found by it. */
export async function nameMembers(pool: Pool) {
  await pool.query(
    `update person set name = substr('王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗', 1 + (id % 20)::integer, 1)
       || substr('伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚桂英华建文玉', 1 + (id / 20 % 26)::integer, 1)
       || substr('晨雨欣怡梓涵浩宇博文 子轩', 1 + (id / 520 % 13)::integer, 1)
     where name = 'bench'`,
  )
  const db = openDatabase(pool)
  while ((await db.transaction().execute((db) => indexNames(db))) > 0) {
    // until everybody is found by their name
  }
}

/** Each has a calendar with so many events over a year around today, a tenth of them within this month; one in a hundred invites another. */
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
