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
    name: T.String({ description: 'as the member named it, NFC, one line' }),
    mediaType: T.String(),
    kind: OneOf(kinds),
    byteSize: T.Integer(),
    createdAt: Time,
    url: T.String({ description: 'where it is, for ten minutes' }),
    held: T.Boolean({ description: 'nobody sees it before it has been looked at for viruses' }),
  },
  { $id: 'UploadedFile' },
)
export type UploadedFile = Static<typeof UploadedFile>

export const FilePreview = T.Object(
  {
    id: Id,
    name: T.String(),
    mediaType: T.String(),
    byteSize: T.Integer(),
    kind: OneOf(['image', 'pdf', 'video', 'audio', 'text', 'table', 'none'], {}),
    status: OneOf(['ready', 'waiting', 'failed', 'unavailable'], {}),
    url: T.String({ description: 'what the preview shows; of an office file its PDF' }),
    downloadUrl: T.String(),
    lasting: T.Boolean({
      description:
        'the caller may read it later too: it is public or their own. Any other is read by its signed address alone',
    }),
    text: T.String({ description: 'of a text, up to a bound' }),
    rows: T.Array(T.Array(T.String()), { description: 'of a table, up to a bound' }),
    truncated: T.Boolean({ description: 'there is more than `text` or `rows` holds' }),
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
      'Send one file. What is larger than a few megabytes is better sent to /files/resumable (tus 1.0.0), which goes on where it was cut off',
    access: 'member',
    file: 'file',
    reply: UploadedFile,
    errors: uploadErrors,
  }),
  mine: get('/files/mine', {
    summary: 'What the caller has uploaded, newest first, and what it takes of the quota',
    access: 'member',
    query: T.Object(cursorQuery),
    reply: T.Object({
      ...CursorPage(UploadedFile).properties,
      usedBytes: T.Integer(),
      quotaBytes: T.Integer(),
      maxAnswerBytes: T.Integer({ description: 'of one file' }),
    }),
  }),
  remove: del('/files/{id}', {
    summary: 'Take an own file back; one that is in use stays',
    access: 'member',
    params: T.Object({ id: Id }),
    reply: T.Null(),
    errors: ['file.not_found', 'file.in_use'],
  }),
  preview: get('/files/{id}/preview', {
    summary:
      'How a file can be looked at: a public one, an own one, or one whose signed address the caller has',
    access: 'guest',
    params: T.Object({ id: Id }),
    query: T.Object(signed),
    reply: FilePreview,
    errors: ['file.not_found', 'file.held', 'file.preview_off'],
  }),
  read: get('/files/{id}', {
    summary:
      'A file: a public one by its key, any other by a signed address of ten minutes. One range of bytes may be asked for',
    access: 'public',
    params: T.Object({ id: Id }),
    query: T.Object({ ...signed, ...download }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found', 'file.range_refused'],
  }),
  readNamed: get('/files/{id}/{name}', {
    summary: 'The same with any name at its end, for those who tell films from pictures by it',
    access: 'public',
    params: T.Object({ id: Id, name: T.String({ minLength: 1, maxLength: 200 }) }),
    query: T.Object({ ...signed, ...download }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found', 'file.range_refused'],
  }),
}
