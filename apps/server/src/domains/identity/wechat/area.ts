import { wechat } from '@atrium/contract/identity/wechat'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { wechatHandlers } from './handlers.ts'

export const wechatArea: Area = {
  name: 'wechat',
  serve(app, host) {
    serve(app, host, wechat, wechatHandlers)
  },
}
