import './tab-bar.css'
import { messages } from '@atrium/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Badge } from '#ui/badge.tsx'
import { Icon, type IconName, knownIcon } from '#ui/icon.tsx'
import { useSettings, useSystem } from './config.ts'
import { HrefLink } from './link.tsx'
import { screenAt, tabPaths } from './screens.ts'
import { startFlags } from './start-flags.ts'

type FootTab = ReturnType<typeof useSystem>['footTabs'][number]

const icons: IconName[] = ['home', 'grid', 'message', 'calendar', 'me']
const messageTab = 3

/** The five tabs: at the bottom of a phone, at the side from 1024 px. `current` is the path of the page that shows. */
export function TabBar({ current, hidden }: { current: string; hidden: boolean }) {
  const { footTabs } = useSystem()
  const labels = useTabLabels()
  const unread = useUnread()
  return (
    <nav className={hidden ? 'tab-bar tab-bar-wide-only' : 'tab-bar'} aria-label={m.shell_tabs()}>
      {tabPaths().map((path, index) => {
        const badge = screenAt(path)?.tab === messageTab ? unread : 0
        return (
          <HrefLink
            key={path}
            href={path}
            verb="switchTab"
            className="tab-bar-item"
            aria-current={path === current ? 'page' : undefined}
          >
            <span className="tab-bar-icon">
              <TabIcon tab={footTabs[index]} chosen={path === current} own={icons[index]} />
              {badge > 0 || footTabs[index]?.redDot ? (
                <Badge count={badge} label={m.shell_unread({ count: badge })} />
              ) : null}
            </span>
            <span className="tab-bar-label">{labels[index]}</span>
          </HrefLink>
        )
      })}
    </nav>
  )
}

/** The institution's picture, or one of our drawings, which it may name too. */
function TabIcon({ tab, chosen, own }: { tab?: FootTab; chosen: boolean; own?: IconName }) {
  const picture = (chosen && tab?.selectedIconPath) || tab?.iconPath || ''
  if (picture.includes('/')) return <img className="icon" src={picture} alt="" />
  return <Icon name={knownIcon(picture, own)} />
}

/** By identity type code, else by its label, else the item's own text, else ours. */
function useTabLabels() {
  const { footTabs } = useSystem()
  const session = useSession()
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
    const byIdentity = tab.identityList[session?.identityTypeCode ?? 'guest']
    return byIdentity || inLanguage(tab.text, tab.textEn) || label
  })
}

/** Unread messages. Pages that learn the number on their way say it with `setUnread`, which saves the call. */
function useUnread() {
  const session = useSession()
  const { muteBadge, isShowBadge } = useSettings()
  const { data = 0 } = useQuery({
    ...q(messages.unreadTotal),
    initialData: () => read('totalCount') ?? 0,
    enabled: session !== null && !startFlags.noLogin,
    staleTime: 5000,
    // The first screen usually brings the number along: ask only when it did not.
    refetchOnMount: false,
    refetchInterval: ({ state }) => (state.dataUpdateCount === 0 ? 3000 : 60_000),
    refetchOnWindowFocus: true,
  })
  useEffect(() => {
    if (session) write('totalCount', data)
  }, [data, session])
  return session && muteBadge !== '1' && isShowBadge !== 'none' ? data : 0
}

export const setUnread = (count: number) =>
  queryClient.setQueryData(q(messages.unreadTotal).queryKey, count)
