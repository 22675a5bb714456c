import type { Static } from '@atrium/contract/define'
import type {
  AudienceRule,
  diversions,
  openingPages,
  slides,
  themes,
} from '@atrium/contract/shell/launch.operator'
import type { Rule } from '#platform/audience.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { readStored } from '#platform/database/parse-json-column.ts'
import { invalidate } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  fileIssues,
  filesNamedIn,
  listUses,
  replaceUses,
  withPlainAddressesIn,
} from '#platform/storage/file-use.ts'
import {
  contents,
  deleteItem,
  findItem,
  insertItem,
  type Kind,
  listAll,
  updateItem,
  withFileName,
} from './queries.ts'
import { type Issues, openingPageIssues, slideIssues, themeIssues } from './rules.ts'

type Content<K extends Kind> = Static<(typeof contents)[K]>
type Placing = { audience: Static<typeof AudienceRule>[]; position: number; online: boolean }
type Managed<K extends Kind> = Content<K> & Placing & { id: string; updatedAt: string }
type Written<K extends Kind> = { platform: Platform; viewer: Member; body: Content<K> & Placing }
type Chosen = { platform: Platform; params: { id: string } }

/**
 * The four endpoints of one kind.
 * @param faultsOf checks that the schema cannot express
 */
function manage<K extends Kind>(kind: K, faultsOf: (content: Content<K>, zone: string) => Issues) {
  const toItem = (row: NonNullable<Awaited<ReturnType<typeof findItem>>>): Managed<K>[] => {
    const read = readStored(contents[kind], row.content)
    if ('misfit' in read) return []
    const { id, position, online, updatedAt } = row
    const audience = (row.rules as Rule[]).map((rule) => ({ target: '', ...rule }))
    return [{ ...read.value, id, audience, position, online, updatedAt } as Managed<K>]
  }
  /** Validates the request: drops unknown fields, converts the audience to rules. */
  async function checked({ platform, viewer, body }: Written<K>, id?: string) {
    const plain = withPlainAddressesIn(body, platform.isOwnOrigin)
    const read = readStored(contents[kind], plain)
    if ('misfit' in read) return fail('request.invalid', { fields: { [read.misfit]: 'format' } })
    if ('contentUrl' in read.value)
      read.value.contentUrl = await withFileName(platform.db, read.value.contentUrl)
    const files = filesNamedIn(read.value)
    const kept = id ? await listUses(platform.db, { launch_item_id: id }) : []
    const { timeZone } = await currentSettings(platform)
    const fields = {
      ...faultsOf(read.value, timeZone),
      ...(await audienceIssues(platform.db, body.audience)),
      ...(await fileIssues(platform.db, viewer, files, new Set(kept.map((file) => file.id)))),
    }
    if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
    const audience = body.audience.map(toRule)
    const { position, online } = body
    return { item: { content: read.value, audience, position, online }, files: [...files.keys()] }
  }
  /** Writes in a transaction, invalidates all nodes, and returns the stored item. */
  async function write(
    platform: Platform,
    files: readonly string[],
    work: (db: Db) => Promise<string>,
  ): Promise<Managed<K>> {
    const row = await platform.db.transaction().execute(async (db) => {
      const id = await work(db)
      await replaceUses(db, { launch_item_id: id }, files)
      await invalidate(db, 'launch')
      return findItem(db, kind, id)
    })
    const [item] = row ? toItem(row) : []
    return item ?? fail('launch.not_found')
  }
  return {
    list: async ({ db }: { db: Db }) => (await listAll(db, kind)).flatMap(toItem),

    async create(written: Written<K>) {
      const { item, files } = await checked(written)
      return write(written.platform, files, (db) => insertItem(db, kind, item))
    },

    async update({ params: { id }, ...written }: Written<K> & Chosen) {
      const { item, files } = await checked(written, id)
      return write(written.platform, files, async (db) =>
        (await updateItem(db, kind, id, item)) ? id : fail('launch.not_found'),
      )
    },

    async remove({ platform, params: { id } }: Chosen) {
      await platform.db.transaction().execute(async (db) => {
        if (!(await deleteItem(db, kind, id))) fail('launch.not_found')
        await invalidate(db, 'launch')
      })
      return null
    },
  }
}

const toRule = ({ effect, kind, target }: Static<typeof AudienceRule>): Rule =>
  kind === 'everybody' || kind === 'guests' ? { effect, kind } : { effect, kind, target }

/** Rules must include somebody, and every target must be in the directory. */
async function audienceIssues(db: Db, audience: Placing['audience']): Promise<Issues> {
  const rules = audience.map(toRule)
  if (!rules.some(({ effect }) => effect === 'include')) return { audience: 'nobody' }
  const unknown = await openAudienceCheck(db)
  return Object.fromEntries(
    rules.flatMap((rule, index) =>
      unknown([rule]) ? [[`audience.${index}.target`, 'unknown' as const]] : [],
    ),
  )
}

export const themeHandlers: Handlers<typeof themes> = manage('theme', themeIssues)
export const openingPageHandlers: Handlers<typeof openingPages> = manage(
  'opening_page',
  openingPageIssues,
)
export const diversionHandlers: Handlers<typeof diversions> = manage('diversion', () => ({}))
export const slideHandlers: Handlers<typeof slides> = manage('slide', slideIssues)
