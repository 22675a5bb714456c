import './page.css'
import { type ReactNode, useContext, useEffect, useRef } from 'react'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { hasOwnBack } from '#shell/container/container.ts'
import { back, depth } from '#shell/navigation/navigation.ts'
import { findLoadedScreen, isTab } from '#shell/navigation/screens.ts'
import { startFlags } from '#shell/start/start-flags.ts'
import { PullToRefresh } from '#ui/feedback/pull-to-refresh.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { PageContext } from './page-context.ts'

type PageProps = {
  /** Defaults to the route map's title. */
  title?: string | undefined
  /** At most two buttons at the right of the navigation bar. */
  actions?: ReactNode
  /** Enables pull-to-refresh. */
  onRefresh?: () => Promise<unknown>
  /** The page draws its own header, with its own h1. */
  bare?: boolean
  /** Uses the full width on a desktop screen. */
  wide?: boolean
  children: ReactNode
}

/** The frame of every screen: navigation bar, heading, landmark, column. */
export function Page({ title, actions, onRefresh, bare = false, wide, children }: PageProps) {
  const { path, search, pane = false } = useContext(PageContext)
  const screen = findLoadedScreen(path)
  const name = title ?? screen?.title() ?? ''
  useTitle(name, !pane)
  useBarColour(screen?.nav, !pane)
  const heading = useFocusOnArrival(!isTab(path) && !pane)
  const tab = isTab(path)
  const content = onRefresh ? (
    <PullToRefresh onRefresh={onRefresh}>{children}</PullToRefresh>
  ) : (
    children
  )
  if (pane)
    return (
      <section className="page" aria-label={name}>
        {bare ? null : (
          <header className="nav-bar">
            <div className="nav-bar-inside">
              <h2 className="nav-bar-title" lang={userTextLang(name)}>
                {name}
              </h2>
              <div className="nav-bar-end">{actions}</div>
            </div>
          </header>
        )}
        {content}
      </section>
    )
  return (
    <main className={`page ${tab ? 'page-tab' : ''} ${wide ? 'page-wide' : ''}`} id="main">
      {bare ? null : (
        <header
          className={
            titleOutside && !actions
              ? 'unseen'
              : `nav-bar ${tab ? 'nav-bar-tab' : ''} ${screen?.nav ? `nav-bar-${screen.nav}` : ''}`
          }
        >
          <div className="nav-bar-inside">
            {tab ? null : (
              <div className="nav-bar-start">
                {search.isHideReturnBtn === '1' ? null : <BackButton label={screen?.backLabel} />}
              </div>
            )}
            <h1
              className={titleOutside ? 'unseen' : 'nav-bar-title'}
              lang={userTextLang(name)}
              ref={heading}
              tabIndex={-1}
            >
              {name}
            </h1>
            <div className="nav-bar-end">{actions}</div>
          </div>
        </header>
      )}
      {content}
    </main>
  )
}

/** Goes back, or home from the page the app was started on. Not shown if the container has its own. */
function BackButton({ label }: { label: (() => string) | undefined }) {
  if (startFlags.isHideReturnBtn || hasOwnBack) return null
  if (label)
    return (
      <button type="button" className="nav-bar-action" onClick={() => back()}>
        {label()}
      </button>
    )
  const home = depth() === 0
  return (
    <IconButton label={home ? m.shell_to_home() : m.shell_back()} onClick={() => back()}>
      <Icon name={home ? 'home' : 'back'} />
    </IconButton>
  )
}

/** The page is inside a web-view page of ours, whose bar shows the title. */
const titleOutside = (() => {
  try {
    return parent !== window && parent.location.pathname.startsWith('/pages/webview/')
  } catch {
    return false
  }
})()

function useTitle(name: string, isEnabled: boolean) {
  const { school } = useSystem()
  useEffect(() => {
    if (!isEnabled) return
    document.title = [name, school].filter(Boolean).join(' · ')
    if (name && titleOutside)
      parent.postMessage({ atrium: 'setTitle', title: name }, location.origin)
  }, [name, school, isEnabled])
}

/** Gives the browser's bar the colour of the navigation bar. */
function useBarColour(nav: 'brand' | 'channel' | undefined, isEnabled: boolean) {
  useEffect(() => {
    if (!isEnabled) return
    const colour = getComputedStyle(document.documentElement).getPropertyValue(`--${nav ?? 'page'}`)
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', colour.trim())
  }, [nav, isEnabled])
}

/**
 * A new page focuses its heading, so that a screen reader begins there, unless part of the page already has the focus.
 * The first page is left alone.
 */
let hasNavigated = false
function useFocusOnArrival(isEnabled: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const { current } = heading
    const hasFocus = current?.closest('main')?.contains(document.activeElement)
    if (hasNavigated && isEnabled && !hasFocus) current?.focus({ preventScroll: true })
    hasNavigated = true
  }, [isEnabled])
  return heading
}
