import './tab-bar.css'
import { type CSSProperties, useState } from 'react'
import { environment } from '#lib/environment.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { read } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { HrefLink } from '#shell/navigation/link.tsx'
import { tabPaths } from '#shell/navigation/screens.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon, type IconName, toIconName } from '#ui/media/icon.tsx'
import { useBadge, usePolledCounts } from './badge.ts'
import { useSystem } from './config.ts'
import { useTheme } from './theme.ts'

type FootTab = ReturnType<typeof useSystem>['footTabs'][number]

const icons: IconName[] = ['home', 'grid', 'message', 'calendar', 'me']
const messageTab = 3

/** The five tabs: at the bottom on phones, at the side from 1024 px. `current` is the path of the current page. */
export function TabBar({ current, hidden }: { current: string; hidden: boolean }) {
  const tabs = useTabs()
  const theme = useTheme()
  usePolledCounts()
  // Read once, at the start: a picture already shown is not replaced by its stored copy.
  const [savedIcons] = useState(() => read('savedIconMap') ?? {})
  const picture =
    theme?.backgroundUrl || tabs.find(({ item }) => item?.backgroundUrl)?.item?.backgroundUrl
  return (
    <nav
      className={['tab-bar', hidden && 'tab-bar-wide-only', picture && 'tab-bar-themed']
        .filter(Boolean)
        .join(' ')}
      style={picture ? ({ '--tab-picture': `url("${picture}")` } as CSSProperties) : undefined}
      aria-label={m.shell_tabs()}
    >
      {tabs.map(({ path, item, label }, index) => {
        const themed = theme?.footTabs[index]
        return (
          <HrefLink
            key={path}
            href={path}
            verb="switchTab"
            className="tab-bar-item"
            aria-current={path === current ? 'page' : undefined}
          >
            <span className="tab-bar-icon">
              <TabIcon
                tab={themed?.iconPath ? themed : item}
                chosen={path === current}
                fallback={icons[index]}
                savedIcons={savedIcons}
              />
              {index + 1 === messageTab ? <MessageBadge item={item} /> : <TabBadge item={item} />}
            </span>
            <span className="tab-bar-label">
              {themed ? inLanguage(themed.text, themed.textEn) || label : label}
            </span>
          </HrefLink>
        )
      })}
    </nav>
  )
}

/** The number of unread messages and tasks; if zero, the operator's badge. */
function MessageBadge({ item }: { item: FootTab | undefined }) {
  const { unread, todo } = useBadge()
  if (unread + todo === 0) return <TabBadge item={item} />
  const label =
    unread === 0
      ? m.shell_todo({ count: todo })
      : todo === 0
        ? m.shell_unread({ count: unread })
        : m.shell_unread_and_todo({ unread, todo })
  return <Badge count={unread + todo} label={label} />
}

/** An operator's number, word or dot. */
function TabBadge({ item }: { item: FootTab | undefined }) {
  if (item?.badge) return <Badge text={item.badge} label={item.badge} />
  return item?.redDot ? <Badge label={m.shell_red_dot()} /> : null
}

/** The institution's picture, or one of our icons, which it may also name. Our icon if the picture fails to load. */
function TabIcon({
  tab,
  chosen,
  fallback,
  savedIcons,
}: {
  tab?: Pick<FootTab, 'iconPath' | 'selectedIconPath'>
  chosen: boolean
  fallback?: IconName | undefined
  savedIcons: Readonly<Record<string, string>>
}) {
  const [failed, setFailed] = useState('')
  const picture = (chosen && tab?.selectedIconPath) || tab?.iconPath || ''
  if (picture.includes('/') && picture !== failed)
    return (
      <img
        className="icon"
        src={savedIcons[picture] ?? picture}
        alt=""
        onError={() => setFailed(picture)}
      />
    )
  return <Icon name={toIconName(picture, fallback)} />
}

/** Target and label of each of the five tabs. */
function useTabs() {
  const { footTabs } = useSystem()
  const labels = useTabLabels()
  return tabPaths().map((path, index) => {
    const item = footTabs[index]
    const place = index + 1
    // A mini-program shows the schedule as a web page of its own.
    const instead = item?.externalUrl
      ? `/pages/webview/tab-webview-${place}`
      : environment.miniProgram && place === scheduleTab
        ? '/pages/webview/schedule-webview'
        : path
    return { path: instead, item, label: labels[index] }
  })
}
const scheduleTab = 4

/** Label by identity type code, else by the identity's label, else the item's own text, else ours. */
function useTabLabels() {
  const { footTabs, identityLabels } = useSystem()
  const code = useSession()?.identityTypeCode ?? 'guest'
  const ownLabels = [
    m.shell_tab_home(),
    m.shell_tab_services(),
    m.shell_tab_messages(),
    m.shell_tab_schedule(),
    m.shell_tab_me(),
  ]
  return ownLabels.map((label, index) => {
    const tab = footTabs[index]
    if (!tab) return label
    const byIdentity = tab.identityList[code] || tab.identityList[identityLabels[code] ?? '']
    return byIdentity || inLanguage(tab.text, tab.textEn) || label
  })
}
