import { desk } from '@atrium/contract/discovery/desk'
import { deskConsole } from '@atrium/contract/discovery/desk.operator'
import { deskSources } from '#domains/discovery/robot/extensions.ts'
import { builtInApps } from '#domains/work/messages/built-in-apps.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { deskConsoleHandlers } from './console-handlers.ts'
import { deskHandlers } from './handlers.ts'
import { isOpen } from './hours.ts'
import { deskMessages } from './messages.ts'
import { notifyAllMembers } from './notify.ts'
import { deskPersonalData } from './personal-data.ts'
import { listDesks, markWritten } from './queries.ts'

export const deskArea: Area = {
  name: 'desk',
  serve(app, host) {
    serve(app, host, desk, deskHandlers)
    serve(app, host, deskConsole, deskConsoleHandlers)
  },
  jobs: (platform) => [
    { name: 'desk-tell', cron: '* * * * *', run: () => notifyAllMembers(platform) },
  ],
  personalData: deskPersonalData,
  extend() {
    builtInApps.provide(deskMessages.spec)
    deskSources.provide({
      async list(platform, viewer) {
        const { timeZone } = await currentSettings(platform)
        const list = await listDesks(platform.db, viewer)
        return list.map((one) => ({ ...one, open: isOpen(one.hours, timeZone) }))
      },
      written: markWritten,
    })
  },
}
