import type { FoundPerson } from '@atrium/contract/discovery/search'
import { sql } from 'kysely'
import { accountsNamed, isNamePrefix } from '#domains/identity/members/name-index.ts'
import { countBookLookup, isInBook, mayReadBook } from '#domains/member/address-book/access.ts'
import { contactsShown } from '#domains/member/address-book/queries.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import type { AnswerSource, Candidate, RecordSource } from '#platform/search-source.ts'
import { emptyAnswer } from '#platform/search-source.ts'
import { subjectOf } from '#platform/text/subject-of.ts'

async function findPeople(
  platform: Platform,
  text: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Candidate[]> {
  if (!(await isNamePrefix(platform.db, text))) return []
  const { rows } = await sql<Row>`
    select account.id, person.name, person.name_en as "nameEn", organization.name as organization,
      organization.name_en as "organizationEn"
    from ${accountsNamed(text, await isInBook(platform), (offset + limit) * 4)} as named
    join account on account.id = named.id join person on person.id = account.person_id
    join organization on organization.id = account.organization_id
    order by named.place, account.id limit ${limit} offset ${offset}`.execute(platform.db)
  return rows.map((row) => ({
    id: row.id,
    title: row.name,
    titleEn: row.nameEn,
    text: row.organization,
    textEn: row.organizationEn,
  }))
}
type Row = {
  id: string
  name: string
  nameEn: string
  organization: string
  organizationEn: string
}

/** Finds people by prefixes of their names; longer texts are not names. */
export const people: RecordSource = {
  kind: 'person',
  access: 'member',
  find: async (platform, viewer, { text }, page) =>
    text.length <= 40 && (await mayReadBook(platform, viewer))
      ? findPeople(platform, text, page)
      : [],
}

/**
 * A person as shown to the caller in the address book; undefined if missing or there is no address book.
 * @throws request.too_many
 */
export async function readPerson(
  platform: Platform,
  viewer: Member,
  accountId: string,
): Promise<FoundPerson | undefined> {
  if (!(await mayReadBook(platform, viewer))) return undefined
  await countBookLookup(platform, viewer, 1)
  const row = await platform.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .leftJoin('file as portrait', 'portrait.id', 'person.portrait_file_id')
    .select([
      'account.username as accountName',
      'person.name',
      'person.name_en as nameEn',
      'person.mobile',
      'person.email',
      'organization.name as organization',
      'organization.name_en as organizationEn',
      'identity_type.name as identityType',
      'identity_type.name_en as identityTypeEn',
      'portrait.id as portraitId',
      'portrait.is_public as portraitPublic',
      'portrait.media_type as portraitType',
    ])
    .where('account.id', '=', accountId)
    .where(await isInBook(platform))
    .executeTakeFirst()
  if (!row) return undefined
  const contacts = await contactsShown(platform, viewer, { id: accountId, ...row })
  const { portraitId, portraitPublic, portraitType, ...person } = row
  return {
    ...person,
    portraitUrl: contacts.portrait
      ? (await picturesOf(platform)).address('icon', {
          id: portraitId,
          is_public: portraitPublic,
          media_type: portraitType,
        })
      : '',
    mobile: contacts.mobile,
    email: contacts.email,
  }
}

const contactPattern =
  /(的)?(联系方式|联系电话|电话号码|办公电话|手机号码?|电话|手机|邮箱|邮件地址|座机)(是?多少|是什么)?|\b(phone( number)?|mobile|e-?mail( address)?|contact)\b( (of|for))?/

/** Answers questions such as “张老师电话” with the contacts the person shows to the caller. */
export const personAnswer: AnswerSource = async (platform, viewer, { text }) => {
  if (!viewer.signedIn) return undefined
  const subject = subjectOf(text, contactPattern)
  if (!subject || !(await mayReadBook(platform, viewer))) return undefined
  const name = subject.replace(/(老师|教授|同学|院长|主任)$/, '').trim()
  const matches = await findPeople(platform, name || subject, { limit: 2, offset: 0 })
  const [match, secondMatch] = matches
  // With several people of that name, only the list is shown.
  if (!match || secondMatch) return undefined
  // Callers over the daily limit get only the search result.
  const person = await readPerson(platform, viewer, match.id).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!person) return undefined
  const { mobile, email } = person
  return {
    ...emptyAnswer,
    kind: 'person',
    title: person.name,
    titleEn: person.nameEn,
    text: mobile || email ? person.organization : `${person.organization}。没有公开联系方式。`,
    textEn:
      mobile || email
        ? person.organizationEn
        : `${person.organizationEn}. No contact details are shown.`,
    facts: [
      ...(mobile ? [{ name: '手机', nameEn: 'Mobile', value: mobile, valueEn: mobile }] : []),
      ...(email ? [{ name: '邮箱', nameEn: 'Email', value: email, valueEn: email }] : []),
    ],
    ways: [
      ...(mobile
        ? [{ name: '拨打电话', nameEn: 'Call', to: `tel:${mobile}`, serviceId: null }]
        : []),
      ...(email
        ? [{ name: '写邮件', nameEn: 'Write an email', to: `mailto:${email}`, serviceId: null }]
        : []),
    ],
  }
}
