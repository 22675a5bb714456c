import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Environment } from '#platform/environment.ts'
import type { S3Settings } from './bucket.ts'
import { openPooledRead } from './pooled-read-stream.ts'
import { keyOf, listIn, openSource, type Storage, sizeIn } from './storage.ts'

/** A bucket is used if one is configured, else the data folder. */
export type StorageSettings = Pick<Environment, 'ATRIUM_DATA_DIR'> & Partial<S3Settings>

/** Opens the configured bucket, else the data folder. */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const bucket = settings.ATRIUM_S3_BUCKET
  if (!bucket) return openFolder(path.join(settings.ATRIUM_DATA_DIR, 'files'))
  // The S3 client is two hundred modules, which most installations never need.
  const { openBucket } = await import('./bucket.ts')
  return openBucket(bucket, settings)
}

function openFolder(folder: string): Storage {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  return {
    place: folder,
    async put(sha256, source) {
      if (typeof source === 'string' && (await linked(source, path.join(folder, keyOf(sha256)))))
        return
      // Write to a temporary name and rename: a full disk must not leave a partial file under the final name.
      const part = `${keyOf(sha256)}.${randomUUID()}.part`
      try {
        await disk.putStream(part, openSource(source))
        await rename(path.join(folder, part), path.join(folder, keyOf(sha256)))
      } catch (error) {
        await rm(path.join(folder, part), { force: true })
        throw error
      }
    },
    size: (sha256) => sizeIn(disk, sha256),
    read: (sha256, range) => createReadStream(path.join(folder, keyOf(sha256)), range),
    pour: (sha256, range) => openPooledRead(path.join(folder, keyOf(sha256)), range),
    remove: (sha256) => disk.delete(keyOf(sha256)),
    list: () => listIn(disk),
    removeKey: (key) => disk.delete(key),
  }
}

/** Hard-links a local file instead of copying it. @returns false if the file system does not support that */
async function linked(file: string, name: string): Promise<boolean> {
  try {
    await mkdir(path.dirname(name), { recursive: true, mode: 0o700 })
    await link(file, name)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Already stored: the name is the content's hash.
    if (code === 'EEXIST') return true
    if (['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code)) return false
    throw error
  }
}
