import { rm } from 'node:fs/promises'
import { cleanFileName, formatOfName } from '@atrium/rules/file-kinds'
import { fail, Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { clamdAddress, scanFile } from '#platform/storage/clamd.ts'
import { type Part, usedBytes } from '#platform/storage/files.ts'
import { checkContent } from './check-content.ts'
import { reencodeImage } from './re-encode-image.ts'
import { partOf } from './receive.ts'

const megabyte = 1024 * 1024

/** Maximum size of one file and of all files of a member. */
export async function uploadLimits(platform: Platform) {
  const { uploadLargestMB, uploadQuotaMB } = await currentSettings(platform)
  // The size column holds at most 2 GB.
  const largest = Math.min(Number(uploadLargestMB), 2000) * megabyte
  return { largest, quota: Number(uploadQuotaMB) * megabyte }
}

/**
 * Checks name, size and quota of an upload before it is received.
 * @returns the name to store
 * @throws file.type_refused, file.empty, file.too_large, file.quota_full
 */
export async function validateUpload(
  platform: Platform,
  viewer: Member,
  declared: { name: string; byteSize: number },
): Promise<string> {
  const name = cleanFileName(declared.name)
  if (!formatOfName(name)) fail('file.type_refused')
  if (declared.byteSize === 0) fail('file.empty')
  const { largest, quota } = await uploadLimits(platform)
  if (declared.byteSize > largest) fail('file.too_large')
  if ((await usedBytes(platform.db, viewer.accountId)) + declared.byteSize > quota)
    fail('file.quota_full')
  return name
}

/**
 * Checks and stores a received upload. The part on disk is deleted in any case.
 * @returns the id of the file
 * @throws file.type_refused, file.empty, file.too_large, file.content_mismatch, file.picture_too_large,
 * file.archive_refused, file.quota_full, file.infected, file.scanner_down
 */
export async function storeUpload(
  platform: Platform,
  viewer: Member,
  part: Part & { name: string },
): Promise<string> {
  const { quota } = await uploadLimits(platform)
  return checkUpload(platform, part, {
    admit: () => validateUpload(platform, viewer, part),
    keep: (checked, about) =>
      platform.files.keepUpload(platform.db, checked, {
        ...about,
        accountId: viewer.accountId,
        quota,
      }),
  })
}

/**
 * Checks that a received part matches its name, then stores it. The part is deleted in any case.
 * @param steps `admit` checks the announced data and returns the name; `keep` stores the file
 */
export async function checkUpload(
  platform: Platform,
  part: Part,
  steps: {
    admit: () => Promise<string>
    keep: (
      part: Part,
      about: { mediaType: string; name: string; scanned: boolean },
    ) => Promise<string>
  },
): Promise<string> {
  const reencoded = `${part.path}.redrawn.part`
  try {
    const name = await steps.admit()
    const format = formatOfName(name) ?? fail('file.type_refused')
    await checkContent(part.path, format)
    const scanned = await scan(platform, part.path)
    if (format.kind !== 'image')
      return await steps.keep(part, { name, mediaType: format.mediaType, scanned })
    const { mediaType, ending } = await reencodeImage(part.path, reencoded)
    const storedName = format.mediaType === mediaType ? name : name.replace(/\w+$/, ending)
    return await steps.keep(await partOf(reencoded), { name: storedName, mediaType, scanned })
  } finally {
    await rm(part.path, { force: true })
    await rm(reencoded, { force: true })
  }
}

/**
 * True: scanned and clean. False: the scanner is unavailable and the file is quarantined. @throws file.infected,
 * file.scanner_down
 */
export async function scan({ env, log }: Platform, file: string): Promise<boolean> {
  const address = env.ATRIUM_CLAMD && clamdAddress(env.ATRIUM_CLAMD)
  if (!address) return true
  try {
    const verdict = await scanFile(address, file)
    if (verdict.clean) return true
    log.warn({ found: verdict.found }, 'an upload was refused: clamd found something')
    return fail('file.infected')
  } catch (error) {
    if (error instanceof Refusal) throw error
    log.error({ reason: (error as Error).message }, 'clamd does not answer')
    return env.ATRIUM_CLAMD_DOWN === 'hold' ? false : fail('file.scanner_down', { retryAfter: 60 })
  }
}
