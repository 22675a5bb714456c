import {
  type WorkbenchFound,
  type workbench,
  workbenchKinds,
} from '@atrium/contract/content/workbench.operator'
import type { Reply } from '@atrium/contract/define'
import { listManaged } from '#domains/content/editorial/lists.ts'
import { listReceived } from '#domains/content/mailbox/queries.ts'
import { listManaged as listServices } from '#domains/services/service-catalogue/queries.ts'
import { findDepartmentEvents } from '#domains/work/department-calendars/queries.ts'
import type { Member } from '#platform/http/guard.ts'
import { operatedIn } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { ownPermissions } from './rules.ts'

type Kind = WorkbenchFound['kind']
const maxShown = 10
const pageSize = maxShown + 1

type Finder = (
  platform: Platform,
  viewer: Member,
  words: string,
) => Promise<Omit<WorkbenchFound, 'kind'>[]>

const articleFinder =
  (kind: 'article' | 'announcement'): Finder =>
  async ({ db }, viewer, q) => {
    const { list } = await listManaged(db, viewer, { kind, q, pageSize })
    return list.map(({ id, title, titleEn, columnName, columnNameEn, updatedAt }) => ({
      id,
      title,
      titleEn,
      note: columnName,
      noteEn: columnNameEn,
      at: updatedAt,
    }))
  }

const finders: Record<Kind, { permission: 'content' | 'services' | 'messages'; find: Finder }> = {
  article: { permission: 'content', find: articleFinder('article') },
  announcement: { permission: 'content', find: articleFinder('announcement') },
  service: {
    permission: 'services',
    async find({ db }, viewer, keyWords) {
      const page = { pageSize, offset: 0 }
      const { list } = await listServices(db, operatedIn(viewer, 'services'), { keyWords }, page)
      return list.map(({ serviceId, serviceName, serviceNameEn, serviceNo }) => ({
        id: serviceId,
        title: serviceName,
        titleEn: serviceNameEn,
        note: serviceNo,
        noteEn: serviceNo,
        at: null,
      }))
    },
  },
  event: {
    permission: 'content',
    find: ({ db }, viewer, words) => findDepartmentEvents(db, viewer, words, pageSize),
  },
  letter: {
    permission: 'messages',
    async find({ db }, viewer, q) {
      const { list } = await listReceived(db, viewer, { q, pageSize })
      return list.map(({ id, title, mailboxName, mailboxNameEn, createdAt }) => ({
        id,
        title,
        titleEn: '',
        note: mailboxName,
        noteEn: mailboxNameEn,
        at: createdAt,
      }))
    },
  },
}

/** Search results among the operator's items, by kind; a kind that fails is marked as failed. */
export async function searchWorkbench(
  platform: Platform,
  viewer: Member,
  words: string,
  failed: (kind: Kind, error: unknown) => void,
): Promise<Reply<typeof workbench.find>> {
  const permissions = ownPermissions(viewer)
  const kinds = workbenchKinds.filter((kind) => permissions.includes(finders[kind].permission))
  const groups = await Promise.all(
    kinds.map((kind) =>
      finders[kind]
        .find(platform, viewer, words)
        .then((list) => ({
          kind,
          failed: false,
          list: list.slice(0, maxShown).map((one) => ({ kind, ...one })),
          more: list.length > maxShown,
        }))
        .catch((error) => {
          failed(kind, error)
          return { kind, failed: true, list: [], more: false }
        }),
    ),
  )
  return { groups: groups.filter(({ failed, list }) => failed || list.length > 0) }
}
