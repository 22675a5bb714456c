import type { Static } from '@atrium/contract/define'
import type { launch, OpeningPage, ThemeTab } from '@atrium/contract/shell/launch'
import { contentKind } from '@atrium/rules/opening-page'
import { themeValidAt } from '@atrium/rules/theme-validity'
import type { FastifyRequest } from 'fastify'
import { readStored } from '#platform/database/parse-json-column.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { ownPicture } from '#platform/images/picture-address.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { withShownAddresses } from '#platform/storage/file-use.ts'
import { contents, type Kind, listOnline } from './queries.ts'

export const launchHandlers: Handlers<typeof launch> = {
  openingPages: async ({ platform, viewer, request }) =>
    (await listFitting(platform, viewer, 'opening_page', request)).map(toOpeningPage),

  async visitorOpeningPages({ platform, request }) {
    const visitor = await platform.guard.viewerOf(undefined)
    return (await listFitting(platform, visitor, 'opening_page', request)).map(toOpeningPage)
  },

  async diversions({ platform, viewer, query, request }) {
    const list = await listFitting(platform, viewer, 'diversion', request)
    const terminal = query.terminal ?? '6'
    return list
      .filter(({ content }) => content.terminals.includes(terminal))
      .map(({ id, content }) => ({
        id,
        ...content,
        destinations: content.destinations.map((place) => ({
          ...place,
          imageUrl: ownPicture(place.imageUrl, 'icon'),
        })),
      }))
  },

  async theme({ viewer, platform, request }) {
    const { timeZone } = await currentSettings(platform)
    const themes = await listFitting(platform, viewer, 'theme', request)
    const now = new Date()
    const theme = themes.find(({ content }) => themeValidAt(content.validLists, now, timeZone))
    if (!theme) return null
    const footTabs = theme.content.footTabs.map(toThemeTab)
    return {
      id: theme.id,
      ...theme.content,
      footTabs,
      backgroundUrl: footTabs[0]?.backgroundUrl ?? '',
      isValidForNow: true,
    }
  },

  async slides({ platform, viewer, request }) {
    const now = Date.now()
    return (await listFitting(platform, viewer, 'slide', request))
      .filter(({ content: { startsAt, endsAt } }) => {
        const isEarly = startsAt !== null && now < Date.parse(startsAt)
        const isLate = endsAt !== null && now >= Date.parse(endsAt)
        return !isEarly && !isLate
      })
      .map(({ id, content, position }) => ({
        id,
        ...content,
        imageUrl: ownPicture(content.imageUrl, 'wide'),
        order: position,
      }))
  },
}

type Item<K extends Kind> = {
  id: string
  position: number
  content: Static<(typeof contents)[K]>
}

const toOpeningPage = ({ id, content }: Item<'opening_page'>): OpeningPage => ({
  id,
  ...content,
  contentUrl:
    contentKind(content.contentUrl) === 'image'
      ? ownPicture(content.contentUrl, 'wide')
      : content.contentUrl,
})

/** The active items for this viewer; stored items that do not match their schema are skipped and logged. */
async function listFitting<K extends Kind>(
  platform: Platform,
  viewer: Pick<Viewer, 'audiences'>,
  kind: K,
  request: FastifyRequest,
): Promise<Item<K>[]> {
  const rows = await listOnline(platform.db, viewer, kind)
  return rows.flatMap(({ content, signed, ...row }) => {
    const read = readStored(contents[kind], content)
    if ('value' in read)
      return { ...row, content: withShownAddresses(platform.files, read.value, signed) }
    request.log.warn({ kind, id: row.id, field: read.misfit }, 'a stored item is invalid')
    return []
  })
}

function toThemeTab(tab: Static<typeof ThemeTab>) {
  // The specification names a tab's label either text or name.
  const text = tab.text || tab.name
  return {
    text,
    textEn: tab.textEn,
    name: text,
    iconPath: ownPicture(tab.iconPath, 'icon'),
    selectedIconPath: ownPicture(tab.selectedIconPath, 'icon'),
    backgroundUrl: ownPicture(tab.backgroundUrl, 'wide'),
  }
}
