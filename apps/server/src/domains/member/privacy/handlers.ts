import type { BlockedMember, privacy } from '@atrium/contract/member/privacy'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { exportName } from './export.ts'
import {
  countLookup,
  decideClosing,
  deleteBlock,
  findClosing,
  findExport,
  findMembers,
  insertBlock,
  insertClosing,
  isOperatorPerson,
  listBlocked,
  listUsernames,
  requestExport,
} from './queries.ts'
import { isFindable, privacyOf, updatePrivacy, visibleFields } from './settings.ts'

const lookupsPerMinute = 30

export const privacyHandlers: Handlers<typeof privacy> = {
  read: ({ platform, viewer }) => privacyOf(platform, viewer.accountId),

  async update({ platform, viewer, body }) {
    await platform.db.transaction().execute((db) => updatePrivacy(db, viewer.accountId, body))
    await platform.topics.flushed()
    return privacyOf(platform, viewer.accountId)
  },

  async blackList({ db, platform, viewer }) {
    const rows = await listBlocked(db, viewer.accountId)
    const toMember = await createMemberMapper(platform, viewer, rows)
    return rows.map((row) => ({
      ...toMember(row),
      accountId: row.accountId,
      blockedAt: row.blockedAt,
    }))
  },

  async findMembers({ db, platform, viewer, query }) {
    const words = query.q.trim()
    if ([...words].length < 2) return fail('request.invalid', { fields: { q: 'length' } })
    if ((await countLookup(db, viewer.accountId)) > lookupsPerMinute)
      return fail('request.too_many', { retryAfter: 60 })
    const rows = await findMembers(db, viewer, words, await isFindable(platform, words))
    const toMember = await createMemberMapper(platform, viewer, rows)
    return rows.map((row) => ({
      ...toMember(row),
      // Signed, so that only members found can be blocked: with plain ids, the list would reveal everybody's name.
      member: `${row.accountId}.${platform.secret.sign('found-member', `${viewer.accountId} ${row.accountId}`)}`,
      blocked: row.blockedAt !== null,
    }))
  },

  async block({ platform, viewer, body }) {
    const [accountId = '', signature = ''] = body.member.split('.')
    if (!platform.secret.verify('found-member', `${viewer.accountId} ${accountId}`, signature))
      return fail('privacy.member_not_found')
    const added = await platform.db
      .transaction()
      .execute((db) => insertBlock(db, viewer.accountId, accountId))
      .catch((error) =>
        // The account was deleted concurrently.
        (error as { code?: string }).code === '23503'
          ? fail('privacy.member_not_found')
          : Promise.reject(error),
      )
    return added ? null : fail('privacy.blocked_too_many')
  },

  async unblock({ db, viewer, params }) {
    const removed = await deleteBlock(db, viewer.accountId, params.accountId)
    return removed ? null : fail('privacy.member_not_found')
  },

  exportState: ({ db, viewer }) => exportState(db, viewer),

  async requestExport({ db, viewer }) {
    await requireConfirmation(db, viewer)
    if (!(await requestExport(db, viewer))) {
      const last = await findExport(db, viewer.personId)
      return fail('privacy.export_too_soon', { retryAfter: Math.max(1, last?.waitSeconds ?? 60) })
    }
    return exportState(db, viewer)
  },

  async downloadExport({ db, platform, viewer }) {
    await requireConfirmation(db, viewer)
    const last = await findExport(db, viewer.personId)
    if (last?.status !== 'ready' || !last.alive || !last.fileId)
      return fail('privacy.export_not_ready')
    return { url: platform.files.address({ id: last.fileId, is_public: false }, exportName) }
  },

  closingState: ({ platform, viewer }) => closingState(platform, viewer),

  async requestClosing({ db, platform, viewer, body }) {
    await requireConfirmation(db, viewer)
    const settings = await currentSettings(platform)
    if (settings.accountClosing !== '1') fail('privacy.closing_off')
    if (await isOperatorPerson(db, viewer.personId)) fail('privacy.closing_operator')
    const inserted = await insertClosing(db, {
      personId: viewer.personId,
      accountId: viewer.accountId,
      reason: body.reason ?? '',
      days: Number(settings.closingDays),
    })
    if (!inserted) fail('privacy.closing_waiting')
    return closingState(platform, viewer)
  },

  async withdrawClosing({ db, platform, viewer }) {
    if (!(await decideClosing(db, { personId: viewer.personId }, 'withdrawn')))
      fail('privacy.closing_not_found')
    return closingState(platform, viewer)
  },
}

type MemberRow = {
  accountId: string
  name: string
  nameEn: string
  organizationName: string
  organizationNameEn: string
  portraitId: string | null
  portraitPublic: boolean | null
  portraitType: string | null
}

/** What the caller may see of the members found. */
async function createMemberMapper(platform: Platform, viewer: Member, rows: readonly MemberRow[]) {
  const visible = await visibleFields(
    platform,
    viewer,
    rows.map(({ accountId }) => accountId),
  )
  const pictures = await picturesOf(platform)
  return (row: MemberRow): Omit<BlockedMember, 'accountId' | 'blockedAt'> => ({
    name: row.name,
    nameEn: row.nameEn,
    organizationName: row.organizationName,
    organizationNameEn: row.organizationNameEn,
    portraitUrl: visible.get(row.accountId)?.portrait
      ? pictures.address('icon', {
          id: row.portraitId,
          is_public: row.portraitPublic,
          media_type: row.portraitType,
        })
      : '',
  })
}

async function exportState(db: Db, { personId }: Member) {
  const last = await findExport(db, personId)
  if (!last) return { status: 'none' as const, requestedAt: null, expiresAt: null, nextAt: null }
  const isExpired = last.status === 'ready' && !last.alive
  return {
    status: isExpired
      ? ('gone' as const)
      : (last.status as 'waiting' | 'ready' | 'failed' | 'gone'),
    requestedAt: last.requestedAt,
    expiresAt: last.expiresAt,
    nextAt: last.waitSeconds > 0 ? new Date(last.nextAt).toISOString() : null,
  }
}

async function closingState(platform: Platform, { personId }: Member) {
  const { db } = platform
  const settings = await currentSettings(platform)
  const last = await findClosing(db, personId)
  const current = last?.status === 'waiting' || last?.status === 'refused' ? last : undefined
  return {
    offered: settings.accountClosing === '1',
    operator: await isOperatorPerson(db, personId),
    days: Number(settings.closingDays),
    accounts: await listUsernames(db, personId),
    status: (current?.status ?? 'none') as 'none' | 'waiting' | 'refused',
    requestedAt: current?.requestedAt ?? null,
    dueAt: current?.status === 'waiting' ? current.dueAt : null,
    answer: current?.answer ?? '',
  }
}
