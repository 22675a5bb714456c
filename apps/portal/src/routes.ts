import type { Screen } from '#shell/navigation/screens.ts'
import { accountScreens } from './routes/account.ts'
import { aggregationScreens } from './routes/aggregation.ts'
import { consentScreens } from './routes/consent.ts'
import { evaluationScreens } from './routes/evaluation.ts'
import { favouritesScreens } from './routes/favourites.ts'
import { federationScreens } from './routes/federation.ts'
import { filesScreens } from './routes/files.ts'
import { first } from './routes/first.ts'
import { homeScreens } from './routes/home.ts'
import { lettersScreens } from './routes/letters.ts'
import { loginScreens } from './routes/login.ts'
import { messagesScreens } from './routes/messages.ts'
import { newsScreens } from './routes/news.ts'
import { passwordlessScreens } from './routes/passwordless.ts'
import { personalScreens } from './routes/personal.ts'
import { privacyScreens } from './routes/privacy.ts'
import { rankingsScreens } from './routes/rankings.ts'
import { scanScreens } from './routes/scan.ts'
import { scheduleScreens } from './routes/schedule.ts'
import { secondFactorScreens } from './routes/second-factor.ts'
import { servicesScreens } from './routes/services.ts'
import { sessionsScreens } from './routes/sessions.ts'
import { shareScreens } from './routes/share.ts'
import { shellScreens } from './routes/shell.ts'
import { systemScreens } from './routes/system.ts'
import { tasksScreens } from './routes/tasks.ts'
import { webviewScreens } from './routes/webview.ts'
import { workbenchScreens } from './routes/workbench.ts'

/**
 * Map 1: every screen, an area a file. Paths are the specification's; everything else is ours. The app fetches this map once
 * its first screen stands, or at once where a start needs more of it than `first`.
 */
export const screens = {
  ...first,
  ...accountScreens,
  ...aggregationScreens,
  ...consentScreens,
  ...evaluationScreens,
  ...favouritesScreens,
  ...federationScreens,
  ...filesScreens,
  ...homeScreens,
  ...lettersScreens,
  ...loginScreens,
  ...messagesScreens,
  ...newsScreens,
  ...passwordlessScreens,
  ...personalScreens,
  ...privacyScreens,
  ...rankingsScreens,
  ...scanScreens,
  ...scheduleScreens,
  ...secondFactorScreens,
  ...servicesScreens,
  ...sessionsScreens,
  ...shareScreens,
  ...shellScreens,
  ...systemScreens,
  ...tasksScreens,
  ...webviewScreens,
  ...workbenchScreens,
} satisfies Record<string, Screen>

type Map = typeof screens
declare module '#shell/screens.ts' {
  interface Screens extends Map {}
}
