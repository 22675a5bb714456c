import type { Permission } from '@atrium/contract/define'
import { errors as joseErrors } from 'jose'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import {
  type Facts,
  listAudiences,
  type Rule,
  type Standing,
  standing,
  visitorFacts,
} from './audience.ts'
import type { Database } from './db.ts'
import { fail } from './errors.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Topics } from './topics.ts'

/** A signed-in caller. */
export type Member = Standing & {
  signedIn: true
  sessionId: string
  accountId: string
  personId: string
  username: string
  name: string
  identityTypeCode: string
  identityLabel: string | null
  organizationId: string
  /** zone id, or null where the member has chosen none */
  timeZone: string | null
  /** what the member may do as an operator */
  permissions: readonly Permission[]
}
/** A caller without a session. */
export type Visitor = Standing & {
  signedIn: false
  accountId: null
  identityLabel: null
  timeZone: null
}
export type Viewer = Member | Visitor

export type Guard = {
  /** Who a token of ours belongs to, while its session lives; without a token a visitor. @throws session.expired */
  viewerOf: (token: string | undefined) => Promise<Viewer>
  /** The session of a token that was checked before, without asking anybody. */
  knownSession: (token: string) => string | undefined
  /** Ends what this node remembers of a session, at once. */
  forgetSession: (sessionId: string) => void
}

type Known = { facts: Facts; member: Member; expiresAt: number; audienceStamp: number }

/** The audience (aud) of id tokens: the portal and its API. */
export const tokenAudience = 'portal'

export async function openGuard(db: Database, keys: SigningKeys, topics: Topics): Promise<Guard> {
  const known = new LRUCache<string, Known>({ max: 10_000 })
  let audiences: Map<number, readonly Rule[]> = new Map()
  let audienceStamp = -1
  let directoryStamp = -1
  let visitor: Visitor

  topics.on(({ kind, key }) => {
    if (kind === 'session') forget((entry) => entry.member.sessionId === key)
    if (kind === 'account') forget((entry) => entry.member.accountId === key)
    if (kind === 'signing-key') keys.reload().catch(() => {})
  })
  function forget(which: (entry: Known) => boolean) {
    for (const [token, entry] of known.entries()) if (which(entry)) known.delete(token)
  }

  async function refreshAudiences() {
    const stamp = topics.stamp(['audience'])
    audiences = await listAudiences(db)
    visitor = {
      signedIn: false,
      accountId: null,
      identityLabel: null,
      timeZone: null,
      ...standing(audiences, visitorFacts),
    }
    audienceStamp = stamp
  }
  await refreshAudiences()

  async function current() {
    if (!topics.healthy() || topics.stamp(['audience']) !== audienceStamp) await refreshAudiences()
    const stamp = topics.stamp(['directory'])
    if (stamp !== directoryStamp) {
      known.clear()
      directoryStamp = stamp
    }
  }

  async function check(token: string): Promise<Known> {
    const claims = await keys.verify(token, { audience: tokenAudience }).catch((error) => {
      if (error instanceof joseErrors.JOSEError || (error as Error).message === 'unknown key')
        fail('session.expired')
      throw error
    })
    const sessionId = String(claims.jti).split('.')[0] ?? ''
    if (!/^[0-9a-f-]{36}$/.test(sessionId)) fail('session.expired')
    const found = await findMember(db, sessionId)
    if (!found) fail('session.expired')
    const { organization_path, groups, permissions, ...rest } = found
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
      permissions: permissions ?? [],
      ...standing(audiences, facts),
    }
    return { facts, member, expiresAt: Number(claims.exp) * 1000, audienceStamp }
  }

  return {
    async viewerOf(token) {
      await current()
      if (!token) return visitor
      if (token.length > 4000) fail('session.expired')
      let entry = topics.healthy() ? known.get(token) : undefined
      if (entry && entry.audienceStamp !== audienceStamp) {
        entry = {
          ...entry,
          member: { ...entry.member, ...standing(audiences, entry.facts) },
          audienceStamp,
        }
        known.set(token, entry)
      }
      if (!entry) {
        entry = await check(token)
        known.set(token, entry)
      }
      if (entry.expiresAt <= Date.now()) fail('session.expired')
      return entry.member
    },
    knownSession: (token) => known.peek(token)?.member.sessionId,
    forgetSession: (sessionId) => forget((entry) => entry.member.sessionId === sessionId),
  }
}

/** The member of a living portal session. */
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
      'account.identity_type_code as identityTypeCode',
      'identity_type.label as identityLabel',
      'organization.id as organizationId',
      'organization.path as organization_path',
      'person.time_zone as timeZone',
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
        .selectFrom('operator_grant')
        .whereRef('operator_grant.account_id', '=', 'account.id')
        .select(sql<Permission[] | null>`array_agg(operator_grant.permission)`.as('names'))
        .as('permissions'),
    )
    .where('session.id', '=', sessionId)
    .where('session.kind', '=', 'portal')
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', sql<string>`now()`)
    .where('account.status', '=', 'active')
    .executeTakeFirst()
