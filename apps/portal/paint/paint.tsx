import type { Reply } from '@atrium/contract/define'
import { config, type SystemConf } from '@atrium/contract/shell/config'
import { type Home, home, type PaintableTab } from '@atrium/contract/shell/home'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import MePage from '#domains/member/personal/me-page.tsx'
import ServicesPage from '#domains/services/services/services-page.tsx'
import HomePage from '#domains/shell/home/home-page.tsx'
import MessagesPage from '#domains/work/messages/messages-page.tsx'
import SchedulePage from '#domains/work/schedule/schedule-page.tsx'
import { offerAnswers } from '#lib/early-answers.ts'
import { htmlLang, inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { findLoadedScreen, homePath, registerScreens } from '#shell/navigation/screens.ts'
import { PageContext } from '#shell/page/page-context.ts'
import { TabBar } from '#shell/tab-bar.tsx'
import { fillPlaceholders } from '../early/fill-placeholders.ts'
import { tabRequests, visitorRequests } from '../early/tab-requests.ts'
import { first } from '../src/routes/first.ts'

/*
 * Server-side rendering of the tabs, using the app's own components and the same answers. Runs on the server in separate
 * contexts (apps/server/src/platform/http/painter.ts), without requests or storage.
 */
registerScreens(first)

/** The other tabs; home is painted before any script has loaded. */
const tabPages: Readonly<Record<PaintableTab, ComponentType>> = {
  '/pages/tab/service/index': ServicesPage,
  '/pages/msgCenterTab/newtask/newtask': MessagesPage,
  '/pages/tab/schedule/schedule': SchedulePage,
  '/pages/tab/my/my': MePage,
}

type Settings = {
  system: SystemConf
  /** for a member */
  detail?: Reply<typeof config.detail> | undefined
}

/** Renders home before any script has loaded; for a member, everything except personal data. */
function paintHome({ home: answer, ...settings }: Settings & { home: Home }) {
  queryClient.setQueryData(q(home.read).queryKey, answer)
  return paint(homePath(), HomePage, settings)
}

/**
 * Renders a tab for a member, or for visitors.
 * @param answers by address, as named by `answersFor`
 */
function paintTab(path: PaintableTab, answers: Readonly<Record<string, unknown>>) {
  offerAnswers(answers, getSession()?.token ?? null)
  return paint(path, tabPages[path], {
    system: answers[config.system.path] as SystemConf,
    detail: answers[config.detail.path] as Reply<typeof config.detail> | undefined,
  })
}

/**
 * The addresses that `paintTab` needs the answers of; undefined if it cannot paint on this device, or if the tab has no
 * content for visitors.
 */
function answersFor(path: PaintableTab, userAgent: string, today: string) {
  const isMember = getSession() !== null
  const device = { userAgent, maxTouchPoints: 0, today }
  const requests = isMember ? tabRequests[path] : visitorRequests[path]
  const filled = requests?.map((request) => fillPlaceholders(request, device))
  if (!filled || filled.includes(undefined)) return undefined
  return [config.system.path, ...(isMember ? [config.detail.path] : []), ...filled]
}

function paint(path: string, Tab: ComponentType, { system, detail }: Settings) {
  try {
    queryClient.setQueryData(q(config.system).queryKey, system)
    if (detail) queryClient.setQueryData(q(config.detail).queryKey, detail)
    const markup = renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <a className="skip-link" href="#main">
          {m.shell_skip()}
        </a>
        <TabBar current={path} hidden={false} />
        <PageContext value={{ path, search: {} }}>
          <Tab />
        </PageContext>
      </QueryClientProvider>,
    )
    const school = inLanguage(system.schoolName, system.schoolNameEn)
    const title = [findLoadedScreen(path)?.title(), school].filter(Boolean).join(' · ')
    return { markup, title, lang: htmlLang() }
  } finally {
    // The next rendering may be for another member.
    queryClient.clear()
    offerAnswers({}, null)
  }
}

Object.assign(globalThis, { paintHome, paintTab, answersFor })
