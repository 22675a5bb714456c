import { sessions } from '@atrium/contract/identity/sessions'
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { call } from './api.ts'
import { deletePack, packDatabase, packMark } from './delete-pack.ts'
import { getSession } from './session.ts'
import { writeText } from './storage.ts'

/*
 * The day pack: API answers for lists, details, today and tomorrow, encrypted in IndexedDB. The key is derived from a
 * secret that the server gives only to a live session. It cannot be exported and is not used after `until`. It is
 * deleted with the session (`deletePack`), or when the server first reports that the session is over.
 */
type Key = { account: string; id: string; key: CryptoKey; until: number }
type Entry = { at: number; size: number; iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer }
type OpenPack = { db: IDBDatabase; key: Key }

/**
 * Endpoints in the pack: the day, tickets, cards, messages, tasks and what the news lists lead to. Nothing about other
 * people, no security settings.
 */
const packedEndpoints =
  /^GET \/(message\/center\/|transaction\/|schedule\/|personal\/api\/v1\/personal\/me\/|portal-api\/(api\/proxy\/cms\/|v1\/(cms\/|home|notice\/|slideshow|service\/overview|eCard\/|personalData\/getECard|personal-data$|config\/system\/)|v2\/(cms\/|personalData\/getMyECard)))/

const limits = { entries: 400, bytes: 8 * 1024 * 1024, oneEntry: 512 * 1024 }
/** Number of writes between two checks of the total size. */
const writesPerTrim = 25

let openedPack: Promise<OpenPack | undefined> | undefined
/** Serialises the writes. */
let writing: Promise<unknown> = Promise.resolve()
let writes = 0
/** Times of the answers this page has written, by entry name. */
const writtenAt = new Map<string, number>()
let isSubscribed = false

/**
 * Fetches the secret of this session, derives the key, and stores the cached answers and all later ones. If the server
 * cannot be reached, the previous key is used.
 */
export async function startPack(client: QueryClient) {
  const account = getSession()?.accountId
  if (!account || !canPack()) return
  const answer = await call(sessions.dayPack).catch(() => undefined)
  if (getSession()?.accountId !== account) return
  if (answer) {
    const previous = await openPack()
    const id = await hashOf(answer.secret)
    const key = {
      account,
      id,
      key: await deriveKey(answer.secret),
      until: Date.parse(answer.until),
    }
    const db = previous?.db ?? (await openDb())
    const isOtherKey = previous?.key.id !== id
    const transaction = db.transaction(['keys', 'answers'], 'readwrite')
    // Entries of another session can no longer be decrypted.
    if (isOtherKey) transaction.objectStore('answers').clear()
    transaction.objectStore('keys').put(key, 'key')
    await completed(transaction)
    openedPack = Promise.resolve({ db, key })
    writeText(packMark, '1')
  }
  if (!(await openPack())) return
  const cache = client.getQueryCache()
  for (const { queryKey, state } of cache.getAll())
    if (state.status === 'success') packAnswer(queryKey, state.dataUpdatedAt, state.data)
  if (isSubscribed) return
  isSubscribed = true
  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    const { queryKey, state } = event.query
    packAnswer(queryKey, state.dataUpdatedAt, state.data)
  })
}

/** The last answer to this query, and when it was received, in milliseconds. */
export async function readPacked(queryKey: QueryKey) {
  const pack = isPacked(queryKey) ? await openPack() : undefined
  if (!pack) return undefined
  const { db, key } = pack
  const name = await entryName(key, queryKey)
  const entry = await result<Entry | undefined>(
    db.transaction('answers').objectStore('answers').get(name),
  )
  if (!entry) return undefined
  const { iv, at } = entry
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key.key, entry.data)
  const data: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return { at, data }
}

/** When the stored answer was received, in milliseconds; 0 if there is none. */
export async function packedAt(queryKey: QueryKey) {
  const pack = await openPack()
  if (!pack) return 0
  const name = await entryName(pack.key, queryKey)
  const store = pack.db.transaction('answers').objectStore('answers')
  const entry = await result<Entry | undefined>(store.get(name))
  return entry?.at ?? 0
}

const isPacked = ([endpoint]: QueryKey) =>
  typeof endpoint === 'string' && packedEndpoints.test(endpoint)

function packAnswer(queryKey: QueryKey, at: number, data: unknown) {
  if (!isPacked(queryKey) || data === undefined) return
  writing = writing.then(() => write(queryKey, at, firstPage(data))).catch(() => {})
}

/** Of a paginated list, only the first page. */
function firstPage(data: unknown) {
  const { pages, pageParams } = (data ?? {}) as { pages?: unknown[]; pageParams?: unknown[] }
  return pages && pageParams
    ? { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
    : data
}

async function write(queryKey: QueryKey, at: number, data: unknown) {
  const pack = await openPack()
  if (!pack) return
  const { db, key } = pack
  const name = await entryName(key, queryKey)
  if (writtenAt.get(name) === at) return
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  if (bytes.length > limits.oneEntry) return
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key.key, bytes)
  const entry: Entry = { at, size: bytes.length, iv, data: sealed }
  // The member may have signed out concurrently.
  if (getSession()?.accountId !== key.account) return
  try {
    await putEntry(db, name, entry)
  } catch (error) {
    if ((error as DOMException).name !== 'QuotaExceededError') throw error
    // The device is full: delete the older half and try again; if that fails, the entry is not stored.
    await trim(db, 0.5)
    await putEntry(db, name, entry)
  }
  writtenAt.set(name, at)
  if (++writes % writesPerTrim === 0) await trim(db)
}

async function putEntry(db: IDBDatabase, name: string, entry: Entry) {
  const transaction = db.transaction('answers', 'readwrite')
  transaction.objectStore('answers').put(entry, name)
  await completed(transaction)
}

/** Deletes the oldest entries until the rest fits into this share of the limits and of the current number. */
async function trim(db: IDBDatabase, share = 1) {
  const transaction = db.transaction('answers', 'readwrite')
  const store = transaction.objectStore('answers')
  const count = await result(store.count())
  const newest = store.index('at').openCursor(null, 'prev')
  let [entries, bytes] = [0, 0]
  newest.onsuccess = () => {
    const cursor = newest.result
    if (!cursor) return
    entries++
    bytes += (cursor.value as Entry).size
    const fits =
      entries <= Math.min(limits.entries, share === 1 ? count : count * share) &&
      bytes <= limits.bytes * share
    if (!fits) cursor.delete()
    cursor.continue()
  }
  await completed(transaction)
}

/** The pack of the signed-in account, while it is valid; any other pack is deleted. */
function openPack(): Promise<OpenPack | undefined> {
  openedPack ??= readKey()
    .catch(() => undefined)
    .then((pack) => {
      if (!pack) openedPack = undefined
      return pack
    })
  return openedPack.then((pack) => {
    if (!pack) return undefined
    const { account, until } = pack.key
    if (account === getSession()?.accountId && Date.now() < until) return pack
    openedPack = undefined
    deletePack()
    return undefined
  })
}

async function readKey(): Promise<OpenPack | undefined> {
  if (!canPack() || !getSession()) return undefined
  const db = await openDb()
  const key = await result<Key | undefined>(db.transaction('keys').objectStore('keys').get('key'))
  if (key) return { db, key }
  db.close()
  return undefined
}

/** Not available in old browsers and on pages without HTTPS. */
const canPack = () => 'indexedDB' in globalThis && globalThis.crypto?.subtle !== undefined

function openDb() {
  const request = indexedDB.open(packDatabase, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('keys')
    request.result.createObjectStore('answers').createIndex('at', 'at')
  }
  return result(request).then((db) => {
    // The database is being deleted, perhaps by another tab: drop this tab's connection and state too.
    db.onversionchange = () => {
      openedPack = undefined
      writtenAt.clear()
      db.close()
    }
    return db
  })
}

async function deriveKey(secret: string) {
  const bytes = new TextEncoder().encode(secret)
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('atrium day pack')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** A hash, so that the name of an entry does not reveal the request. */
const entryName = ({ id }: Key, queryKey: QueryKey) => hashOf(`${id} ${hashKey(queryKey)}`)

async function hashOf(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const result = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const completed = (transaction: IDBTransaction) =>
  new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.onerror = () => reject(transaction.error)
  })
