import sharp from 'sharp'
import type { Database } from '#platform/database/db.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import type { Files } from '#platform/storage/files.ts'
import { mapPictures } from '#platform/text/rich-text.ts'
import type { FeedItem } from './import-feed.ts'

const maxBytes = 5_000_000
const maxPixels = 40_000_000
/** Limits per article and per import: the excess is left out, or copied by the next import. */
const maxInArticle = 30
const maxInImport = 200
const maxSeconds = 60

const mediaTypes: Record<string, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heif: 'image/avif',
}

export type Copier = {
  db: Database
  files: Files
  /** ATRIUM_OUTBOUND_ALLOW */
  allow: string | undefined
  /** trial run: fetch nothing */
  dryRun?: boolean
}

/**
 * Replaces pictures of other sites by local copies; each address is fetched once. Pictures that are unreachable, too
 * large or not images are left out and tried again after a day.
 * @returns also how many were left out; `later`: how many of those the next import may copy
 */
export async function withCopiedPictures(copier: Copier, articles: readonly FeedItem[]) {
  const started = Date.now()
  const addresses = [...new Set(articles.flatMap(({ body }) => picturesIn(body)))]
  const known = await listKnown(copier.db, addresses)
  let fetched = 0
  let later = 0
  for (const address of addresses) {
    if (known.has(address) || copier.dryRun) continue
    if (fetched === maxInImport || Date.now() - started > maxSeconds * 1000) {
      later++
      continue
    }
    fetched++
    known.set(address, await copyPicture(copier, address))
  }
  let leftOut = 0
  const copied = articles.map((article): FeedItem => {
    const ids: string[] = []
    let tags = 0
    const body = mapPictures(article.body, (src) => {
      const address = absolute(src)
      const id = address && tags++ < maxInArticle ? known.get(address) : undefined
      if (!id) {
        leftOut++
        return undefined
      }
      ids.push(id)
      return `/files/${id}`
    })
    return { ...article, body, pictureId: ids[0] }
  })
  return { articles: copied, leftOut, later }
}

const absolute = (src: string) =>
  /^https?:/i.test(src) && URL.canParse(src) ? new URL(src).href : undefined

function picturesIn(body: string): string[] {
  const sources: string[] = []
  mapPictures(body, (src) => {
    sources.push(src)
    return src
  })
  return sources.flatMap((src) => absolute(src) ?? []).slice(0, maxInArticle)
}

/** File ids by address. Recently failed fetches are included with null. */
async function listKnown(db: Database, addresses: readonly string[]) {
  const rows = await db
    .selectFrom('news_picture')
    .select(['address', 'file_id', 'fetched_at'])
    .where('address', 'in', addresses.length > 0 ? addresses : [''])
    .execute()
  const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
  return new Map(
    rows
      .filter(({ file_id, fetched_at }) => file_id !== null || fetched_at > dayAgo)
      .map(({ address, file_id }) => [address, file_id]),
  )
}

async function copyPicture({ db, files, allow }: Copier, address: string): Promise<string | null> {
  const picture = await fetchPicture(address, allow).catch(() => undefined)
  // Public: it was fetched without credentials, so anybody can see it at its source.
  const id = picture ? await files.keep(db, picture.bytes, { ...picture, isPublic: true }) : null
  await db
    .insertInto('news_picture')
    .values({ address, file_id: id })
    .onConflict((conflict) =>
      conflict.column('address').doUpdateSet((set) => ({
        file_id: set.ref('excluded.file_id'),
        fetched_at: new Date().toISOString(),
      })),
    )
    .execute()
  return id
}

/**
 * A picture of another site, its type detected from its bytes.
 * @param allow ATRIUM_OUTBOUND_ALLOW
 * @throws OutboundError
 */
export async function fetchPicture(address: string, allow: string | undefined) {
  const { status, bytes } = await fetchExternal(address, {
    allow,
    maxBytes,
    seconds: 8,
    headers: { accept: 'image/*' },
  })
  if (status !== 200) return undefined
  const {
    format = '',
    width = 0,
    height = 0,
  } = await sharp(bytes, {
    limitInputPixels: maxPixels,
  }).metadata()
  const mediaType = mediaTypes[format]
  // The declared type is ignored. SVG is refused: it can contain scripts.
  return mediaType && width * height > 0 && width * height <= maxPixels
    ? { bytes, mediaType }
    : undefined
}
