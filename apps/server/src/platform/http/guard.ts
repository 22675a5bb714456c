import type { Permission } from '@atrium/contract/define'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import {
  type AudienceState,
  evaluateAudiences,
  type Facts,
  listAudiences,
  type Rule,
  visitorFacts,
} from '#platform/audience.ts'
import type { Database } from '#platform/database/db.ts'
import type { Topics } from '#platform/database/topics.ts'
import { type Grant, permissionsOf } from '#platform/permissions.ts'
import type { SigningKeys } from '#platform/signing-keys.ts'
import { fail } from './errors.ts'
import { openTokenCheck } from './token-check.ts'

/** A signed-in caller. */
export type Member = AudienceState & {
  signedIn: true
  sessionId: string
  accountId: string
  personId: string
  username: string
  name: string
  nameEn: string
  identityTypeCode: string
  identityLabel: string | null
  organizationId: string
  /** IANA time zone, or null if the member has chosen none */
  timeZone: string | null
  /** operator permissions for the whole institution */
  permissions: readonly Permission[]
  /** operator permissions limited to organisations and all below them, by organisation code; see `mayOperate` */
  permissionsIn: Readonly<Partial<Record<Permission, readonly string[]>>>
}
/** A caller without a session. */
export type Visitor = AudienceState & {
  signedIn: false
  accountId: null
  identityLabel: null
  timeZone: null
}
export type Viewer = Member | Visitor

export type Guard = {
  /** The member a token belongs to while its session is active; a visitor without a token. @throws session.expired */
  viewerOf: (token: string | undefined) => Promise<Viewer>
  /** The session id in one of our tokens, verified by signature only: the session may have ended. */
  sessionOf: (token: string) => Promise<string | undefined>
  /** Removes a session from this node's cache immediately. */
  forgetSession: (sessionId: string) => void
  /** Registers a listener for `forgetSession`, for code that caches sessions itself. */
  onForget: (listener: (sessionId: string) => void) => void
}

type Known = {
  facts: Facts
  member: Member
  expiresAt: number
  /** when `last_seen_at` is updated next */
  touchAt: number
  audienceStamp: number
}

/** Minimum interval between updates of `last_seen_at`; the idle limit is counted in days. */
const touchEvery = 10 * 60_000

export async function openGuard(db: Database, keys: SigningKeys, topics: Topics): Promise<Guard> {
  const known = new LRUCache<string, Known>({ max: 10_000 })
  let audiences: Map<number, readonly Rule[]> = new Map()
  let audienceStamp = -1
  let directoryStamp = -1
  /** Incremented with every invalidation: a value read before that may be stale. */
  let forgotten = 0
  let visitor: Visitor
  const forgetters: ((sessionId: string) => void)[] = []

  topics.on(({ kind, key }) => {
    if (kind === 'session') forget((entry) => entry.member.sessionId === key)
    if (kind === 'account') forget((entry) => entry.member.accountId === key)
  })
  const tokens = openTokenCheck(keys, topics, () => forget(() => true))
  function forget(which: (entry: Known) => boolean) {
    forgotten += 1
    for (const [token, entry] of known.entries()) if (which(entry)) known.delete(token)
  }

  async function refreshAudiences() {
    const stamp = topics.stamp(['audience'])
    audiences = await listAudiences(db)
    visitor = visitorIn(audiences)
    audienceStamp = stamp
  }
  await refreshAudiences()

  const isCurrent = () =>
    topics.connected() &&
    tokens.isCurrent() &&
    topics.stamp(['audience']) === audienceStamp &&
    topics.stamp(['directory']) === directoryStamp
  async function current() {
    await tokens.refresh()
    if (!topics.connected() || topics.stamp(['audience']) !== audienceStamp)
      await refreshAudiences()
    const stamp = topics.stamp(['directory'])
    if (stamp !== directoryStamp) {
      forgotten += 1
      known.clear()
      directoryStamp = stamp
    }
  }

  async function check(token: string): Promise<Known> {
    const { sessionId, expiresAt } = await tokens.verify(token)
    const found = await findMember(db, sessionId)
    if (!found) fail('session.expired')
    const { organization_path, groups, grants, last_seen_at, expires_at, ...rest } = found
    const facts = {
      accountId: rest.accountId,
      identityTypeCode: rest.identityTypeCode,
      organizationPath: organization_path,
      groups: groups ?? [],
    }
    const member: Member = {
      signedIn: true,
      sessionId,
      ...rest,
      ...permissionsOf(grants ?? []),
      ...evaluateAudiences(audiences, facts),
    }
    return {
      facts,
      member,
      expiresAt: Math.min(expiresAt, Date.parse(expires_at)),
      touchAt: Date.parse(last_seen_at) + touchEvery,
      audienceStamp,
    }
  }

  return {
    async viewerOf(token) {
      if (!isCurrent()) await current()
      if (!token) return visitor
      let entry = topics.connected() ? known.get(token) : undefined
      if (entry && entry.audienceStamp !== audienceStamp) {
        entry = {
          ...entry,
          member: { ...entry.member, ...evaluateAudiences(audiences, entry.facts) },
          audienceStamp,
        }
        known.set(token, entry)
      }
      if (!entry) {
        const before = forgotten
        entry = await check(token)
        // Invalidated during the read: use it for this request only.
        if (forgotten === before) known.set(token, entry)
      }
      const now = Date.now()
      if (entry.expiresAt <= now) fail('session.expired')
      if (entry.touchAt <= now) {
        entry.touchAt = now + touchEvery
        // Not awaited, and failure is harmless.
        touchSession(db, entry.member.sessionId).catch(() => {})
      }
      return entry.member
    },
    async sessionOf(token) {
      return (
        known.peek(token)?.member.sessionId ??
        (await tokens.verify(token).then(
          ({ sessionId }) => sessionId,
          () => undefined,
        ))
      )
    },
    forgetSession(sessionId) {
      forget((entry) => entry.member.sessionId === sessionId)
      for (const forgetter of forgetters) forgetter(sessionId)
    },
    onForget: (listener) => void forgetters.push(listener),
  }
}

const visitorIn = (audiences: ReadonlyMap<number, readonly Rule[]>): Visitor => ({
  signedIn: false,
  accountId: null,
  identityLabel: null,
  timeZone: null,
  ...evaluateAudiences(audiences, visitorFacts),
})

/** The member of an active session. */
const findMember = (db: Database, sessionId: string) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .innerJoin('person', 'person.id', 'account.person_id')
    .innerJoin('identity_type', 'identity_type.code', 'account.identity_type_code')
    .innerJoin('organization', 'organization.id', 'account.organization_id')
    .select([
      'account.id as accountId',
      'person.id as personId',
      'account.username',
      'person.name',
      'person.name_en as nameEn',
      'account.identity_type_code as identityTypeCode',
      'identity_type.label as identityLabel',
      'organization.id as organizationId',
      'organization.path as organization_path',
      'person.time_zone as timeZone',
      'session.last_seen_at',
      'session.expires_at',
    ])
    .select((query) =>
      query
        .selectFrom('group_member')
        .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
        .whereRef('group_member.account_id', '=', 'account.id')
        .select(sql<string[] | null>`array_agg(member_group.code)`.as('codes'))
        .as('groups'),
    )
    .select((query) =>
      query
        .selectFrom('operator_permission')
        .whereRef('operator_permission.account_id', '=', 'account.id')
        .select(
          sql<
            Grant[] | null
          >`jsonb_agg(jsonb_build_object('permission', permission, 'code', organization_code))`.as(
            'list',
          ),
        )
        .as('grants'),
    )
    .where('session.id', '=', sessionId)
    .where('session.kind', '=', 'portal')
    .where(isSessionActive)
    .where('account.status', '=', 'active')
    .executeTakeFirst()

/** Not revoked, not expired, and not idle for too long. */
export const isSessionActive = sql<boolean>`(session.revoked_at is null and session.expires_at > now()
  and session.last_seen_at > now() - make_interval(days => session.idle_days))`

const touchSession = (db: Database, sessionId: string) =>
  db
    .updateTable('session')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '<', sql<string>`now() - interval '5 minutes'`)
    .execute()
