import { randomBytes, randomUUID } from 'node:crypto'
import { ResultCodeError } from 'ldapts'
import type { PasswordAnswer } from '#domains/identity/identity/extensions.ts'
import type { Platform } from '#platform/platform.ts'
import { isBinary } from './entries.ts'
import {
  type Directory,
  DirectoryError,
  errorLine,
  filterForKey,
  interactiveTimeouts,
  searchOptionsFor,
  withDirectory,
} from './ldap.ts'
import { type DirectoryRow, findPasswordDirectory } from './queries.ts'

/** Seconds for which an unreachable directory is not asked again, so that sign-ins do not wait for it. */
const retryAfterSeconds = 10
const unavailableUntil = new Map<string, number>()

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
export async function verifyWithDirectory(
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
  const until = unavailableUntil.get(row.id) ?? 0
  if (until > Date.now()) return { decides, answer: 'unavailable' }
  const answer = await (row.externalKey === null
    ? verifyPassword(platform, row, randomKeyOf(row), randomBytes(12).toString('base64url'))
    : verifyPassword(platform, row, row.externalKey, password))
  return { decides, answer }
}

const randomKeyOf = ({ settings }: DirectoryRow) =>
  isBinary(settings.members.key) ? randomBytes(16).toString('hex') : randomUUID()

async function verifyPassword(
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
      interactiveTimeouts,
      async ({ client }) => {
        // Found by the imported key: the username may have been reassigned since.
        const { searchEntries } = await client.search(
          members.base,
          searchOptionsFor(filterForKey(members.filter, members.key, key), ['1.1'], {
            sizeLimit: 2,
          }),
        )
        const [entry] = searchEntries
        const known = searchEntries.length === 1 && entry
        // For an unknown entry, a bind with a non-existent DN takes as long.
        const dn = known ? entry.dn : `cn=${randomUUID()},${members.base}`
        try {
          await client.bind(dn, password)
          return known ? 'right' : 'refused'
        } catch (error) {
          if (error instanceof ResultCodeError) return bindErrorAnswer(error)
          throw error
        }
      },
    )
  } catch (error) {
    unavailableUntil.set(row.id, Date.now() + retryAfterSeconds * 1000)
    const issue = error as Error
    platform.log.warn(
      { directory: row.code, ...(issue instanceof DirectoryError && { server: issue.server }) },
      `the directory cannot be queried: ${errorLine(issue)}`,
    )
    return 'unavailable'
  }
}

/** Lets the directory be asked again immediately, e.g. after its settings were changed. */
export const clearOutage = (directoryId: string) => unavailableUntil.delete(directoryId)

/**
 * Maps a bind error to an answer. Active Directory puts a number in the message; all except `775` are reported only if
 * the password was right.
 */
export function bindErrorAnswer(error: { code: number; message: string }): PasswordAnswer {
  const data = /\bdata ([0-9a-f]{3,4})\b/i.exec(error.message)?.[1]?.toLowerCase()
  if (error.code === 49 && data) return answerByDataCode[data] ?? 'refused'
  // noSuchObject, invalidDNSyntax, inappropriateAuthentication, invalidCredentials, insufficientAccessRights,
  // unwillingToPerform.
  if ([32, 34, 48, 49, 50, 53].includes(error.code)) return 'refused'
  // constraintViolation: other servers report it for accounts locked after too many attempts.
  if (error.code === 19) return 'locked'
  return 'unavailable'
}
const answerByDataCode: Record<string, PasswordAnswer> = {
  '530': 'disabled',
  '531': 'disabled',
  '532': 'expired',
  '533': 'disabled',
  '701': 'disabled',
  '773': 'must_change',
  '775': 'locked',
}
