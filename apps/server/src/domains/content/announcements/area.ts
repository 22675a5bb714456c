import { announcementConsole, announcements } from '@atrium/contract/content/announcements'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { announcementConsoleHandlers, announcementHandlers } from './handlers.ts'
import { announcementMessages } from './messages.ts'
import { announcementsPersonalData } from './personal-data.ts'

export const announcementsArea: Area = {
  name: 'announcements',
  serve(app, host) {
    serve(app, host, announcements, announcementHandlers)
    serve(app, host, announcementConsole, announcementConsoleHandlers)
  },
  personalData: announcementsPersonalData,
  extend: () => builtInApps.provide(announcementMessages.spec),
}
