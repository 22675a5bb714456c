import { articleScreens } from '#domains/content/article/routes.ts'
import { editorialScreens } from '#domains/content/editorial/routes.ts'
import { filesScreens } from '#domains/content/files/routes.ts'
import { mailboxScreens } from '#domains/content/mailbox/routes.ts'
import { newsScreens } from '#domains/content/news/routes.ts'
import { workbenchScreens } from '#domains/content/workbench/routes.ts'
import { writingScreens } from '#domains/content/writing/routes.ts'
import { deskScreens } from '#domains/discovery/desk/routes.ts'
import { knowledgeScreens } from '#domains/discovery/knowledge/routes.ts'
import { robotScreens } from '#domains/discovery/robot/routes.ts'
import { searchScreens } from '#domains/discovery/search/routes.ts'
import { translationScreens } from '#domains/discovery/translation/routes.ts'
import { accountScreens } from '#domains/identity/account/routes.ts'
import { federationScreens } from '#domains/identity/federation/routes.ts'
import { loginScreens } from '#domains/identity/login/routes.ts'
import { passwordlessScreens } from '#domains/identity/passwordless/routes.ts'
import { scanLoginScreens } from '#domains/identity/scan-login/routes.ts'
import { secondFactorScreens } from '#domains/identity/second-factor/routes.ts'
import { securityQuestionsScreens } from '#domains/identity/security-questions/routes.ts'
import { sessionsScreens } from '#domains/identity/sessions/routes.ts'
import { studyScreens } from '#domains/learning/study/routes.ts'
import { studySystemsScreens } from '#domains/learning/study-systems/routes.ts'
import { addressBookScreens } from '#domains/member/address-book/routes.ts'
import { correctionsScreens } from '#domains/member/corrections/routes.ts'
import { eCardScreens } from '#domains/member/e-card/routes.ts'
import { favouritesScreens } from '#domains/member/favourites/routes.ts'
import { feedbackScreens } from '#domains/member/feedback/routes.ts'
import { personalScreens } from '#domains/member/personal/routes.ts'
import { personalSourcesScreens } from '#domains/member/personal-sources/routes.ts'
import { privacyScreens } from '#domains/member/privacy/routes.ts'
import { aggregationScreens } from '#domains/services/aggregation/routes.ts'
import { evaluationScreens } from '#domains/services/evaluation/routes.ts'
import { rankingsScreens } from '#domains/services/rankings/routes.ts'
import { serviceCatalogueScreens } from '#domains/services/service-catalogue/routes.ts'
import { servicesScreens } from '#domains/services/services/routes.ts'
import { shareScreens } from '#domains/services/share/routes.ts'
import { homeScreens } from '#domains/shell/home/routes.ts'
import { scanScreens } from '#domains/shell/scan/routes.ts'
import { systemScreens } from '#domains/shell/system/routes.ts'
import { webviewScreens } from '#domains/shell/webview/routes.ts'
import { consentScreens } from '#domains/sso/consent/routes.ts'
import { applicationsScreens } from '#domains/work/applications/routes.ts'
import { appointmentScreens } from '#domains/work/appointments/routes.ts'
import { caldavScreens } from '#domains/work/caldav/routes.ts'
import { calendarExchangeScreens } from '#domains/work/calendar-exchange/routes.ts'
import { calendarScreens } from '#domains/work/calendars/routes.ts'
import { delegationsScreens } from '#domains/work/delegations/routes.ts'
import { departmentCalendarsScreens } from '#domains/work/department-calendars/routes.ts'
import { eventDetailScreens } from '#domains/work/event-detail/routes.ts'
import { messagesScreens } from '#domains/work/messages/routes.ts'
import { notificationsScreens } from '#domains/work/notifications/routes.ts'
import { recipientScreens } from '#domains/work/recipients/routes.ts'
import { sendingScreens } from '#domains/work/sending/routes.ts'
import { tasksScreens } from '#domains/work/tasks/routes.ts'
import { todoScreens } from '#domains/work/todos/routes.ts'
import type { Screen } from '#shell/navigation/screens.ts'
import { first } from './routes/first.ts'
import { shellScreens } from './routes/shell.ts'

/**
 * Map 1: every screen, one file per area. Paths are the specification's; everything else is ours. The app loads this
 * map after its first screen, or immediately if a start needs a screen that is not in `first`.
 */
export const screens = {
  ...first,
  ...accountScreens,
  ...securityQuestionsScreens,
  ...aggregationScreens,
  ...consentScreens,
  ...evaluationScreens,
  ...favouritesScreens,
  ...federationScreens,
  ...filesScreens,
  ...homeScreens,
  ...mailboxScreens,
  ...loginScreens,
  ...messagesScreens,
  ...notificationsScreens,
  ...recipientScreens,
  ...sendingScreens,
  ...newsScreens,
  ...articleScreens,
  ...searchScreens,
  ...passwordlessScreens,
  ...scanLoginScreens,
  ...personalScreens,
  ...personalSourcesScreens,
  ...eCardScreens,
  ...correctionsScreens,
  ...privacyScreens,
  ...addressBookScreens,
  ...feedbackScreens,
  ...knowledgeScreens,
  ...robotScreens,
  ...deskScreens,
  ...studyScreens,
  ...studySystemsScreens,
  ...translationScreens,
  ...rankingsScreens,
  ...scanScreens,
  ...calendarScreens,
  ...calendarExchangeScreens,
  ...caldavScreens,
  ...appointmentScreens,
  ...eventDetailScreens,
  ...secondFactorScreens,
  ...servicesScreens,
  ...sessionsScreens,
  ...shareScreens,
  ...shellScreens,
  ...systemScreens,
  ...applicationsScreens,
  ...delegationsScreens,
  ...tasksScreens,
  ...todoScreens,
  ...webviewScreens,
  ...editorialScreens,
  ...workbenchScreens,
  ...writingScreens,
  ...serviceCatalogueScreens,
  ...departmentCalendarsScreens,
} satisfies Record<string, Screen>

type Map = typeof screens
declare module '#shell/navigation/screens.ts' {
  interface Screens extends Map {}
}
