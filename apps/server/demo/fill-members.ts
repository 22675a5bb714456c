import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { uploadedFiles } from './files.ts'
import { generatedMembers, groups, identityTypes, namedMembers, secondAccount } from './members.ts'
import { organization, organizations } from './organizations.ts'
import { cardsAt } from './personal.ts'
import { type Ids, insert, numbered } from './rows.ts'

export async function fillPeople(db: Db, passwordHash: string) {
  await insert(
    db,
    'identity_type',
    identityTypes.map(({ code, name, nameEn, label }, position) => ({
      code,
      name,
      name_en: nameEn,
      label,
      position,
    })),
  )
  const organizationIds = new Map(organizations.map(({ code }, at) => [code, at + 1]))
  await insert(
    db,
    'organization',
    numbered(organizations, ({ code, name, nameEn, parentCode }, id) => ({
      code,
      name,
      name_en: nameEn,
      parent_id: parentCode && organizationIds.get(parentCode),
      path: pathOf(code),
      position: id,
    })),
  )
  await insert(
    db,
    'member_group',
    numbered(groups, ({ code, name, nameEn }) => ({ code, name, name_en: nameEn })),
  )

  const members = [...namedMembers, ...generatedMembers]
  await insert(
    db,
    'person',
    numbered(members, (member, id) => ({
      external_key: member.number.toLowerCase(),
      name: member.name,
      name_en: member.nameEn,
      mobile: member.mobile,
      email: member.email,
      password_hash: id <= namedMembers.length ? passwordHash : null,
      created_at: new Date(),
    })),
  )
  await insert(
    db,
    'account',
    numbered([...members, secondAccount], (account, id) => ({
      person_id:
        account === secondAccount
          ? members.findIndex(({ username }) => username === secondAccount.of) + 1
          : id,
      username: usernameOf(account),
      identity_type_code: account.identityCode,
      organization_id: organizationIds.get(account.organizationCode),
      status: account === secondAccount || id <= namedMembers.length ? 'active' : 'inactive',
      created_at: new Date(),
    })),
  )
  const groupIds = new Map(groups.map(({ code }, at) => [code, at + 1]))
  await insert(
    db,
    'group_member',
    members.flatMap(({ groupCodes }, at) =>
      groupCodes.map((code) => ({ group_id: groupIds.get(code), account_id: at + 1 })),
    ),
  )
}

export const usernameOf = ({ username }: { username: string }) => username.toLowerCase()

function pathOf(code: string): string[] {
  const { parentCode } = organization(code)
  return parentCode ? [...pathOf(parentCode), code] : [code]
}

/** Members blocked by the student, the teacher's privacy settings, and requests to close accounts. */
export async function fillPrivacy(db: Db, today: Date, accountIds: Ids) {
  const someone = (at: number) =>
    accountIds.get(usernameOf(generatedMembers[at] as { username: string }))
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  await insert(
    db,
    'member_block',
    [3, 11].map((at, index) => ({
      account_id: accountIds.get('student'),
      blocked_account_id: someone(at),
      created_at: daysAgo(12 + index * 40),
    })),
  )
  await insert(db, 'privacy_setting', [
    {
      account_id: accountIds.get('teacher'),
      mobile_shown_to: 'organization',
      email_shown_to: 'everybody',
      updated_at: daysAgo(30),
    },
  ])
  await insert(
    db,
    'account_closing',
    [1990, 1975].map((at, index) => ({
      person_id: someone(at),
      account_id: someone(at),
      reason: index === 0 ? '访问已结束，不再使用' : '',
      requested_at: daysAgo(index + 2),
      due_at: daysAgo(index - 5),
    })),
  )
}

/** Another session of the student, and a stranger's failed attempts to sign in as her. */
export async function fillDevices(db: Db, today: Date, accountIds: Ids) {
  for (const table of ['session', 'authentication_log'])
    await sql`delete from ${sql.table(table)} where device ->> 'deviceId' like 'demo-%'`.execute(db)
  const [account] = await db
    .selectFrom('account')
    .select(['id', 'person_id'])
    .where('id', '=', accountIds.get('student') ?? '0')
    .execute()
  const ago = (hours: number) => new Date(today.getTime() - hours * 3_600_000)
  await insert(db, 'session', [
    {
      kind: 'portal',
      account_id: account?.id,
      device: phone,
      address: '10.20.36.118',
      way: 'password',
      idle_days: 14,
      created_at: ago(9 * 24),
      last_seen_at: ago(5),
      confirmed_at: ago(9 * 24),
      expires_at: new Date(today.getTime() + 81 * 86_400_000),
    },
  ])
  await insert(
    db,
    'authentication_log',
    [
      { device: phone, way: 'password', result: 'ok', address: '10.20.36.118', hours: 9 * 24 },
      { device: stranger, way: 'password', result: 'refused', address: '203.0.113.77', hours: 50 },
      {
        device: stranger,
        way: 'password',
        result: 'refused',
        address: '203.0.113.77',
        hours: 49.9,
      },
    ].map(({ hours, ...entry }) => ({
      ...entry,
      person_id: account?.person_id,
      account_id: account?.id,
      username: '',
      happened_at: ago(hours),
    })),
  )
}

const phone = {
  deviceId: 'demo-phone',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
}

const stranger = {
  deviceId: 'demo-stranger',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
}

/** The student's uploads, for viewing and deleting. */
export async function fillFiles(db: Db, files: Files, accountIds: Ids) {
  for (const { name, mediaType, content } of uploadedFiles) {
    const id = await files.keep(db, Buffer.from(content), { mediaType, isPublic: false })
    await db.updateTable('file').set({ name }).where('id', '=', id).execute()
    await insert(db, 'file_owner', [{ file_id: id, account_id: accountIds.get('student') }])
  }
}

export async function fillCards(db: Db, today: Date, accountIds: Ids) {
  const asOf = new Date(today.getTime() - 20 * 60_000)
  await insert(
    db,
    'personal_card',
    cardsAt(today).flatMap(({ username, ecard, books, mailbox, research, info }) =>
      Object.entries({ ecard, books, mailbox, research, info })
        .filter(([, value]) => value !== null)
        .map(([kind, value]) => ({
          account_id: accountIds.get(username.toLowerCase()),
          kind,
          value,
          updated_at: asOf,
        })),
    ),
  )
}
