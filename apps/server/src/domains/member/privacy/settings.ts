import type { PrivacySettings, ShowTo } from '@atrium/contract/member/privacy'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { invalidate } from '#platform/database/topics.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { isShown, type LocatedAccount } from './rules.ts'

const columns = {
  mobile: 'mobile_shown_to',
  email: 'email_shown_to',
  portrait: 'portrait_shown_to',
  useRecorded: 'use_recorded',
  lettersAllowed: 'letters_allowed',
  listed: 'listed',
} as const

/** The institution's defaults for members who have not chosen. */
async function getDefaults(platform: Platform): Promise<PrivacySettings> {
  const settings = await currentSettings(platform)
  return {
    mobile: settings.privacyMobile as ShowTo,
    email: settings.privacyEmail as ShowTo,
    portrait: settings.privacyPortrait as ShowTo,
    useRecorded: settings.privacyUseRecorded === '1',
    lettersAllowed: settings.privacyLetters === '1',
    listed: settings.privacyListed === '1',
  }
}

type Stored = { [K in keyof PrivacySettings]: PrivacySettings[K] | null }

/** Fills in the institution's defaults for unset values. */
const filled = (defaultSettings: PrivacySettings, stored: Partial<Stored> | undefined) =>
  Object.fromEntries(
    (Object.keys(columns) as (keyof PrivacySettings)[]).map((key) => [
      key,
      stored?.[key] ?? defaultSettings[key],
    ]),
  ) as PrivacySettings

const selectStored = (db: Db) =>
  db
    .selectFrom('privacy_setting')
    .select([
      'account_id',
      sql<ShowTo | null>`mobile_shown_to`.as('mobile'),
      sql<ShowTo | null>`email_shown_to`.as('email'),
      sql<ShowTo | null>`portrait_shown_to`.as('portrait'),
      'use_recorded as useRecorded',
      'letters_allowed as lettersAllowed',
      'listed',
    ])

/** A member's privacy settings. */
export const privacyOf = async (platform: Platform, accountId: string): Promise<PrivacySettings> =>
  filled(
    await getDefaults(platform),
    await selectStored(platform.db).where('account_id', '=', accountId).executeTakeFirst(),
  )

/** Changes the given settings only. Call in a transaction. */
export async function updatePrivacy(db: Db, accountId: string, changed: Partial<PrivacySettings>) {
  const values = Object.fromEntries(
    Object.entries(changed).map(([key, value]) => [columns[key as keyof PrivacySettings], value]),
  )
  await db
    .insertInto('privacy_setting')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ ...values, updated_at: sql`now()` }),
    )
    .execute()
  if (changed.listed !== undefined) await invalidate(db, 'people')
}

/** SQL condition on `account`: the member is listed in the address book. */
export async function isListed(platform: Platform): Promise<RawBuilder<boolean>> {
  const { listed } = await getDefaults(platform)
  return sql<boolean>`coalesce(
    (select setting.listed from privacy_setting setting where setting.account_id = account.id), ${listed}::boolean)`
}

/**
 * SQL condition on `account` for all searches for people: members who are not listed are found only by their whole
 * username, which the searcher must already know.
 */
export async function isFindable(platform: Platform, words: string): Promise<RawBuilder<boolean>> {
  return sql<boolean>`(account.username = ${words.trim().toLowerCase()} or ${await isListed(platform)})`
}

/** Whether this caller's activity may be recorded under their name; never for visitors. */
export const mayRecordUse = async (platform: Platform, viewer: Viewer): Promise<boolean> =>
  viewer.signedIn && (await privacyOf(platform, viewer.accountId)).useRecorded

/**
 * Whether a member accepts messages from another one: messages are allowed, and no account of the sender is blocked.
 */
export const acceptsMessagesFrom = async (
  platform: Platform,
  accountId: string,
  writerAccountId: string,
): Promise<boolean> => (await listRefusing(platform, [accountId], writerAccountId)).length === 0

/** Those of these members who do not accept messages from the sender. */
export async function listRefusing(
  platform: Platform,
  accountIds: readonly string[],
  writerAccountId: string,
): Promise<string[]> {
  const { lettersAllowed } = await getDefaults(platform)
  const { rows } = await sql<{ id: string }>`
    select member.id::text from unnest(${accountIds as string[]}::bigint[]) as member (id)
    left join privacy_setting setting on setting.account_id = member.id
    where not coalesce(setting.letters_allowed, ${lettersAllowed}) or exists (
      select from member_block block
      join account blocked on blocked.id = block.blocked_account_id
      join account writer on writer.person_id = blocked.person_id
      where block.account_id = member.id and writer.id = ${writerAccountId})`.execute(platform.db)
  return rows.map(({ id }) => id)
}

export type VisibleFields = Pick<
  Record<keyof PrivacySettings, boolean>,
  'mobile' | 'email' | 'portrait'
>

/** The fields a caller may see of these members, by account; unknown accounts are left out. */
export async function visibleFields(
  platform: Platform,
  viewer: Viewer,
  accountIds: readonly string[],
): Promise<Map<string, VisibleFields>> {
  const defaultSettings = await getDefaults(platform)
  const queriedIds = viewer.signedIn ? [viewer.accountId, ...accountIds] : accountIds
  const places = await platform.db
    .selectFrom('account')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select(['account.id as accountId', 'organization.path'])
    .where('account.id', '=', sql<string>`any(${queriedIds as string[]}::bigint[])`)
    .execute()
  const chosen = await selectStored(platform.db)
    .where('account_id', '=', sql<string>`any(${accountIds as string[]}::bigint[])`)
    .execute()
  const self: LocatedAccount | null =
    places.find((place) => viewer.signedIn && place.accountId === viewer.accountId) ?? null
  return new Map(
    places
      .filter(({ accountId }) => accountIds.includes(accountId))
      .map((account) => {
        const settings = filled(
          defaultSettings,
          chosen.find((row) => row.account_id === account.accountId),
        )
        const canSee = (field: keyof VisibleFields) => isShown(settings[field], self, account)
        return [
          account.accountId,
          { mobile: canSee('mobile'), email: canSee('email'), portrait: canSee('portrait') },
        ]
      }),
  )
}
