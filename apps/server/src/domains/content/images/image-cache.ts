import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Files under a folder, together no larger than a bound: what was not read for longest goes first. It outlives a restart. */
export type ImageCache = {
  /** @param key hexadecimal */
  read: (key: string) => Promise<Buffer | undefined>
  /** Never fails: what cannot be kept is made again. */
  write: (key: string, bytes: Buffer) => Promise<void>
  has: (key: string) => boolean
}

/** When a file was read last is written down this often, for the next start. */
const noteEvery = 60 * 60_000

export async function openImageCache(folder: string, maxBytes: number): Promise<ImageCache> {
  /** By key, the one that was read longest ago first. */
  const entries = new Map<string, { size: number; noted: number }>()
  let total = 0
  const pathOf = (key: string) => path.join(folder, key.slice(0, 2), key)

  async function forget(key: string) {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
    await rm(pathOf(key), { force: true }).catch(() => {})
  }
  async function shrink() {
    for (const [key] of entries) {
      if (total <= maxBytes) return
      await forget(key)
    }
  }

  const found: { key: string; size: number; read: number }[] = []
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const key = path.basename(name)
    const about = await stat(path.join(folder, name)).catch(() => undefined)
    if (!about?.isFile()) continue
    if (/^[0-9a-f]{40}$/.test(key)) found.push({ key, size: about.size, read: about.atimeMs })
    // Half a file: the process was ended while it wrote.
    else await rm(path.join(folder, name), { force: true }).catch(() => {})
  }
  for (const { key, size, read } of found.sort((a, b) => a.read - b.read)) {
    entries.set(key, { size, noted: read })
    total += size
  }
  await shrink()

  return {
    has: (key) => entries.has(key),
    async read(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      const bytes = await readFile(pathOf(key)).catch(() => undefined)
      // Taken away under our feet, or damaged by a full disk.
      if (!bytes || bytes.length !== entry.size) {
        await forget(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, entry)
      const now = Date.now()
      if (now - entry.noted > noteEvery) {
        entry.noted = now
        await utimes(pathOf(key), new Date(now), new Date(now)).catch(() => {})
      }
      return bytes
    },
    async write(key, bytes) {
      if (bytes.length > maxBytes) return
      const target = pathOf(key)
      const part = `${target}.${randomUUID()}.part`
      try {
        // The folder is there but for the first time.
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
      entries.set(key, { size: bytes.length, noted: Date.now() })
      await shrink()
    },
  }
}
