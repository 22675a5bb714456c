import type { ReceiveSetting } from '@atrium/contract/work/notifications'
import { m } from '#paraglide/messages.js'

/** The display name of a channel. */
export function channelName(channel: ReceiveSetting['chosen'][number]) {
  switch (channel) {
    case 'push':
      return m.notifications_by_push()
    case 'mail':
      return m.notifications_by_mail()
    case 'sms':
      return m.notifications_by_sms()
    case 'wecom':
      return m.notifications_by_wecom()
    case 'wechat':
      return m.notifications_by_wechat()
  }
}
