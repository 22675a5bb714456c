import { createHash } from 'node:crypto'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { defineState } from '#platform/area-state.ts'
import { fail, Refusal } from '#platform/http/errors.ts'
import { sourceOf } from '#platform/images/picture-source.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { isShownToGuests } from '#platform/storage/file-use.ts'
import { readOwnFile, readRemote } from './fetch-source.ts'
import { type ImageCache, openImageCache } from './image-cache.ts'
import { isIdle, makePicture } from './make.ts'
import { findFile } from './queries.ts'
import {
  accepts,
  type Format,
  formatOf,
  type ImageRequest,
  isSigned,
  parseImageRequest,
  splitAddress,
} from './rules.ts'

export type Picture = { bytes: Buffer; etag: string; format: string }
/** A parsed address whose access has been checked. */
type Plan = {
  wanted: ImageRequest
  /** Equal for addresses with the same result. */
  identity: string
  /** yesterday's identity, used if the host does not answer today */
  before?: string
  read: () => Promise<Buffer>
  cacheScope: 'anybody' | 'the caller'
  /** seconds for which a browser may cache the picture */
  maxAge: number
}

type Service = {
  cache: Promise<ImageCache>
  /** Addresses whose access does not expire by itself. */
  plans: LRUCache<string, Plan>
  hot: LRUCache<string, Picture>
  making: Map<string, Promise<Picture>>
  failed: LRUCache<string, Refusal>
  /** Pictures made within the last minute, by the caller's network. */
  madeFor: LRUCache<string, number>
  avif: { wanted: Map<string, Plan>; working: boolean }
  stamp: number
}

const imageServiceOf = defineState<Service>(
  ({ env }) => ({
    cache: openImageCache(
      path.join(env.ATRIUM_DATA_DIR, 'images'),
      env.ATRIUM_IMAGE_CACHE_MB * 1e6,
    ),
    plans: new LRUCache({ max: 5000, ttl: 60_000 }),
    hot: new LRUCache({
      maxSize: 16_000_000,
      maxEntrySize: 200_000,
      sizeCalculation: ({ bytes }) => bytes.length + 200,
    }),
    making: new Map(),
    failed: new LRUCache({ max: 1000, ttl: 30_000 }),
    madeFor: new LRUCache({ max: 10_000, ttl: 60_000, noUpdateTTL: true }),
    avif: { wanted: new Map(), working: false },
    stamp: -1,
  }),
  ({ avif }) => avif.wanted.clear(),
)
function serviceOf(platform: Platform): Service {
  const service = imageServiceOf(platform)
  // Operators configure the allowed hosts: a configuration change invalidates all earlier decisions.
  const stamp = platform.topics.stamp(['config'])
  if (service.stamp !== stamp || !platform.topics.connected()) {
    service.plans.clear()
    service.stamp = stamp
  }
  return service
}

/**
 * The picture of an address, in the best format the caller accepts: AVIF if already cached, else WebP, else a format
 * every browser supports.
 * @param address everything after `/thumbor/`, as it was sent
 */
export async function findPicture(
  platform: Platform,
  address: string,
  caller: { accept: string | undefined; network: string },
): Promise<Picture & Pick<Plan, 'cacheScope' | 'maxAge'>> {
  const service = serviceOf(platform)
  const plan = service.plans.get(address) ?? (await planOf(platform, service, address))
  const { cacheScope, maxAge } = plan
  const cache = await service.cache
  const takesAvif =
    plan.wanted.format === 'avif' || (!plan.wanted.format && accepts(caller.accept, 'avif'))
  if (takesAvif && cache.has(keyOf(plan.identity, 'avif'))) {
    const picture = await readCached(service, cache, plan.identity, 'avif')
    if (picture) return { ...picture, cacheScope, maxAge }
  }
  const format = inlineFormat(plan.wanted, caller.accept)
  const cached = await readCached(service, cache, plan.identity, format)
  if (cached) {
    // Requested again: worth encoding in the better format.
    if (takesAvif) makeAvifLater(platform, service, cache, plan)
    return { ...cached, cacheScope, maxAge }
  }
  if (service.failed.has(keyOf(plan.identity, format))) {
    const before = await readBefore(service, cache, plan, format)
    if (before) return { ...before, cacheScope, maxAge }
  }
  countMade(platform, service, caller.network)
  return {
    ...(await makeOnce(service, cache, plan, format)),
    cacheScope,
    maxAge,
  }
}

/** AVIF is never encoded within a request: it takes too long. */
function inlineFormat({ format }: ImageRequest, accept: string | undefined): Format | 'plain' {
  if (format && format !== 'avif') return format
  return accepts(accept, 'webp') ? 'webp' : 'plain'
}

const keyOf = (identity: string, format: Format | 'plain') =>
  createHash('sha1').update(`${identity} ${format}`).digest('hex')

const pictureOf = (bytes: Buffer): Picture => ({
  bytes,
  etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
  format: formatOf(bytes) ?? 'octet-stream',
})

async function readCached(
  { hot }: Service,
  cache: ImageCache,
  identity: string,
  format: Format | 'plain',
) {
  const key = keyOf(identity, format)
  const known = hot.get(key)
  if (known) return known
  const bytes = await cache.read(key)
  if (!bytes) return undefined
  const picture = pictureOf(bytes)
  hot.set(key, picture)
  return picture
}

/** Yesterday's picture, for as long as today's cannot be made. */
const readBefore = (
  service: Service,
  cache: ImageCache,
  { before }: Plan,
  format: Format | 'plain',
) => (before === undefined ? undefined : readCached(service, cache, before, format))

/** Makes a picture once for all concurrent requests. */
function makeOnce(service: Service, cache: ImageCache, plan: Plan, format: Format | 'plain') {
  const { making, failed, hot } = service
  const key = keyOf(plan.identity, format)
  const before = failed.get(key)
  if (before) throw before
  let pending = making.get(key)
  if (!pending) {
    pending = (async () => {
      try {
        const picture = pictureOf(await makePicture(await plan.read(), plan.wanted, format))
        hot.set(key, picture)
        // Do not wait for the disk.
        void cache.write(key, picture.bytes)
        return picture
      } catch (error) {
        // Negative cache: a host that is down is not contacted for every reader.
        if (error instanceof Refusal && error.code !== 'image.busy') failed.set(key, error)
        const old = await readBefore(service, cache, plan, format)
        if (old) return old
        throw error
      } finally {
        making.delete(key)
      }
    })()
    making.set(key, pending)
  }
  return pending
}

const maxAvifWaiting = 500

/** Background encoding on this node, for its own cache: one picture at a time, while no request is waiting. */
function makeAvifLater(platform: Platform, service: Service, cache: ImageCache, plan: Plan) {
  const { avif } = service
  if (platform.env.ATRIUM_JOBS === 'off' || avif.wanted.size >= maxAvifWaiting) return
  if (avif.wanted.has(plan.identity) || service.failed.has(keyOf(plan.identity, 'avif'))) return
  avif.wanted.set(plan.identity, plan)
  if (avif.working) return
  avif.working = true
  const next = async () => {
    const [first] = avif.wanted
    if (!first) {
      avif.working = false
      return
    }
    if (isIdle()) {
      const [identity, plan] = first
      await makeOnce(service, cache, plan, 'avif').catch(() => {})
      avif.wanted.delete(identity)
    }
    setTimeout(() => void next(), 50).unref()
  }
  setTimeout(() => void next(), 50).unref()
}

/**
 * Limits requests for uncached pictures, such as varied sizes sent to keep the server busy; cached ones do not count.
 */
function countMade({ env }: Platform, { madeFor }: Service, network: string) {
  if (env.ATRIUM_RATE_LIMIT === 0) return
  const count = (madeFor.get(network) ?? 0) + 1
  if (count > env.ATRIUM_RATE_LIMIT / 10) fail('request.too_many', { retryAfter: 60 })
  madeFor.set(network, count)
}

async function planOf(platform: Platform, service: Service, address: string): Promise<Plan> {
  const parts = splitAddress(address) ?? fail('image.address_invalid')
  const { ATRIUM_IMAGE_KEY: key } = platform.env
  if (parts.signature !== 'unsafe' && !(key && isSigned(key, parts.rest, parts.signature)))
    fail('image.address_invalid')
  const wanted = parseImageRequest(parts.rest) ?? fail('image.address_invalid')
  const hosts = JSON.parse((await currentSettings(platform)).imageHosts) as string[]
  const source =
    sourceOf(wanted.source, hosts, platform.isOwnOrigin) ?? fail('image.source_refused')
  const { source: _, ...work } = wanted
  if (source.kind === 'remote') {
    // A remote picture may change: it is fetched once a day.
    const today = Math.floor(Date.now() / 86_400_000)
    const identity = (day: number) => `${JSON.stringify(work)} ${day} ${source.url}`
    const plan: Plan = {
      wanted,
      identity: identity(today),
      before: identity(today - 1),
      read: () => readRemote(platform, source.url),
      cacheScope: 'anybody',
      maxAge: 86_400,
    }
    service.plans.set(address, plan)
    return plan
  }
  const file = (await findFile(platform.db, source.id)) ?? fail('image.not_found')
  const hasRight = platform.files.isSigned(source.id, source.expires, source.signature)
  const isOpen = file.is_public || (!hasRight && (await isShownToGuests(platform.db, source.id)))
  if (!isOpen && !hasRight) fail('image.not_found')
  if (!/^image\/(?!svg)/.test(file.media_type)) fail('image.unsupported')
  const plan: Plan = {
    wanted,
    identity: `${JSON.stringify(work)} ${file.sha256}`,
    read: () => readOwnFile(platform, file.sha256, file.byte_size),
    cacheScope: isOpen ? 'anybody' : 'the caller',
    // Files shown to visitors may be withdrawn.
    maxAge: file.is_public ? 31_536_000 : isOpen ? 3600 : 600,
  }
  if (isOpen) service.plans.set(address, plan)
  return plan
}
