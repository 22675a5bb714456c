import { type Focus, type PictureUse, pictureUrl } from '#platform/images/picture-address.ts'
import { sourceOf } from '#platform/images/picture-source.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

/** A file as joined by a query; all fields null if there is none. */
export type PictureFile = {
  id: string | null
  is_public: boolean | null
  media_type: string | null
  focus?: Focus | undefined
}

/** Picture addresses for responses. */
export type Pictures = {
  /** Empty without a file. The original if thumbnails are off or the image service does not support the format. */
  address: (use: PictureUse, file: PictureFile) => string
  /** For a picture in a text: a local address unchanged, a listed host through our service, otherwise undefined. */
  ofText: (source: string) => string | undefined
}

export async function picturesOf(platform: Platform): Promise<Pictures> {
  const { enableThumbnail, imageHosts } = await currentSettings(platform)
  const hosts = JSON.parse(imageHosts) as string[]
  return {
    address(use, { id, is_public, media_type, focus }) {
      if (!id) return ''
      const address = platform.files.address({ id, is_public: is_public ?? false })
      return enableThumbnail === '0' || media_type === 'image/svg+xml'
        ? address
        : pictureUrl(address, use, focus)
    },
    ofText(text) {
      const source = sourceOf(text, hosts, platform.isOwnOrigin)
      if (source?.kind === 'remote') return pictureUrl(source.url, 'wide')
      if (!source) return undefined
      const { pathname, search } = new URL(text, platform.origin())
      return pathname + search
    },
  }
}
