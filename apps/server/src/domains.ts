import { announcementsArea } from '#domains/content/announcements/area.ts'
import { editorialArea } from '#domains/content/editorial/area.ts'
import { filesArea } from '#domains/content/files/area.ts'
import { imagesArea } from '#domains/content/images/area.ts'
import { mailboxArea } from '#domains/content/mailbox/area.ts'
import { newsArea } from '#domains/content/news/area.ts'
import { workbenchArea } from '#domains/content/workbench/area.ts'
import { assistantArea } from '#domains/discovery/assistant/area.ts'
import { deskArea } from '#domains/discovery/desk/area.ts'
import { knowledgeArea } from '#domains/discovery/knowledge/area.ts'
import { robotArea } from '#domains/discovery/robot/area.ts'
import { searchArea } from '#domains/discovery/search/area.ts'
import { translationArea } from '#domains/discovery/translation/area.ts'
import { accountArea } from '#domains/identity/account/area.ts'
import { directoryArea } from '#domains/identity/directory/area.ts'
import { federationArea } from '#domains/identity/federation/area.ts'
import { identityArea } from '#domains/identity/identity/area.ts'
import { identityProvidersArea } from '#domains/identity/identity-providers/area.ts'
import { membersArea } from '#domains/identity/members/area.ts'
import { operatorsArea } from '#domains/identity/operators/area.ts'
import { passwordlessArea } from '#domains/identity/passwordless/area.ts'
import { scanLoginArea } from '#domains/identity/scan-login/area.ts'
import { scimArea } from '#domains/identity/scim/area.ts'
import { secondFactorArea } from '#domains/identity/second-factor/area.ts'
import { sessionsArea } from '#domains/identity/sessions/area.ts'
import { wechatArea } from '#domains/identity/wechat/area.ts'
import { ltiArea } from '#domains/learning/lti/area.ts'
import { rosteringArea } from '#domains/learning/rostering/area.ts'
import { studyArea } from '#domains/learning/study/area.ts'
import { addressBookArea } from '#domains/member/address-book/area.ts'
import { correctionsArea } from '#domains/member/corrections/area.ts'
import { eCardArea } from '#domains/member/e-card/area.ts'
import { eventsArea } from '#domains/member/events/area.ts'
import { favouritesArea } from '#domains/member/favourites/area.ts'
import { feedbackArea } from '#domains/member/feedback/area.ts'
import { personalArea } from '#domains/member/personal/area.ts'
import { personalSourcesArea } from '#domains/member/personal-sources/area.ts'
import { privacyArea } from '#domains/member/privacy/area.ts'
import { aggregationArea } from '#domains/services/aggregation/area.ts'
import { evaluationArea } from '#domains/services/evaluation/area.ts'
import { healthArea } from '#domains/services/health/area.ts'
import { serviceCatalogueArea } from '#domains/services/service-catalogue/area.ts'
import { serviceOpeningArea } from '#domains/services/service-opening/area.ts'
import { servicesArea } from '#domains/services/services/area.ts'
import { shareArea } from '#domains/services/share/area.ts'
import { upstreamsArea } from '#domains/services/upstreams/area.ts'
import { configArea } from '#domains/shell/config/area.ts'
import { failedJobsArea } from '#domains/shell/failed-jobs/area.ts'
import { homeArea } from '#domains/shell/home/area.ts'
import { launchArea } from '#domains/shell/launch/area.ts'
import { mapArea } from '#domains/shell/map/area.ts'
import { scanArea } from '#domains/shell/scan/area.ts'
import { webviewArea } from '#domains/shell/webview/area.ts'
import { centralLoginArea } from '#domains/sso/central-login/area.ts'
import { consentArea } from '#domains/sso/consent/area.ts'
import { openidArea } from '#domains/sso/openid/area.ts'
import { registryArea } from '#domains/sso/registry/area.ts'
import { applicationsArea } from '#domains/work/applications/area.ts'
import { appointmentsArea } from '#domains/work/appointments/area.ts'
import { caldavArea } from '#domains/work/caldav/area.ts'
import { calendarExchangeArea } from '#domains/work/calendar-exchange/area.ts'
import { calendarsArea } from '#domains/work/calendars/area.ts'
import { delegationsArea } from '#domains/work/delegations/area.ts'
import { departmentCalendarsArea } from '#domains/work/department-calendars/area.ts'
import { invitationsArea } from '#domains/work/invitations/area.ts'
import { liveArea } from '#domains/work/live/area.ts'
import { messageIntegrationArea } from '#domains/work/message-integration/area.ts'
import { messagesArea } from '#domains/work/messages/area.ts'
import { notificationsArea } from '#domains/work/notifications/area.ts'
import { recipientsArea } from '#domains/work/recipients/area.ts'
import { scheduleArea } from '#domains/work/schedule/area.ts'
import { sendingArea } from '#domains/work/sending/area.ts'
import { sendingTemplatesArea } from '#domains/work/sending-templates/area.ts'
import { taskIntegrationArea } from '#domains/work/task-integration/area.ts'
import { tasksArea } from '#domains/work/tasks/area.ts'
import { timetablesArea } from '#domains/work/timetables/area.ts'
import { todosArea } from '#domains/work/todos/area.ts'
import type { Area } from '#platform/area.ts'
import { completeExtensions } from '#platform/extension.ts'
import { personalData } from '#platform/personal-data.ts'
import type { Platform } from '#platform/platform.ts'
import { searchable } from '#platform/search-source.ts'

/** All areas of the server. Personal data is exported in this order and deleted in reverse order. */
export const areas: readonly Area[] = [
  identityArea,
  membersArea,
  secondFactorArea,
  passwordlessArea,
  scanLoginArea,
  federationArea,
  identityProvidersArea,
  sessionsArea,
  accountArea,
  directoryArea,
  scimArea,
  operatorsArea,
  wechatArea,
  registryArea,
  consentArea,
  centralLoginArea,
  openidArea,
  servicesArea,
  serviceCatalogueArea,
  serviceOpeningArea,
  healthArea,
  evaluationArea,
  aggregationArea,
  favouritesArea,
  shareArea,
  upstreamsArea,
  filesArea,
  imagesArea,
  newsArea,
  editorialArea,
  announcementsArea,
  mailboxArea,
  messagesArea,
  messageIntegrationArea,
  notificationsArea,
  sendingArea,
  recipientsArea,
  sendingTemplatesArea,
  taskIntegrationArea,
  tasksArea,
  applicationsArea,
  delegationsArea,
  todosArea,
  invitationsArea,
  liveArea,
  scheduleArea,
  calendarsArea,
  appointmentsArea,
  departmentCalendarsArea,
  calendarExchangeArea,
  caldavArea,
  timetablesArea,
  studyArea,
  rosteringArea,
  ltiArea,
  personalArea,
  personalSourcesArea,
  eCardArea,
  correctionsArea,
  privacyArea,
  addressBookArea,
  feedbackArea,
  eventsArea,
  configArea,
  launchArea,
  homeArea,
  mapArea,
  webviewArea,
  scanArea,
  failedJobsArea,
  searchArea,
  knowledgeArea,
  assistantArea,
  translationArea,
  robotArea,
  deskArea,
  workbenchArea,
]

for (const area of areas) {
  area.extend?.()
  if (area.personalData) personalData.provide(area.personalData)
  if (area.search) searchable.provide(area.search)
}

completeExtensions()

/** All background jobs. */
export const listJobs = (platform: Platform) => areas.flatMap(({ jobs }) => jobs?.(platform) ?? [])
