import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A size-limited disk cache, least recently used entries evicted first. It survives restarts. */
export type ImageCache = {
  /** @param key hexadecimal */
  read: (key: string) => Promise<Buffer | undefined>
  /** Never fails: a picture that cannot be stored is made again. */
  write: (key: string, bytes: Buffer) => Promise<void>
  has: (key: string) => boolean
}

/** Minimum interval between updates of a file's access time, which orders the entries at the next start. */
const touchIntervalMs = 60 * 60_000

export async function openImageCache(folder: string, maxBytes: number): Promise<ImageCache> {
  /** By key, least recently read first. */
  const entries = new Map<string, { size: number; touchedAt: number }>()
  let total = 0
  const pathOf = (key: string) => path.join(folder, key.slice(0, 2), key)

  async function evict(key: string) {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
    await rm(pathOf(key), { force: true }).catch(() => {})
  }
  async function shrink() {
    for (const [key] of entries) {
      if (total <= maxBytes) return
      await evict(key)
    }
  }

  const existing: { key: string; size: number; read: number }[] = []
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const key = path.basename(name)
    const stats = await stat(path.join(folder, name)).catch(() => undefined)
    if (!stats?.isFile()) continue
    if (/^[0-9a-f]{40}$/.test(key)) existing.push({ key, size: stats.size, read: stats.atimeMs })
    // A partial file: the process ended while writing it.
    else await rm(path.join(folder, name), { force: true }).catch(() => {})
  }
  for (const { key, size, read } of existing.sort((a, b) => a.read - b.read)) {
    entries.set(key, { size, touchedAt: read })
    total += size
  }
  await shrink()

  return {
    has: (key) => entries.has(key),
    async read(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      const bytes = await readFile(pathOf(key)).catch(() => undefined)
      // Deleted by something else, or damaged by a full disk.
      if (!bytes || bytes.length !== entry.size) {
        await evict(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      const now = Date.now()
      if (now - entry.touchedAt > touchIntervalMs) {
        entry.touchedAt = now
        await utimes(pathOf(key), new Date(now), new Date(now)).catch(() => {})
      }
      return bytes
    },
    async write(key, bytes) {
      if (bytes.length > maxBytes) return
      const target = pathOf(key)
      const part = `${target}.${randomUUID()}.part`
      try {
        // The folder usually exists; create it only on failure.
        await writeFile(part, bytes).catch(async () => {
          await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
          await writeFile(part, bytes)
        })
        await rename(part, target)
      } catch {
        await rm(part, { force: true }).catch(() => {})
        return
      }
      total += bytes.length - (entries.get(key)?.size ?? 0)
      entries.delete(key)
      entries.set(key, { size: bytes.length, touchedAt: Date.now() })
      await shrink()
    },
  }
}
