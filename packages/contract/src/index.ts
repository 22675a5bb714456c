import { announcementConsole, announcements } from './content/announcements.ts'
import { appGroups } from './content/app-groups.ts'
import { commentReview, comments } from './content/comments.ts'
import { newsConsole } from './content/editorial.operator.ts'
import { articleReview } from './content/editorial-review.operator.ts'
import { files } from './content/files.ts'
import { images } from './content/images.ts'
import { letterConsole, letters } from './content/mailbox.ts'
import { news, notices } from './content/news.ts'
import { feeds } from './content/news-feeds.operator.ts'
import { workbench } from './content/workbench.operator.ts'
import type { EndpointTable } from './define.ts'
import { assistantConsole } from './discovery/assistant.operator.ts'
import { assistant } from './discovery/assistant.ts'
import { deskConsole } from './discovery/desk.operator.ts'
import { desk } from './discovery/desk.ts'
import { knowledgeConsole } from './discovery/knowledge.operator.ts'
import { knowledge } from './discovery/knowledge.ts'
import { robot } from './discovery/robot.ts'
import { searchFailures } from './discovery/search.operator.ts'
import { search } from './discovery/search.ts'
import { translationConsole } from './discovery/translation.operator.ts'
import { translation } from './discovery/translation.ts'
import { account } from './identity/account.ts'
import { directories, exports } from './identity/directory.ts'
import { federation, identityProviders } from './identity/federation.ts'
import { organizationHeads } from './identity/heads.operator.ts'
import { identity, signInSteps } from './identity/identity.ts'
import { audit, members, operators, roles } from './identity/operators.operator.ts'
import { outbox } from './identity/outbox.operator.ts'
import { activation, forgotten, passwordless } from './identity/passwordless.ts'
import { scanLogin } from './identity/scan-login.ts'
import { scimClients } from './identity/scim.ts'
import { factorReset, factorSignIn, secondFactor } from './identity/second-factor.ts'
import { memberSessions, sessions } from './identity/sessions.ts'
import { wechat } from './identity/wechat.ts'
import { lti, ltiConsole } from './learning/lti.ts'
import { study } from './learning/study.ts'
import { studySources } from './learning/study-sources.operator.ts'
import { studyTeaching } from './learning/study-teaching.ts'
import { bookPosts } from './member/address-book.operator.ts'
import { addressBook, contactGroups } from './member/address-book.ts'
import { correctionRequests, corrections } from './member/corrections.ts'
import { eCard, payCodes } from './member/e-card.ts'
import { events } from './member/events.ts'
import { favourites, history } from './member/favourites.ts'
import { feedbackConsole } from './member/feedback.operator.ts'
import { feedback, feedbackPhotos } from './member/feedback.ts'
import { personal } from './member/personal.ts'
import { personalSourceSettings } from './member/personal-sources.operator.ts'
import { personalIntegration, personalSources } from './member/personal-sources.ts'
import { closings, privacy } from './member/privacy.ts'
import { aggregation } from './services/aggregation.ts'
import { evaluation, evaluationPhotos, evaluations } from './services/evaluation.ts'
import { health, maintenance, serviceHealth } from './services/health.ts'
import { catalogue, ownedServices, serviceFiles } from './services/service-catalogue.operator.ts'
import { serviceOpening } from './services/service-opening.ts'
import { servicePages } from './services/service-pages.operator.ts'
import { servicePlacements, serviceThemes } from './services/service-themes.operator.ts'
import { serviceSynonyms, serviceTypes } from './services/service-types.operator.ts'
import { services } from './services/services.ts'
import { share } from './services/share.ts'
import { settings, tabs } from './shell/config.operator.ts'
import { config } from './shell/config.ts'
import { failedJobs } from './shell/failed-jobs.operator.ts'
import { home } from './shell/home.ts'
import { diversions, openingPages, slides, themes } from './shell/launch.operator.ts'
import { launch } from './shell/launch.ts'
import { map } from './shell/map.ts'
import { scan } from './shell/scan.ts'
import { webview } from './shell/webview.ts'
import { centralLogin, ticketValidation } from './sso/central-login.ts'
import { consent } from './sso/consent.ts'
import { openid } from './sso/openid.ts'
import { registry } from './sso/registry.ts'
import { applicationForms } from './work/applications.operator.ts'
import { applications } from './work/applications.ts'
import { appointments, checkIn } from './work/appointments.ts'
import { caldav, calendarExchange, scheduleIntegration } from './work/calendar-exchange.ts'
import { calendars } from './work/calendars.ts'
import { delegationRules, delegations } from './work/delegations.ts'
import { departmentCalendars, departmentEvents } from './work/department-calendars.operator.ts'
import { live } from './work/live.ts'
import { messageApps } from './work/message-integration.operator.ts'
import { messageIntegration } from './work/message-integration.ts'
import { messages } from './work/messages.ts'
import { attentionDefaults } from './work/notifications.operator.ts'
import { notifications } from './work/notifications.ts'
import { schedule } from './work/schedule.ts'
import { recipientGroups } from './work/sending/recipients.ts'
import { sendingTemplates } from './work/sending/templates.ts'
import { sendingOperations } from './work/sending.operator.ts'
import { sending } from './work/sending.ts'
import { sendingLedger } from './work/sending-ledger.ts'
import { taskGroups } from './work/task-groups.ts'
import { taskIntegration } from './work/task-integration.ts'
import { taskSettings } from './work/task-settings.ts'
import { taskSources } from './work/task-sources.operator.ts'
import { tasks, thirdParty } from './work/tasks.ts'
import { timetables } from './work/timetables.operator.ts'
import { todos } from './work/todos.ts'

/** Map 2: every endpoint, by area. */
export const endpoints = {
  identity,
  signInSteps,
  centralLogin,
  ticketValidation,
  openid,
  factorSignIn,
  secondFactor,
  factorReset,
  federation,
  identityProviders,
  sessions,
  account,
  passwordless,
  scanLogin,
  forgotten,
  activation,
  config,
  home,
  launch,
  services,
  serviceOpening,
  favourites,
  history,
  aggregation,
  evaluation,
  evaluations,
  evaluationPhotos,
  health,
  serviceHealth,
  maintenance,
  share,
  news,
  notices,
  announcements,
  letters,
  comments,
  articleReview,
  commentReview,
  messages,
  live,
  messageIntegration,
  messageApps,
  notifications,
  attentionDefaults,
  recipientGroups,
  sending,
  sendingLedger,
  sendingOperations,
  sendingTemplates,
  appGroups,
  tasks,
  thirdParty,
  applications,
  delegations,
  delegationRules,
  applicationForms,
  taskGroups,
  taskSettings,
  taskIntegration,
  taskSources,
  todos,
  schedule,
  calendars,
  appointments,
  checkIn,
  calendarExchange,
  caldav,
  scheduleIntegration,
  timetables,
  personal,
  personalSources,
  personalIntegration,
  personalSourceSettings,
  eCard,
  payCodes,
  corrections,
  correctionRequests,
  scan,
  privacy,
  closings,
  addressBook,
  contactGroups,
  bookPosts,
  feedback,
  feedbackPhotos,
  feedbackConsole,
  roles,
  operators,
  members,
  audit,
  files,
  map,
  events,
  images,
  wechat,
  webview,
  themes,
  openingPages,
  diversions,
  slides,
  settings,
  tabs,
  memberSessions,
  outbox,
  failedJobs,
  registry,
  consent,
  organizationHeads,
  directories,
  exports,
  scimClients,
  catalogue,
  serviceTypes,
  serviceSynonyms,
  serviceThemes,
  servicePlacements,
  serviceFiles,
  ownedServices,
  newsConsole,
  feeds,
  announcementConsole,
  letterConsole,
  search,
  searchFailures,
  knowledge,
  knowledgeConsole,
  assistant,
  assistantConsole,
  translation,
  translationConsole,
  robot,
  desk,
  deskConsole,
  servicePages,
  workbench,
  departmentCalendars,
  departmentEvents,
  study,
  studyTeaching,
  lti,
  ltiConsole,
  studySources,
} satisfies Record<string, EndpointTable>
