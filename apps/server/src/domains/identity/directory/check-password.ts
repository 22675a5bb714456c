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

/** Seconds for which an unreachable directory is not asked again, so that sign-ins do not wait for it. */
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
 * Checks a password with the person's directory; undefined if no directory verifies passwords. For a name in no
 * directory, a random entry is queried, so that the answer takes as long.
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
  // LDAP servers accept a bind with an empty password as anonymous and report success (RFC 4513 §5.1.2).
  if (password === '') return 'refused'
  const directory = openDirectory(platform, row)
  const { members } = directory.settings
  try {
    return await withDirectory(
      directory,
      platform.env.ATRIUM_OUTBOUND_ALLOW,
      brief,
      async ({ client }) => {
        // Found by the imported key: the username may have been reassigned since.
        const { searchEntries } = await client.search(
          members.base,
          searchFor(filterForKey(members.filter, members.key, key), ['1.1'], { sizeLimit: 2 }),
        )
        const [entry] = searchEntries
        const known = searchEntries.length === 1 && entry
        // For an unknown entry, a bind with a non-existent DN takes as long.
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

/** Lets the directory be asked again immediately, e.g. after its settings were changed. */
export const wake = (directoryId: string) => resting.delete(directoryId)

/**
 * Maps a bind error to an answer. Active Directory puts a number in the message; all except `775` are reported only if
 * the password was right.
 */
export function readRefusal(error: { code: number; message: string }): PasswordAnswer {
  const data = /\bdata ([0-9a-f]{3,4})\b/i.exec(error.message)?.[1]?.toLowerCase()
  if (error.code === 49 && data) return byData[data] ?? 'refused'
  // noSuchObject, invalidDNSyntax, inappropriateAuthentication, invalidCredentials, insufficientAccessRights,
  // unwillingToPerform.
  if ([32, 34, 48, 49, 50, 53].includes(error.code)) return 'refused'
  // constraintViolation: other servers report it for accounts locked after too many attempts.
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
