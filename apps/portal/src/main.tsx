import '#ui/tokens.css'
import '#ui/base.css'
import { config } from '@atrium/contract/config'
import { home } from '@atrium/contract/home'
import { createRoot } from 'react-dom/client'
import { forgetAnswers, q, queryClient } from '#lib/queries.ts'
import { getSession, onSession } from '#lib/session.ts'
import { App } from '#shell/app.tsx'
import { getPlace, replace } from '#shell/history.ts'
import { applyPreferences } from '#shell/preferences.ts'
import { homePath, registerScreens } from '#shell/screens.ts'
import { startShowing } from '#shell/showing.ts'
import { screens } from './routes.ts'
// Most starts end on home: its code comes along with the shell.
import '#areas/home/home-page.tsx'

applyPreferences()
registerScreens(screens)

let account = getSession()?.accountId
onSession(() => {
  const now = getSession()?.accountId
  if (now !== account) forgetAnswers()
  account = now
})

// The entry page is no place of its own: the start-up sequence ends on a screen.
if (['/', '/pages/h5/index'].includes(getPlace().path)) replace(homePath() + getPlace().search)

// What this start needs is under way before anything is drawn.
const ahead = { staleTime: 0 }
void queryClient.prefetchQuery({ ...q(config.system), ...ahead })
if (getSession()) void queryClient.prefetchQuery({ ...q(config.detail), ...ahead })
if (getPlace().path === homePath()) void queryClient.prefetchQuery({ ...q(home.read), ...ahead })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const rootElement = createRoot(root)
// The splash stays until the first page's code is here, but not for ever.
void startShowing(1500).then(() => rootElement.render(<App />))
