import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openTopics } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { ownDatabase } from '../../../../test/own-database.ts'
import { accountsNamed, indexNames, startNameIndex } from './name-index.ts'
import { nameWords, typedWords } from './name-words.ts'

describe('the search words of a member', () => {
  const words = (name: string, nameEn = '', username = 'u1') =>
    nameWords({ name, nameEn, username })

  test.each([
    ['suffixes of the name', '林知夏', ['林知夏', '知夏', '夏']],
    ['pinyin', '林知夏', ['linzhixia', 'zhixia', 'xia']],
    ['pinyin initials', '林知夏', ['lzx', 'zx', 'x']],
    ['the special reading of a family name', '单雄信', ['shanxiongxin']],
    ['the words of a Latin name', 'Ana María López', ['ana', 'maría', 'lópez', 'anamaríalópez']],
    ['the username', '林知夏', ['u1']],
  ])('include %s', (_, name, expected) => {
    expect(words(name)).toEqual(expect.arrayContaining(expected))
  })

  test('include the English name, as a whole and by words', () => {
    expect(words('林知夏', 'Zhixia Lin')).toEqual(
      expect.arrayContaining(['zhixia', 'lin', 'zhixialin']),
    )
  })

  test('are unique, short and in lower case for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string(), (name, nameEn) => {
        const indexed = words(name, nameEn)
        expect(new Set(indexed).size).toBe(indexed.length)
        expect(indexed.every((word) => word.length <= 60 && word === word.toLowerCase())).toBe(true)
      }),
    )
  })

  test('typed text is split into words regardless of case and spaces', () => {
    expect(typedWords('  Chen  SIQI ')).toEqual(['chen', 'siqi'])
    expect(typedWords(' ')).toEqual([])
  })
})

test('the index follows name changes and finds members by prefix', async () => {
  const { db } = await ownDatabase()
  await sql`
    insert into identity_type (code, name, name_en) values ('T', '教师', 'Teacher');
    insert into organization (code, name, name_en, path) values ('A', 'A', '', '{A}'), ('B', 'B', '', '{B}')`.execute(
    db,
  )
  const people = [
    ['1', '林知夏', 'A'],
    ['2', '林知', 'A'],
    ['3', '林知夏天', 'B'],
    ['4', '王林', 'B'],
  ] as const
  for (const [username, name, code] of people)
    await sql`
      with made as (insert into person (name, name_en) values (${name}, '') returning id)
      insert into account (username, person_id, identity_type_code, organization_id, status)
      select ${`p${username}`}, made.id, 'T', organization.id, 'active' from made, organization where code = ${code}`.execute(
      db,
    )
  const index = async () => {
    while ((await indexNames(db, 3)) > 0) {
      // until the queue is empty
    }
  }
  await index()
  const find = async (text: string, where = sql<boolean>`true`, limit = 10) => {
    const { rows } = await sql<{ username: string }>`
      select account.username from ${accountsNamed(text, where, limit)} as named
      join account on account.id = named.id order by place`.execute(db)
    return rows.map(({ username }) => username)
  }
  // Exact matches come first.
  expect(await find('林知')).toEqual(['p2', 'p1', 'p3'])
  expect(await find('lzx')).toEqual(['p1', 'p3'])
  expect(await find('林 王')).toEqual(['p4'])
  expect(await find('%')).toEqual([])
  expect(await find('林知', sql<boolean>`organization.code = 'B'`)).toEqual(['p3'])
  expect(await find('p', undefined, 2)).toHaveLength(2)

  await sql`update person set name = '赵知夏' where name = '林知夏'`.execute(db)
  await sql`update account set username = 'q3' where username = 'p3'`.execute(db)
  await index()
  expect(await find('林知')).toEqual(['p2', 'q3'])
  expect(await find('zhaozhi')).toEqual(['p1'])
  await sql`delete from account where username = 'p1'`.execute(db)
  expect(await find('zhaozhi')).toEqual([])
})

test('a name that changes while it is indexed is indexed again', async () => {
  const { db } = await ownDatabase()
  await sql`
    insert into identity_type (code, name, name_en) values ('T', '教师', 'Teacher');
    insert into organization (code, name, name_en, path) values ('A', 'A', '', '{A}');
    insert into person (name, name_en) values ('林一', '');
    insert into account (username, person_id, identity_type_code, organization_id, status)
      select 'p1', person.id, 'T', organization.id, 'active' from person, organization`.execute(db)
  const changing = db.transaction().execute(async (change) => {
    await sql`update person set name = '王一'`.execute(change)
    // Locked by the change: nobody else processes it with the old name.
    expect(await db.transaction().execute((other) => indexNames(other))).toBe(0)
  })
  await changing
  expect(await indexNames(db)).toBe(1)
  const { rows } = await sql`select from account_name_word where word = 'wangyi'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a new name is indexed when it is committed, not at the next check', async () => {
  const { url, db } = await ownDatabase()
  const log = pino({ level: 'silent' })
  const topics = await openTopics(url, log)
  const index = startNameIndex({ db, log, topics } as unknown as Platform)
  const isIndexed = async (word: string) => {
    const { rows } = await sql`select from account_name_word where word = ${word}`.execute(db)
    return rows.length === 1
  }
  try {
    await sql`
      insert into identity_type (code, name, name_en) values ('T', '教师', 'Teacher');
      insert into organization (code, name, name_en, path) values ('A', 'A', '', '{A}');
      insert into person (name, name_en) values ('林一', '');
      insert into account (username, person_id, identity_type_code, organization_id, status)
        select 'p1', person.id, 'T', organization.id, 'active' from person, organization`.execute(
      db,
    )
    await expect.poll(() => isIndexed('linyi')).toBe(true)
    // Twice: the first may have been found by the check at the start.
    const announced: string[] = []
    topics.on(({ kind }) => void announced.push(kind))
    await sql`update person set name = '王一'`.execute(db)
    await topics.flushed()
    expect(announced).toEqual(['names'])
    await index.stop()
    expect(await isIndexed('wangyi')).toBe(true)
  } finally {
    await index.stop()
    await topics.close()
  }
})
