import './tab-bar.css'
import { messages } from '@atrium/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useState } from 'react'
import { environment } from '#lib/environment.ts'
import { inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Badge } from '#ui/badge.tsx'
import { Icon, type IconName, knownIcon } from '#ui/icon.tsx'
import { useSettings, useSystem } from './config.ts'
import { HrefLink } from './link.tsx'
import { tabPaths } from './screens.ts'
import { startFlags } from './start-flags.ts'
import { useTheme } from './theme.ts'

type FootTab = ReturnType<typeof useSystem>['footTabs'][number]

const icons: IconName[] = ['home', 'grid', 'message', 'calendar', 'me']
const messageTab = 3

/** The five tabs: at the bottom of a phone, at the side from 1024 px. `current` is the path of the page that shows. */
export function TabBar({ current, hidden }: { current: string; hidden: boolean }) {
  const tabs = useTabs()
  const theme = useTheme()
  const unread = useUnread()
  return (
    <nav
      className={[
        'tab-bar',
        hidden && 'tab-bar-wide-only',
        theme?.backgroundUrl && 'tab-bar-themed',
      ]
        .filter(Boolean)
        .join(' ')}
      style={
        theme?.backgroundUrl
          ? ({ '--tab-picture': `url("${theme.backgroundUrl}")` } as CSSProperties)
          : undefined
      }
      aria-label={m.shell_tabs()}
    >
      {tabs.map(({ path, item, label }, index) => {
        const badge = index + 1 === messageTab ? unread : 0
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
                own={icons[index]}
              />
              {badge > 0 || item?.redDot ? (
                <Badge
                  count={badge}
                  label={badge > 0 ? m.shell_unread({ count: badge }) : m.shell_red_dot()}
                />
              ) : null}
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

/** The institution's picture, or one of our drawings, which it may name too. One that does not come leaves our drawing. */
function TabIcon({
  tab,
  chosen,
  own,
}: {
  tab?: Pick<FootTab, 'iconPath' | 'selectedIconPath'>
  chosen: boolean
  own?: IconName
}) {
  const [failed, setFailed] = useState('')
  const picture = (chosen && tab?.selectedIconPath) || tab?.iconPath || ''
  if (picture.includes('/') && picture !== failed)
    return <img className="icon" src={picture} alt="" onError={() => setFailed(picture)} />
  return <Icon name={knownIcon(picture, own)} />
}

/** Where each of the five tabs leads, and what it is called. */
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

/** By identity type code, else by its label, else the item's own text, else ours. */
function useTabLabels() {
  const { footTabs, identityLabels } = useSystem()
  const code = useSession()?.identityTypeCode ?? 'guest'
  const own = [
    m.shell_tab_home(),
    m.shell_tab_services(),
    m.shell_tab_messages(),
    m.shell_tab_schedule(),
    m.shell_tab_me(),
  ]
  return own.map((label, index) => {
    const tab = footTabs[index]
    if (!tab) return label
    const byIdentity = tab.identityList[code] || tab.identityList[identityLabels[code] ?? '']
    return byIdentity || inLanguage(tab.text, tab.textEn) || label
  })
}

/** Unread messages. Pages that learn the number on their way say it with `setUnread`, which saves the call. */
function useUnread() {
  const session = useSession()
  const { muteBadge, isShowBadge } = useSettings()
  const asks = session !== null && !startFlags.noLogin
  const { data = 0, refetch } = useQuery({
    ...q(messages.unreadTotal),
    initialData: () => read('totalCount') ?? 0,
    initialDataUpdatedAt: 0,
    enabled: asks,
    staleTime: 5000,
    // The first screen usually brings the number along: ask only when it did not.
    refetchOnMount: false,
    refetchInterval: ({ state }) => (state.dataUpdateCount === 0 ? 3000 : 60_000),
    refetchOnWindowFocus: false,
  })
  // When the app shows, and when it hides, for the number on its icon.
  useEffect(() => {
    if (!asks) return
    const again = () => void refetch()
    document.addEventListener('visibilitychange', again)
    return () => document.removeEventListener('visibilitychange', again)
  }, [asks, refetch])
  useEffect(() => {
    if (session) write('totalCount', data)
  }, [data, session])
  return session && muteBadge !== '1' && isShowBadge !== 'none' ? data : 0
}

/** @param at when the server said so, in milliseconds: what is known since then stays */
export function setUnread(count: number, at = Date.now()) {
  const { queryKey } = q(messages.unreadTotal)
  if ((queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < at)
    queryClient.setQueryData(queryKey, count, { updatedAt: at })
}
