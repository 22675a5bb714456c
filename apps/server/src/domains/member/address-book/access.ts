import { type RawBuilder, sql } from 'kysely'
import { isListed } from '#domains/member/privacy/settings.ts'
import { cachedRead } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member, Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

const maxLookupsPerMinute = 120

const fields = ['mobile', 'email', 'portrait', 'office'] as const
export type BookFields = Record<(typeof fields)[number], boolean>

/** The institution's settings for the address book, cached until they change. */
export const bookRules = cachedRead(['config'], async (platform) => {
  const settings = await currentSettings(platform)
  const list = (text: string) => JSON.parse(text) as string[]
  const shownFields = list(settings.addressBookFields)
  return {
    isOn: settings.ENV_ENABLE_ADDRESSLIST !== '',
    readers: list(settings.addressBookReaders),
    hiddenIdentities: list(settings.addressBookHiddenIdentities),
    hiddenOrganizations: list(settings.addressBookHiddenOrganizations),
    fields: Object.fromEntries(
      fields.map((field) => [field, shownFields.includes(field)]),
    ) as BookFields,
    peopleADay: Number(settings.addressBookPeopleADay),
  }
})

/** Whether the institution has an address book that is open to this caller. */
export async function mayReadBook(platform: Platform, viewer: Viewer): Promise<boolean> {
  return viewer.signedIn && isOpenTo(await bookRules(platform), viewer)
}

export type BookRules = Awaited<ReturnType<typeof bookRules>>

export const isOpenTo = ({ isOn, readers }: BookRules, viewer: Member): boolean =>
  isOn && (readers.length === 0 || readers.includes(viewer.identityTypeCode))

/** @throws address_book.off */
export async function requireBook(platform: Platform, viewer: Viewer) {
  if (!(await mayReadBook(platform, viewer))) fail('address_book.off')
}

/** SQL condition on `account` joined with its `organization`: the account is listed in the address book. */
export async function isInBook(platform: Platform): Promise<RawBuilder<boolean>> {
  const { hiddenIdentities, hiddenOrganizations } = await bookRules(platform)
  return sql<boolean>`(account.status <> 'disabled'
    and account.identity_type_code <> all(${hiddenIdentities}::text[])
    and not organization.path && ${hiddenOrganizations}::text[]
    and ${await isListed(platform)})`
}

/** The fields the institution allows in the address book; people can restrict their own further. */
export const bookFields = async (platform: Platform): Promise<BookFields> =>
  (await bookRules(platform)).fields

/**
 * Counts one lookup towards the limits, whether or not anybody is found.
 * @param people number of people whose contacts will be shown
 * @throws request.too_many
 */
export async function countBookLookup(platform: Platform, { accountId }: Member, people: 0 | 1) {
  const usage = await insertLookup(platform.db, accountId, people)
  if (usage.minute > maxLookupsPerMinute) fail('request.too_many', { retryAfter: 60 })
  const { peopleADay } = await bookRules(platform)
  if (people > 0 && usage.day > peopleADay) fail('request.too_many', { retryAfter: 3600 })
}

async function insertLookup(db: Db, accountId: string, people: number) {
  const { rows } = await sql<{ minute: number; day: number }>`
    insert into address_book_use as used (account_id, in_day) values (${accountId}, ${people})
    on conflict (account_id) do update set
      in_minute = case when used.minute < now() - interval '1 minute' then 1 else used.in_minute + 1 end,
      minute = case when used.minute < now() - interval '1 minute' then now() else used.minute end,
      in_day = case when used.day < now() - interval '1 day' then 0 else used.in_day end + ${people}::integer,
      day = case when used.day < now() - interval '1 day' then now() else used.day end
    returning in_minute as minute, in_day as day`.execute(db)
  return rows[0] ?? { minute: 0, day: 0 }
}
