import type { Reply } from '@atrium/contract/define'
import { config, type SystemConf } from '@atrium/contract/shell/config'
import { type Home, home } from '@atrium/contract/shell/home'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import HomePage from '#domains/shell/home/home-page.tsx'
import { htmlLang, inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { homePath, registerScreens } from '#shell/navigation/screens.ts'
import { PageContext } from '#shell/page/page-context.ts'
import { TabBar } from '#shell/tab-bar.tsx'
import { first } from '../src/routes/first.ts'

/*
 * Server-side rendering of home, using the app's own components and the same answers. Runs on the server in separate
 * contexts (apps/server/src/platform/http/painter.ts), without requests or storage.
 */
registerScreens(first)

type Answers = {
  system: SystemConf
  home: Home
  /** for a member */
  detail?: Reply<typeof config.detail>
}

/** Renders home before any script has loaded; for a member, everything except personal data. */
function paintHome(answers: Answers) {
  queryClient.setQueryData(q(config.system).queryKey, answers.system)
  if (answers.detail) queryClient.setQueryData(q(config.detail).queryKey, answers.detail)
  queryClient.setQueryData(q(home.read).queryKey, answers.home)
  const path = homePath()
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <a className="skip-link" href="#main">
        {m.shell_skip()}
      </a>
      <TabBar current={path} hidden={false} />
      <PageContext value={{ path, search: {} }}>
        <HomePage />
      </PageContext>
    </QueryClientProvider>,
  )
  queryClient.clear()
  const school = inLanguage(answers.system.schoolName, answers.system.schoolNameEn)
  const title = [m.home_title(), school].filter(Boolean).join(' · ')
  return { markup, title, lang: htmlLang() }
}

export type Painted = ReturnType<typeof paintHome>
Object.assign(globalThis, { paintHome })
