import type { BookOrganization } from '@atrium/contract/member/address-book'
import { sql } from 'kysely'
import { type KeptAnswer, toKept } from '#platform/http/body-cache.ts'
import { fail } from '#platform/http/errors.ts'
import { envelope } from '#platform/http/serve.ts'
import { cachedRead } from '#platform/part.ts'
import type { Platform } from '#platform/platform.ts'
import { type BookRules, bookRules, inBook } from './access.ts'

type OrganizationRow = {
  id: string
  code: string
  name: string
  nameEn: string
  parentId: string | null
  path: string[]
}
export type BookNode = OrganizationRow & {
  below: BookNode[]
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
  levels: Map<string, KeptAnswer>
}

/**
 * Surnames pronounced differently from the usual reading of the character, and characters with the right pronunciation:
 * 曾 is read Zeng and sorts before Zhang.
 */
const soundsOtherwise = '曾单解仇查区盖缪乐种秘员繁朴尉召覃冼折撒'
const soundsLike = '增善谢求扎欧葛妙月虫毕运婆飘玉绍秦显舌萨'

/** SQL sort key on `person`: the pronunciation of Chinese names. */
export const byName = sql`(translate(left(person.name, 1), ${soundsOtherwise}, ${soundsLike})
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
      where ${await inBook(platform)}
      order by head.account_id is null, coalesce(post.position, 9999), ${byName}, account.id`.execute(
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
    organizations.map((one) => [one.id, { ...one, below: [], accounts: [], people: 0 }]),
  )
  const byCode = new Map([...byId.values()].map((node) => [node.code, node]))
  const top: BookNode[] = []
  for (const node of byId.values()) {
    const above = node.parentId === null ? undefined : byId.get(node.parentId)
    if (above) above.below.push(node)
    else top.push(node)
  }
  const titled: { id: string; path: readonly string[]; words: string }[] = []
  for (const { id, organizationId, words } of accounts) {
    const own = byId.get(organizationId)
    if (!own) continue
    own.accounts.push(id)
    for (const code of own.path) {
      const node = byCode.get(code)
      if (node) node.people++
    }
    if (words)
      titled.push({
        id,
        path: own.path,
        words: `${words} ${own.name} ${own.nameEn}`.toLowerCase(),
      })
  }
  return { top, byId, titled, levels: new Map() }
}

/** @throws address_book.organization_not_found if it is not in the address book */
export const nodeOf = (book: Book, id: string): BookNode =>
  book.byId.get(id) ?? fail('address_book.organization_not_found')

/** The path from the top organisation down to this one. */
export function pathTo(book: Book, node: BookNode) {
  const path: BookNode[] = []
  for (
    let at: BookNode | undefined = node;
    at;
    at = at.parentId ? book.byId.get(at.parentId) : undefined
  )
    path.unshift(at)
  return path.map(({ id, name, nameEn }) => ({ id, name, nameEn }))
}

/** The encoded answer for a level of the tree, the same for all readers. */
export function levelOf(book: Book, parentId: string | undefined): KeptAnswer {
  const kept = book.levels.get(parentId ?? '')
  if (kept) return kept
  const above = parentId === undefined ? undefined : nodeOf(book, parentId)
  const list = (above?.below ?? book.top).map(
    ({ id, name, nameEn, people, below }): BookOrganization => ({
      id,
      name,
      nameEn,
      people,
      hasBelow: below.length > 0,
    }),
  )
  const data = {
    path: above ? pathTo(book, above) : [],
    list,
    people: above?.accounts.length ?? 0,
  }
  const made = toKept(envelope(data))
  book.levels.set(parentId ?? '', made)
  return made
}
