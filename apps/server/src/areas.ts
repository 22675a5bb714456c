import { accountArea } from '#areas/account/area.ts'
import { aggregationArea } from '#areas/aggregation/area.ts'
import { announcementsArea } from '#areas/announcements/area.ts'
import { basesArea } from '#areas/bases/area.ts'
import { centralLoginArea } from '#areas/central-login/area.ts'
import { configArea } from '#areas/config/area.ts'
import { consentArea } from '#areas/consent/area.ts'
import { directoryArea } from '#areas/directory/area.ts'
import { editingArea } from '#areas/editing/area.ts'
import { evaluationArea } from '#areas/evaluation/area.ts'
import { eventsArea } from '#areas/events/area.ts'
import { favouritesArea } from '#areas/favourites/area.ts'
import { federationArea } from '#areas/federation/area.ts'
import { filesArea } from '#areas/files/area.ts'
import { healthArea } from '#areas/health/area.ts'
import { homeArea } from '#areas/home/area.ts'
import { identityArea } from '#areas/identity/area.ts'
import { imagesArea } from '#areas/images/area.ts'
import { jobsArea } from '#areas/jobs/area.ts'
import { launchArea } from '#areas/launch/area.ts'
import { lettersArea } from '#areas/letters/area.ts'
import { mapArea } from '#areas/map/area.ts'
import { messagesArea } from '#areas/messages/area.ts'
import { newsArea } from '#areas/news/area.ts'
import { openidArea } from '#areas/openid/area.ts'
import { operatorsArea } from '#areas/operators/area.ts'
import { passwordlessArea } from '#areas/passwordless/area.ts'
import { personalArea } from '#areas/personal/area.ts'
import { privacyArea } from '#areas/privacy/area.ts'
import { registryArea } from '#areas/registry/area.ts'
import { scheduleArea } from '#areas/schedule/area.ts'
import { scimArea } from '#areas/scim/area.ts'
import { secondFactorArea } from '#areas/second-factor/area.ts'
import { serviceCatalogueArea } from '#areas/service-catalogue/area.ts'
import { serviceOpeningArea } from '#areas/service-opening/area.ts'
import { servicesArea } from '#areas/services/area.ts'
import { sessionsArea } from '#areas/sessions/area.ts'
import { shareArea } from '#areas/share/area.ts'
import { tasksArea } from '#areas/tasks/area.ts'
import { webviewArea } from '#areas/webview/area.ts'
import { wechatArea } from '#areas/wechat/area.ts'
import type { Area } from '#platform/area.ts'
import { completeExtensions } from '#platform/extension.ts'
import { personalData } from '#platform/personal-data.ts'
import type { Platform } from '#platform/platform.ts'

/** Every area of the server. Lower areas come before those that build on them. */
export const areas: readonly Area[] = [
  identityArea,
  secondFactorArea,
  passwordlessArea,
  federationArea,
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
  basesArea,
  filesArea,
  imagesArea,
  newsArea,
  editingArea,
  announcementsArea,
  lettersArea,
  messagesArea,
  tasksArea,
  scheduleArea,
  personalArea,
  privacyArea,
  eventsArea,
  configArea,
  launchArea,
  homeArea,
  mapArea,
  webviewArea,
  jobsArea,
]

for (const area of areas) {
  area.extend?.()
  if (area.personalData) personalData.provide(area.personalData)
}

completeExtensions()

/** Every background job. */
export const listJobs = (platform: Platform) => areas.flatMap(({ jobs }) => jobs?.(platform) ?? [])
