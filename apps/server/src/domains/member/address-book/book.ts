import type { BookOrganization } from '@atrium/contract/member/address-book'
import { sql } from 'kysely'
import { cachedRead } from '#platform/area-state.ts'
import { type EncodedAnswer, toEncodedAnswer } from '#platform/http/body-cache.ts'
import { fail } from '#platform/http/errors.ts'
import { envelope } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { type BookRules, bookRules, isInBook } from './access.ts'

type OrganizationRow = {
  id: string
  code: string
  name: string
  nameEn: string
  parentId: string | null
  path: string[]
}
export type BookNode = OrganizationRow & {
  children: BookNode[]
  /** accounts directly in this organisation, in display order */
  accounts: string[]
  /** number of people in this organisation and below */
  people: number
}
/** The part of the address book that is the same for all readers, cached per node until it changes. */
export type Book = {
  /** the settings it was built with; a change rebuilds it */
  rules: BookRules
  top: BookNode[]
  byId: ReadonlyMap<string, BookNode>
  /** accounts with a title or that head an organisation, with their search words */
  titled: readonly { id: string; path: readonly string[]; words: string }[]
  /** encoded answers by organisation id */
  levels: Map<string, EncodedAnswer>
}

/**
 * Surnames pronounced differently from the usual reading of the character, and characters with the right pronunciation:
 * 曾 is read Zeng and sorts before Zhang.
 */
const polyphonicSurnames = '曾单解仇查区盖缪乐种秘员繁朴尉召覃冼折撒'
const homophones = '增善谢求扎欧葛妙月虫毕运婆飘玉绍秦显舌萨'

/** SQL sort key on `person`: the pronunciation of Chinese names. */
export const nameSortKey = sql`(translate(left(person.name, 1), ${polyphonicSurnames}, ${homophones})
  || substr(person.name, 2)) collate "zh-x-icu"`

export const currentBook = cachedRead(
  ['directory', 'people', 'config'],
  async (platform: Platform): Promise<Book> => {
    const { db } = platform
    const rules = await bookRules(platform)
    const hidden = rules.hiddenOrganizations
    if (!rules.isOn) return { ...arrange([], []), rules }
    const { rows: organizations } = await sql<OrganizationRow>`
      select id::text, code, name, name_en as "nameEn", parent_id::text as "parentId", path from organization
      where not path && ${hidden}::text[] order by position, name, id`.execute(db)
    const { rows: accounts } = await sql<{
      id: string
      organizationId: string
      words: string | null
    }>`
      select account.id::text, account.organization_id::text as "organizationId",
        case when post.title <> '' or head.account_id is not null then
          lower(concat_ws(' ', post.title, post.title_en, person.name, person.name_en,
            case when head.account_id is not null then '负责人 head' end)) end as words
      from account join person on person.id = account.person_id
      join organization on organization.id = account.organization_id
      left join address_book_post post on post.account_id = account.id
      left join organization_head head
        on head.account_id = account.id and head.organization_id = account.organization_id
      where ${await isInBook(platform)}
      order by head.account_id is null, coalesce(post.position, 9999), ${nameSortKey}, account.id`.execute(
      db,
    )
    return { ...arrange(organizations, accounts), rules }
  },
)

function arrange(
  organizations: readonly OrganizationRow[],
  accounts: readonly { id: string; organizationId: string; words: string | null }[],
): Omit<Book, 'rules'> {
  const byId = new Map<string, BookNode>(
    organizations.map((one) => [one.id, { ...one, children: [], accounts: [], people: 0 }]),
  )
  const byCode = new Map([...byId.values()].map((node) => [node.code, node]))
  const top: BookNode[] = []
  for (const node of byId.values()) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId)
    if (parent) parent.children.push(node)
    else top.push(node)
  }
  const titled: { id: string; path: readonly string[]; words: string }[] = []
  for (const { id, organizationId, words } of accounts) {
    const organization = byId.get(organizationId)
    if (!organization) continue
    organization.accounts.push(id)
    for (const code of organization.path) {
      const node = byCode.get(code)
      if (node) node.people++
    }
    if (words)
      titled.push({
        id,
        path: organization.path,
        words: `${words} ${organization.name} ${organization.nameEn}`.toLowerCase(),
      })
  }
  return { top, byId, titled, levels: new Map() }
}

/** @throws address_book.organization_not_found if it is not in the address book */
export const getNode = (book: Book, id: string): BookNode =>
  book.byId.get(id) ?? fail('address_book.organization_not_found')

/** The path from the top organisation down to this one. */
export function pathTo(book: Book, node: BookNode) {
  const path: BookNode[] = []
  for (
    let current: BookNode | undefined = node;
    current;
    current = current.parentId ? book.byId.get(current.parentId) : undefined
  )
    path.unshift(current)
  return path.map(({ id, name, nameEn }) => ({ id, name, nameEn }))
}

/** The encoded answer for a level of the tree, the same for all readers. */
export function levelOf(book: Book, parentId: string | undefined): EncodedAnswer {
  const cached = book.levels.get(parentId ?? '')
  if (cached) return cached
  const parent = parentId === undefined ? undefined : getNode(book, parentId)
  const list = (parent?.children ?? book.top).map(
    ({ id, name, nameEn, people, children }): BookOrganization => ({
      id,
      name,
      nameEn,
      people,
      hasBelow: children.length > 0,
    }),
  )
  const data = {
    path: parent ? pathTo(book, parent) : [],
    list,
    people: parent?.accounts.length ?? 0,
  }
  const encoded = toEncodedAnswer(envelope(data))
  book.levels.set(parentId ?? '', encoded)
  return encoded
}
