import { Readable } from 'node:stream'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Environment } from '#platform/environment.ts'
import type { Range } from './pooled-read-stream.ts'
import { keyOf, listIn, openSource, type Storage, sha256OfKey, sizeIn } from './storage.ts'

export type S3Settings = Pick<
  Environment,
  | 'ATRIUM_S3_BUCKET'
  | 'ATRIUM_S3_ENDPOINT'
  | 'ATRIUM_S3_REGION'
  | 'ATRIUM_S3_KEY_ID'
  | 'ATRIUM_S3_KEY_SECRET'
  | 'ATRIUM_S3_PATH_STYLE'
>

/** Opens a bucket of S3 or of a server that is compatible with it. */
export function openBucket(bucket: string, settings: Partial<S3Settings>): Storage {
  const client = new S3Client({
    ...(settings.ATRIUM_S3_REGION && { region: settings.ATRIUM_S3_REGION }),
    ...(settings.ATRIUM_S3_ENDPOINT && { endpoint: settings.ATRIUM_S3_ENDPOINT }),
    ...(settings.ATRIUM_S3_KEY_ID && {
      credentials: {
        accessKeyId: settings.ATRIUM_S3_KEY_ID,
        secretAccessKey: settings.ATRIUM_S3_KEY_SECRET ?? '',
      },
    }),
    forcePathStyle: settings.ATRIUM_S3_PATH_STYLE ?? false,
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
