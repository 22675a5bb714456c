import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Environment } from '#platform/environment.ts'
import { openPooledRead, type Range } from './pooled-read-stream.ts'

/** Stores bytes under the hex SHA-256 of their content. */
export type Storage = {
  /** The folder or bucket, for display. */
  place: string
  /** Stores bytes, or a local file that is no longer written to, atomically. */
  put: (sha256: string, source: Uint8Array | string, byteSize: number) => Promise<void>
  /** Size in bytes; undefined if there is no such object. */
  size: (sha256: string) => Promise<number | undefined>
  read: (sha256: string, range?: Range) => Readable
  /** `read` for sockets, with reused buffers; see `openPooledRead`. */
  pour: (sha256: string, range?: Range) => Readable
  remove: (sha256: string) => Promise<void>
  /** All objects with their time; `key` is not a SHA-256 for incomplete writes. */
  list: () => AsyncGenerator<{ key: string; at: Date }>
  removeKey: (key: string) => Promise<void>
}

export type S3Settings = Pick<
  Environment,
  | 'ATRIUM_S3_BUCKET'
  | 'ATRIUM_S3_ENDPOINT'
  | 'ATRIUM_S3_REGION'
  | 'ATRIUM_S3_KEY_ID'
  | 'ATRIUM_S3_KEY_SECRET'
  | 'ATRIUM_S3_PATH_STYLE'
>

/** Keys in a folder per two hex digits, so that no folder grows large. */
const keyOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256}`
/** The SHA-256 of one of our keys, without the folder. */
export const sha256OfKey = (key: string) => /^[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key)?.[1]

/** Opens the configured bucket, else the data folder. */
export function openStorage(dataDir: string, s3?: S3Settings): Storage {
  const bucket = s3?.ATRIUM_S3_BUCKET
  return s3 && bucket
    ? openBucket({ ...s3, ATRIUM_S3_BUCKET: bucket })
    : openFolder(path.join(dataDir, 'files'))
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

const openSource = (source: Uint8Array | string) =>
  typeof source === 'string'
    ? createReadStream(source)
    : Readable.from([source], { objectMode: false })

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

function openBucket(settings: S3Settings & { ATRIUM_S3_BUCKET: string }): Storage {
  const bucket = settings.ATRIUM_S3_BUCKET
  const client = new S3Client({
    region: settings.ATRIUM_S3_REGION,
    ...(settings.ATRIUM_S3_ENDPOINT && { endpoint: settings.ATRIUM_S3_ENDPOINT }),
    ...(settings.ATRIUM_S3_KEY_ID && {
      credentials: {
        accessKeyId: settings.ATRIUM_S3_KEY_ID,
        secretAccessKey: settings.ATRIUM_S3_KEY_SECRET ?? '',
      },
    }),
    forcePathStyle: settings.ATRIUM_S3_PATH_STYLE,
    // Many S3-compatible servers do not support the newer checksums; the SHA-256 header below belongs to the base
    // protocol.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  // The key contains the content's SHA-256. Stating it in the signed request makes the bucket reject any other content.
  client.middlewareStack.add(
    (next, { commandName }) =>
      (given) => {
        const sha256 = sha256OfKey((given.input as { Key?: string }).Key ?? '')
        const request = given.request as { headers: Record<string, string> }
        if (sha256 && commandName === 'PutObjectCommand')
          request.headers['x-amz-content-sha256'] = sha256
        return next(given)
      },
    { step: 'build', name: 'contentSha256' },
  )
  const disk = new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }))
  const read = (sha256: string, range?: Range) => {
    async function* bytes() {
      const { Body } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: keyOf(sha256),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      )
      yield* Body as Readable
    }
    return Readable.from(bytes(), { objectMode: false })
  }
  return {
    place: `bucket ${bucket}`,
    put: (sha256, source, byteSize) =>
      disk.putStream(keyOf(sha256), openSource(source), {
        contentLength: byteSize,
        contentType: 'application/octet-stream',
      }),
    size: (sha256) => sizeIn(disk, sha256),
    read,
    pour: read,
    remove: (sha256) => disk.delete(keyOf(sha256)),
    list: () => listIn(disk),
    removeKey: (key) => disk.delete(key),
  }
}

async function sizeIn(disk: Disk, sha256: string) {
  try {
    return (await disk.getMetaData(keyOf(sha256))).contentLength
  } catch (error) {
    // Distinguish a missing object from an unreachable bucket.
    if (!(await disk.exists(keyOf(sha256)))) return undefined
    throw error
  }
}

async function* listIn(disk: Disk): AsyncGenerator<{ key: string; at: Date }> {
  let paginationToken: string | undefined
  do {
    const page = await disk.listAll('/', {
      recursive: true,
      ...(paginationToken && { paginationToken }),
    })
    for (const object of page.objects) {
      if (!object.isFile) continue
      const about = await object.getMetaData().catch(() => undefined)
      if (about) yield { key: object.key, at: about.lastModified }
    }
    paginationToken = page.paginationToken
  } while (paginationToken)
}
