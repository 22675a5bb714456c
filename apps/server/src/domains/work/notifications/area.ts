import { notifications } from '@atrium/contract/work/notifications'
import { attentionDefaults } from '@atrium/contract/work/notifications.operator'
import { deliveryListeners } from '#domains/work/messages/send.ts'
import type { Area } from '#platform/area.ts'
import { outboxChannels } from '#platform/delivery/outbox.ts'
import { serve } from '#platform/http/serve.ts'
import { attentionDefaultHandlers, notificationHandlers } from './handlers.ts'
import { notificationsPersonalData } from './personal-data.ts'
import { createPushSender } from './push.ts'
import { deleteOldNotifications, insertQueued } from './queries.ts'
import { createWechatSender } from './wechat.ts'
import { startNotifications } from './worker.ts'

export const notificationsArea: Area = {
  name: 'notifications',
  serve(app, host) {
    serve(app, host, notifications, notificationHandlers)
    serve(app, host, attentionDefaults, attentionDefaultHandlers)
  },
  jobs: ({ db }) => [
    { name: 'notifications-clear', cron: '15 4 * * *', run: () => deleteOldNotifications(db) },
  ],
  workers: (platform) => [startNotifications(platform)],
  personalData: notificationsPersonalData,
  extend() {
    deliveryListeners.provide(insertQueued)
    outboxChannels.provide({ kind: 'push', open: createPushSender })
    outboxChannels.provide({ kind: 'wechat', open: createWechatSender })
  },
}
