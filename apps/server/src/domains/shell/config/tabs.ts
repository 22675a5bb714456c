import type { Static } from '@atrium/contract/define'
import type { FootTab } from '@atrium/contract/shell/config'
import { FootTabItem } from '@atrium/contract/shell/config.operator'
import { readStored } from '#platform/database/parse-json-column.ts'
import { ownPicture } from '#platform/images/picture-address.ts'

type Tab = Static<typeof FootTab>

const tab = (pagePath: string, icon: string, text: string, textEn: string): Tab => ({
  pagePath,
  text,
  textEn,
  name: text,
  iconPath: icon,
  selectedIconPath: icon,
  redDot: false,
  badge: '',
  externalUrl: '',
  backgroundUrl: '',
  identityList: {},
})

/** The product's five tabs, in order. */
const five: readonly Tab[] = [
  tab('/pages/tab/index/index', 'home', '首页', 'Home'),
  tab('/pages/tab/service/index', 'grid', '服务', 'Services'),
  tab('/pages/msgCenterTab/newtask/newtask', 'message', '消息', 'Messages'),
  tab('/pages/tab/schedule/schedule', 'calendar', '日程', 'Schedule'),
  tab('/pages/tab/my/my', 'me', '我的', 'Me'),
]

/**
 * The five tabs with the operator's changes; fields an item omits keep their defaults.
 * @param onMisfit called with the path of an invalid field (`0.iconPath`); that item is ignored
 */
export function footTabs(setting: string, onMisfit: (field: string) => void): Tab[] {
  const items = (JSON.parse(setting) as unknown[]).flatMap((stored, index) => {
    const read = readItem(stored)
    if ('item' in read) return [read.item]
    onMisfit(`${index}.${read.misfit}`)
    return []
  })
  return five.map((standard) => {
    const item = items.find(({ pagePath }) => pagePath === standard.pagePath)
    if (!item) return standard
    const text = item.text ?? item.name ?? standard.text
    const iconPath = ownPicture(item.iconPath || standard.iconPath, 'icon')
    return {
      ...standard,
      ...item,
      text,
      name: text,
      iconPath,
      selectedIconPath: ownPicture(item.selectedIconPath ?? '', 'icon') || iconPath,
      backgroundUrl: ownPicture(item.backgroundUrl ?? '', 'wide'),
      identityList: item.identityList ?? {},
    }
  })
}

/** Paths of invalid fields in an operator's tabs (`0.identityList`), in the order of the tabs. */
export const invalidTabFields = (items: readonly unknown[]): string[] =>
  items.flatMap((item, index) => {
    const read = readItem(item)
    return 'misfit' in read ? [`${index}.${read.misfit}`] : []
  })

function readItem(stored: unknown) {
  const read = readStored(FootTabItem, stored)
  if ('misfit' in read) return read
  const pagePath = read.value.pagePath.replace(/^\/?/, '/')
  if (!five.some((tab) => tab.pagePath === pagePath)) return { misfit: 'pagePath' }
  const identityList = readTexts(read.value.identityList)
  if (identityList === 'misfit') return { misfit: 'identityList' }
  return { item: { ...read.value, pagePath, identityList } }
}

/** A map of strings; old configurations store it as a JSON string. */
function readTexts(value: Record<string, string> | string | undefined) {
  if (typeof value !== 'string') return value
  try {
    const texts: unknown = JSON.parse(value)
    const isMap = typeof texts === 'object' && texts !== null && !Array.isArray(texts)
    if (isMap && Object.values(texts).every((text) => typeof text === 'string'))
      return texts as Record<string, string>
  } catch {
    // invalid JSON is a misfit too
  }
  return 'misfit'
}
