import { webview } from '@atrium/contract/shell/webview'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { webviewHandlers } from './handlers.ts'

export const webviewArea: Area = {
  name: 'webview',
  serve(app, host) {
    serve(app, host, webview, webviewHandlers)
  },
}
