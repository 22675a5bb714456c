import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Id,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'

const signed = {
  expires: T.Optional(T.String({ pattern: '^[0-9]{1,12}$' })),
  signature: T.Optional(T.String({ maxLength: 100 })),
}
const download = {
  download: T.Optional(OneOf(['0', '1'])),
}
const kinds = [
  'image',
  'pdf',
  'video',
  'audio',
  'text',
  'table',
  'office',
  'archive',
  'none',
] as const

/** Size in bytes above which a file is uploaded in resumable pieces (tus) to `resumableFiles`. */
export const resumableFrom = 4 * 1024 * 1024
/** Endpoint for resumable uploads: tus 1.0.0, outside this contract; the upload metadata holds `filename`. */
export const resumableFiles = '/files/resumable'

export const UploadedFile = T.Object(
  {
    id: Id,
    name: T.String({ description: 'name given by the member, NFC, one line' }),
    mediaType: T.String(),
    kind: OneOf(kinds),
    byteSize: T.Integer(),
    createdAt: Time,
    url: T.String({ description: 'address, valid for ten minutes' }),
    held: T.Boolean({ description: 'quarantined: not readable until the virus scan is done' }),
  },
  { $id: 'UploadedFile' },
)
export type UploadedFile = Static<typeof UploadedFile>

export const FilePreview = T.Object(
  {
    id: Id,
    name: T.String({ description: 'its id if it has none' }),
    title: T.Optional(
      T.String({ description: 'for a file without a name: title of an article that shows it' }),
    ),
    titleEn: T.Optional(T.String()),
    mediaType: T.String(),
    byteSize: T.Integer(),
    kind: OneOf(['image', 'pdf', 'video', 'audio', 'text', 'table', 'none'], {}),
    status: OneOf(['ready', 'waiting', 'failed', 'unavailable'], {}),
    url: T.String({
      description: 'address of the preview; for office files, of the PDF made from it',
    }),
    downloadUrl: T.String(),
    lasting: T.Boolean({
      description:
        "the file is public or the caller's own and can be read again later; false: only through its signed address",
    }),
    text: T.String({ description: 'beginning of a text file' }),
    rows: T.Array(T.Array(T.String()), { description: 'first rows of a table' }),
    truncated: T.Boolean({ description: '`text` or `rows` is incomplete' }),
  },
  { $id: 'FilePreview' },
)
export type FilePreview = Static<typeof FilePreview>

export const uploadErrors = [
  'file.empty',
  'file.too_large',
  'file.type_refused',
  'file.content_mismatch',
  'file.picture_too_large',
  'file.archive_refused',
  'file.quota_full',
  'file.infected',
  'file.scanner_down',
  'file.upload_broken',
] as const

export const files = {
  upload: post('/files/upload', {
    summary:
      'Upload one file; use /files/resumable (tus 1.0.0, resumable) for files larger than 4 MiB',
    access: 'member',
    file: 'file',
    reply: UploadedFile,
    errors: uploadErrors,
  }),
  mine: get('/files/mine', {
    summary: "List the caller's uploaded files, newest first, with the used quota",
    access: 'member',
    query: T.Object(cursorQuery),
    reply: T.Object({
      ...CursorPage(UploadedFile).properties,
      usedBytes: T.Integer(),
      quotaBytes: T.Integer(),
      maxFileBytes: T.Integer({ description: 'maximum size of one file in bytes' }),
    }),
  }),
  remove: del('/files/{id}', {
    summary: "Delete one of the caller's own files; files in use cannot be deleted",
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['file.not_found', 'file.in_use'],
  }),
  preview: get('/files/{id}/preview', {
    summary:
      "Get the preview of a file that is public, the caller's own, or given by its signed address",
    access: 'guest',
    params: T.Object({ id: Id }),
    query: T.Object(signed),
    reply: FilePreview,
    errors: ['file.not_found', 'file.held', 'file.preview_off'],
  }),
  read: get('/files/{id}', {
    summary:
      'Download a file: a public one by id, any other by its signed address (valid for ten minutes); supports one byte range',
    access: 'public',
    params: T.Object({ id: Id }),
    query: T.Object({ ...signed, ...download }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found', 'file.range_refused'],
  }),
  readNamed: get('/files/{id}/{name}', {
    summary:
      'Download a file; the same as GET /files/{id}, with an arbitrary name at the end for clients that need an extension',
    access: 'public',
    params: T.Object({ id: Id, name: T.String({ minLength: 1, maxLength: 200 }) }),
    query: T.Object({ ...signed, ...download }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found', 'file.range_refused'],
  }),
}
