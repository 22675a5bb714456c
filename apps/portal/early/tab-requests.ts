import { appGroups } from '@atrium/contract/content/app-groups'
import { personal } from '@atrium/contract/member/personal'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { services } from '@atrium/contract/services/services'
import type { PaintableTab } from '@atrium/contract/shell/home'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'

/** The requests of a member's first view of each tab but home, with placeholders for `fillPlaceholders`. */
export const tabRequests: Readonly<Record<PaintableTab, readonly string[]>> = {
  '/pages/tab/service/index': [
    `${services.overview.path}?platformType=%terminal%`,
    services.lastUsed.path,
  ],
  '/pages/tab/schedule/schedule': [
    `${schedule.events.path}?from=%from%&to=%to%`,
    schedule.changes.path,
  ],
  '/pages/msgCenterTab/newtask/newtask': [appGroups.read.path, messages.apps.path],
  '/pages/tab/my/my': [
    personal.me.path,
    personalSources.overview.path,
    `${personalSources.eCard.path}?wait=0`,
  ],
}

/** The same for visitors, of the one tab that has content for them. */
export const visitorRequests: Readonly<Partial<Record<PaintableTab, readonly string[]>>> = {
  '/pages/tab/service/index': [`${services.overview.path}?platformType=%terminal%`],
}

/** Requests that wait for another system: part of a start, but nothing is painted with them. */
export const slowRequests: Readonly<Partial<Record<PaintableTab, readonly string[]>>> = {
  '/pages/tab/my/my': [personalSources.eCard.path],
}
