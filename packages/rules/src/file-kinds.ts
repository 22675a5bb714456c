/** How a file is displayed. `none`: download only. */
export type FileKind =
  | 'image'
  | 'pdf'
  | 'video'
  | 'audio'
  | 'text'
  | 'table'
  | 'office'
  | 'archive'
  | 'none'

export type FileFormat = {
  kind: FileKind
  mediaType: string
  /** Media types that content sniffing may report; empty for text, which has no signature. */
  looksLike: readonly string[]
}

const format = (kind: FileKind, mediaType: string, ...looksLike: string[]): FileFormat => ({
  kind,
  mediaType,
  looksLike: looksLike.length > 0 ? looksLike : [mediaType],
})
const text = (kind: 'text' | 'table', mediaType: string): FileFormat => ({
  kind,
  mediaType,
  looksLike: [],
})
const ooxml = 'application/vnd.openxmlformats-officedocument.'
const odf = 'application/vnd.oasis.opendocument.'
const cfb = 'application/x-cfb'
const zip = 'application/zip'

/**
 * Formats that members may upload, by file extension. All others are refused: SVG and HTML, for example, can contain
 * scripts.
 */
export const fileFormats: Readonly<Record<string, FileFormat>> = {
  jpg: format('image', 'image/jpeg'),
  jpeg: format('image', 'image/jpeg'),
  png: format('image', 'image/png', 'image/png', 'image/apng'),
  gif: format('image', 'image/gif'),
  webp: format('image', 'image/webp'),
  avif: format('image', 'image/avif'),
  pdf: format('pdf', 'application/pdf'),
  mp4: format('video', 'video/mp4', 'video/mp4', 'video/x-m4v', 'video/quicktime'),
  m4v: format('video', 'video/mp4', 'video/mp4', 'video/x-m4v'),
  mov: format('video', 'video/quicktime', 'video/quicktime', 'video/mp4'),
  webm: format('video', 'video/webm', 'video/webm', 'video/matroska'),
  mp3: format('audio', 'audio/mpeg'),
  m4a: format('audio', 'audio/mp4', 'audio/mp4', 'audio/x-m4a', 'video/mp4'),
  aac: format('audio', 'audio/aac'),
  ogg: format('audio', 'audio/ogg', 'audio/ogg', 'application/ogg'),
  wav: format('audio', 'audio/wav', 'audio/wav', 'audio/vnd.wave'),
  flac: format('audio', 'audio/flac', 'audio/flac', 'audio/x-flac'),
  amr: format('audio', 'audio/amr'),
  txt: text('text', 'text/plain'),
  md: text('text', 'text/plain'),
  log: text('text', 'text/plain'),
  csv: text('table', 'text/csv'),
  ics: text('text', 'text/calendar'),
  docx: format('office', `${ooxml}wordprocessingml.document`),
  xlsx: format('office', `${ooxml}spreadsheetml.sheet`),
  pptx: format('office', `${ooxml}presentationml.presentation`),
  doc: format('office', 'application/msword', cfb),
  xls: format('office', 'application/vnd.ms-excel', cfb),
  ppt: format('office', 'application/vnd.ms-powerpoint', cfb),
  wps: format('office', 'application/vnd.ms-works', cfb),
  odt: format('office', `${odf}text`),
  ods: format('office', `${odf}spreadsheet`),
  odp: format('office', `${odf}presentation`),
  rtf: format('office', 'application/rtf', 'application/rtf', 'text/rtf'),
  zip: format('archive', zip),
  rar: format(
    'archive',
    'application/vnd.rar',
    'application/vnd.rar',
    'application/x-rar-compressed',
  ),
  '7z': format('archive', 'application/x-7z-compressed'),
}

/** Value of a file input's `accept` attribute. */
export const acceptedFiles = Object.keys(fileFormats)
  .map((extension) => `.${extension}`)
  .join(',')

/** The format that a file name's extension claims; undefined for unsupported ones. */
export function formatOfName(name: string): FileFormat | undefined {
  const extension = /\.([a-z\d]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(fileFormats, extension) ? fileFormats[extension] : undefined
}

/** How a file is displayed, by its name and media type; if the name is inconclusive, the media type decides. */
export function kindOfFile(name: string, mediaType: string): FileKind {
  const named = formatOfName(name)
  if (named && named.mediaType === mediaType) return named.kind
  return Object.values(fileFormats).find((one) => one.mediaType === mediaType)?.kind ?? 'none'
}

/** Maximum file name length in bytes, for file systems and headers. */
const maxNameBytes = 200
// Control, direction and invisible characters: they can make a file name read as a different one.
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A file name for display: NFC, one line, without a path. Never used as a path. */
export function cleanFileName(name: string): string {
  const base = name.normalize('NFC').replace(invisibleCharacters, '').split(/[/\\]/).pop() ?? ''
  const trimmed = base.replace(/\s+/g, ' ').replace(/^[. ]+|[. ]+$/g, '')
  if (trimmed === '') return 'file'
  const extension = /\.[a-z\d]{1,8}$/i.exec(trimmed)?.[0] ?? ''
  let stem = trimmed.slice(0, trimmed.length - extension.length)
  const bytes = (text: string) => new TextEncoder().encode(text).length
  while (bytes(stem + extension) > maxNameBytes) stem = [...stem].slice(0, -1).join('')
  return stem + extension
}

/** 1536 → 1.5 KB */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [unit, size] =
    bytes < 1024 ** 2 ? ['KB', 1024] : bytes < 1024 ** 3 ? ['MB', 1024 ** 2] : ['GB', 1024 ** 3]
  return `${(bytes / (size as number)).toFixed(1).replace('.0', '')} ${unit}`
}
