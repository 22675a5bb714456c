import type { FilePreview } from '@atrium/contract/content/files'
import { kindOfFile } from '@atrium/rules/file-kinds'
import type { Platform } from '#platform/platform.ts'
import { findPdf, hasOffice, maxOfficeBytes, requestPdf } from './office.ts'
import type { FileRow } from './queries.ts'
import { readRows, readText } from './read-text.ts'

/**
 * How a file can be previewed. The caller has checked access.
 * @param until expiry of a signed address's access; addresses in the preview do not outlive it
 */
export async function previewOf(
  platform: Platform,
  file: FileRow,
  lasting: boolean,
  until?: string,
): Promise<FilePreview> {
  const { files } = platform
  const name = file.name ?? file.id
  const url = files.address(file, undefined, until)
  const base = {
    id: file.id,
    name,
    mediaType: file.media_type,
    byteSize: file.byte_size,
    status: 'ready' as const,
    url,
    downloadUrl: `${url}${url.includes('?') ? '&' : '?'}download=1`,
    lasting,
    text: '',
    rows: [],
    truncated: false,
  }
  const kind = kindOfFile(name, file.media_type)
  switch (kind) {
    case 'image':
    case 'pdf':
    case 'video':
    case 'audio':
      return { ...base, kind }
    case 'text':
      return { ...base, kind, ...(await readText(files, file)) }
    case 'table': {
      const { text, truncated } = await readText(files, file)
      return { ...base, kind, ...readRows(text, truncated) }
    }
    case 'office':
      return { ...base, ...(await officePreview(platform, file, until)) }
    default:
      return { ...base, kind: 'none', status: 'unavailable' }
  }
}

async function officePreview(
  { db, env, files }: Platform,
  file: FileRow,
  until: string | undefined,
): Promise<Pick<FilePreview, 'kind' | 'status'> & { url?: string }> {
  if (file.byte_size > maxOfficeBytes) return { kind: 'none', status: 'unavailable' }
  const conversion = await findPdf(db, file.id)
  if (conversion?.status === 'ready' && conversion.pdfId)
    return {
      kind: 'pdf',
      status: 'ready',
      url: files.address(
        { id: conversion.pdfId, is_public: conversion.pdfPublic ?? false },
        undefined,
        until,
      ),
    }
  if (conversion?.status === 'failed') return { kind: 'pdf', status: 'failed' }
  // Another node may have LibreOffice; without a request so far, this node answers for itself.
  if (!conversion && !hasOffice(env.ATRIUM_OFFICE)) return { kind: 'none', status: 'unavailable' }
  // The PDF was lost: request it again.
  if (conversion?.status === 'ready')
    await db.deleteFrom('file_preview').where('file_id', '=', file.id).execute()
  await requestPdf(db, file.id)
  return { kind: 'pdf', status: 'waiting' }
}
