import type { FootTab } from '@atrium/contract/config'
import type { Static } from '@atrium/contract/define'

type Tab = Static<typeof FootTab>

const tab = (pagePath: string, icon: string, text: string, textEn: string): Tab => ({
  pagePath,
  text,
  textEn,
  iconPath: icon,
  selectedIconPath: icon,
  redDot: false,
  externalUrl: '',
  identityList: {},
})

/** The five tabs of the product, in their order. */
const five: readonly Tab[] = [
  tab('/pages/tab/index/index', 'home', '首页', 'Home'),
  tab('/pages/tab/service/index', 'grid', '服务', 'Services'),
  tab('/pages/msgCenterTab/newtask/newtask', 'message', '消息', 'Messages'),
  tab('/pages/tab/schedule/schedule', 'calendar', '日程', 'Schedule'),
  tab('/pages/tab/my/my', 'me', '我的', 'Me'),
]

/** The tabs an operator has set over the five: an item keeps what it does not name. */
export function footTabs(setting: string): Tab[] {
  const items = JSON.parse(setting) as Partial<Tab & { name: string }>[]
  return five.map((standard) => {
    const item = items.find(
      (candidate) => candidate.pagePath?.replace(/^\/?/, '/') === standard.pagePath,
    )
    if (!item) return standard
    const identityList =
      typeof item.identityList === 'string' ? JSON.parse(item.identityList) : item.identityList
    return {
      ...standard,
      ...item,
      text: item.text ?? item.name ?? standard.text,
      identityList: identityList ?? {},
      pagePath: standard.pagePath,
    }
  })
}
