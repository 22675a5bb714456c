import type { FileKind } from '@atrium/rules/file-kinds'
import type { IconName } from '#ui/media/icon.tsx'

/** The icon before a file's name. */
export const fileIcon: Record<FileKind, IconName> = {
  image: 'image',
  pdf: 'file',
  video: 'video',
  audio: 'speaker',
  text: 'file',
  table: 'file',
  office: 'clipboard',
  archive: 'package',
  none: 'file',
}
