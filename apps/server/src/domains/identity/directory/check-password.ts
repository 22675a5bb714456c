import { randomBytes, randomUUID } from 'node:crypto'
import { ResultCodeError } from 'ldapts'
import type { PasswordAnswer } from '#domains/identity/identity/extensions.ts'
import type { Platform } from '#platform/platform.ts'
import { isBinary } from './entries.ts'
import {
  brief,
  type Directory,
  DirectoryError,
  filterForKey,
  searchFor,
  sentenceOf,
  withDirectory,
} from './ldap.ts'
import { type DirectoryRow, findPasswordDirectory } from './queries.ts'

/** A directory that did not answer is left alone for this long: nobody waits for it meanwhile. */
const restSeconds = 10
const resting = new Map<string, number>()

export const openDirectory = (
  platform: Pick<Platform, 'secret'>,
  row: DirectoryRow,
): Directory => ({
  code: row.code,
  settings: row.settings,
  bindPassword: (row.sealedPassword && platform.secret.decrypt(row.sealedPassword)) || '',
})

/**
 * What the directory of a person says to a password; nothing where no directory answers for passwords. A name that is in
 * none is asked for as well, for somebody who is not there: the answer takes as long.
 */
export async function askDirectory(
  platform: Platform,
  account: { id: string; personId: string } | undefined,
  name: string,
  password: string,
): Promise<{ decides: boolean; answer: PasswordAnswer } | undefined> {
  const row = await findPasswordDirectory(platform.db, {
    personId: account?.personId ?? null,
    accountId: account?.id ?? null,
    name: name.trim().toLowerCase().slice(0, 100).replaceAll('\0', ''),
  })
  if (!row) return undefined
  const decides = row.externalKey !== null
  const until = resting.get(row.id) ?? 0
  if (until > Date.now()) return { decides, answer: 'unavailable' }
  const answer = await (row.externalKey === null
    ? check(platform, row, nobodyIn(row), randomBytes(12).toString('base64url'))
    : check(platform, row, row.externalKey, password))
  return { decides, answer }
}

const nobodyIn = ({ settings }: DirectoryRow) =>
  isBinary(settings.members.key) ? randomBytes(16).toString('hex') : randomUUID()

async function check(
  platform: Platform,
  row: DirectoryRow,
  key: string,
  password: string,
): Promise<PasswordAnswer> {
  // With an empty password a directory binds nobody, and says that all is well.
  if (password === '') return 'refused'
  const directory = openDirectory(platform, row)
  const { members } = directory.settings
  try {
    return await withDirectory(
      directory,
      platform.env.ATRIUM_OUTBOUND_ALLOW,
      brief,
      async ({ client }) => {
        // By the key that the import saw: a name may have been given to somebody else since.
        const { searchEntries } = await client.search(
          members.base,
          searchFor(filterForKey(members.filter, members.key, key), ['1.1'], { sizeLimit: 2 }),
        )
        const [entry] = searchEntries
        const known = searchEntries.length === 1 && entry
        // Nobody is asked for like somebody.
        const dn = known ? entry.dn : `cn=${randomUUID()},${members.base}`
        try {
          await client.bind(dn, password)
          return known ? 'right' : 'refused'
        } catch (error) {
          if (error instanceof ResultCodeError) return readRefusal(error)
          throw error
        }
      },
    )
  } catch (error) {
    resting.set(row.id, Date.now() + restSeconds * 1000)
    const issue = error as Error
    platform.log.warn(
      { directory: row.code, ...(issue instanceof DirectoryError && { server: issue.server }) },
      `the directory cannot be asked: ${sentenceOf(issue)}`,
    )
    return 'unavailable'
  }
}

/** Asked again at once: its settings may have been put right. */
export const wake = (directoryId: string) => resting.delete(directoryId)

/**
 * Why somebody was not let in. Active Directory says so by a number in its text; all but `775` it says only to who has the
 * right password.
 */
export function readRefusal(error: { code: number; message: string }): PasswordAnswer {
  const data = /\bdata ([0-9a-f]{3,4})\b/i.exec(error.message)?.[1]?.toLowerCase()
  if (error.code === 49 && data) return byData[data] ?? 'refused'
  // No such entry, no password there, wrong, not willing.
  if ([32, 34, 48, 49, 50, 53].includes(error.code)) return 'refused'
  // Others say so of an account that was tried too often.
  if (error.code === 19) return 'locked'
  return 'unavailable'
}
const byData: Record<string, PasswordAnswer> = {
  '530': 'disabled',
  '531': 'disabled',
  '532': 'expired',
  '533': 'disabled',
  '701': 'disabled',
  '773': 'must_change',
  '775': 'locked',
}
