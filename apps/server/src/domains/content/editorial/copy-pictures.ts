import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describeFile } from '#domains/content/files/describe.ts'
import { findFile } from '#domains/content/files/queries.ts'
import { partOf } from '#domains/content/files/receive.ts'
import { storeUpload } from '#domains/content/files/take-upload.ts'
import { fetchPicture } from '#domains/content/news/import-pictures.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'

const concurrency = 4
/** The editor waits for the result: pictures not started within this time are skipped. */
const maxSeconds = 20

type CopiedPicture = { address: string; url: string | null }

/**
 * Copies pictures of other sites into the files of the writing member, with the checks of an upload.
 * @throws file.quota_full
 */
export async function copyPictures(
  platform: Platform,
  viewer: Member,
  addresses: readonly string[],
): Promise<CopiedPicture[]> {
  const deadline = Date.now() + maxSeconds * 1000
  const copied: CopiedPicture[] = []
  for (let start = 0; start < addresses.length; start += concurrency)
    copied.push(
      ...(await Promise.all(
        addresses.slice(start, start + concurrency).map(async (address) => ({
          address,
          url: Date.now() < deadline ? await copyPicture(platform, viewer, address) : null,
        })),
      )),
    )
  return copied
}

async function copyPicture(platform: Platform, viewer: Member, address: string) {
  const { db, env, files } = platform
  // Unreachable, on the internal network, or not an image.
  const picture = await fetchPicture(address, env.ATRIUM_OUTBOUND_ALLOW).catch(() => undefined)
  if (!picture) return null
  try {
    const part = path.join(files.partsFolder, `${randomUUID()}.part`)
    await writeFile(part, picture.bytes, { mode: 0o600, flag: 'wx' })
    const name = fileNameOf(address, picture.mediaType)
    const file = await findFile(
      db,
      await storeUpload(platform, viewer, { ...(await partOf(part)), name }),
    )
    return file ? describeFile(files, file).url : null
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'file.quota_full') return null
    throw error
  }
}

/** The file name of the address, with an extension for its actual type. */
function fileNameOf(address: string, mediaType: string) {
  const lastSegment = new URL(address).pathname.split('/').at(-1) ?? ''
  const stem = path
    .parse(lastSegment)
    .name.replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')
    .trim()
  const extension = mediaType === 'image/jpeg' ? 'jpg' : mediaType.split('/')[1]
  return `${stem.slice(0, 80) || 'picture'}.${extension}`
}
