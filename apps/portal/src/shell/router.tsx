import { figures } from '@atrium/rules/figures'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useMatches,
  useSearch,
} from '@tanstack/react-router'
import { type ComponentType, useEffect } from 'react'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { loadPage } from './chunk.ts'
import { history, launchCount } from './navigation.ts'
import { PageContext } from './page-context.ts'
import { NotFoundPage, PageError, PageLoading } from './page-states.tsx'
import { allScreens, screenAt } from './screens.ts'
import { joinSearch, splitSearch } from './search.ts'
import { signIn } from './sign-in.ts'
import { startFlags } from './start-flags.ts'
import { TabBar } from './tab-bar.tsx'
import { TabOutlet } from './tab-outlet.tsx'

/** The router over the route map that was registered: one flat level of routes below the frame. */
export function buildRouter() {
  const tabs: Record<string, ComponentType> = {}
  const root = createRootRoute({
    component: () => <Frame tabs={tabs} />,
    notFoundComponent: NotFoundPage,
  })
  const routes = Object.entries(allScreens()).map(([path, screen]) => {
    const Content = lazyRouteComponent(() => loadPage(screen.page)) as ComponentType & {
      preload?: () => Promise<void>
    }
    if (screen.tab) tabs[path] = Content
    // A tab's content stands in an outlet of its own; here it is only waited for.
    const Slot = screen.tab ? () => null : () => <Standing path={path} content={Content} />
    const route = createRoute({
      getParentRoute: () => root,
      path,
      component: Object.assign(Slot, { preload: () => Content.preload?.() ?? Promise.resolve() }),
      remountDeps: ({ search }) => (screen.stays ? path : search),
      beforeLoad: ({ location, preload }) => {
        if (preload || screen.access !== 'member' || getSession()) return
        signIn(location.href)
        // The browser is leaving: nothing of the page may show meanwhile.
        return new Promise<void>(() => {})
      },
    })
    return [path, route] as const
  })
  return createRouter({
    routeTree: root.addChildren(Object.fromEntries(routes)),
    history,
    parseSearch: splitSearch,
    stringifySearch: joinSearch,
    defaultPendingMs: figures.loadingDelay,
    defaultPendingMinMs: figures.loadingMinimum,
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
    // A tab has one place to come back to; every other page one for each visit.
    getScrollRestorationKey: ({ pathname, state }) =>
      screenAt(pathname)?.tab ? `${launchCount()} ${pathname}` : (state.__TSR_key ?? pathname),
  })
}

type Leaf = { fullPath?: string; status?: string; search?: Record<string, string> }

function Frame({ tabs }: { tabs: Record<string, ComponentType> }) {
  const matches = useMatches() as Leaf[]
  const { fullPath: path = '', status, search = {} } = matches[matches.length - 1] ?? {}
  const isTab = Boolean(screenAt(path)?.tab)
  const bare = startFlags.isHideTabbar || search.isHideTabbar === '1'
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bare', bare)
  }, [bare])
  return (
    <>
      <a className="skip-link" href="#main">
        {m.shell_skip()}
      </a>
      {bare ? null : <TabBar current={path} hidden={!isTab} />}
      <TabOutlet
        key={launchCount()}
        tabs={tabs}
        shown={isTab && status === 'success' ? path : undefined}
        search={search}
      />
      <Outlet />
    </>
  )
}

/** A page that is not a tab, with the fields of its address. */
function Standing({ path, content: Content }: { path: string; content: ComponentType }) {
  const search: Record<string, string> = useSearch({ strict: false })
  return (
    <PageContext value={{ path, search }}>
      <Content />
    </PageContext>
  )
}
