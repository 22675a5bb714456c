import type { Area } from '#platform/area.ts'
import { proxyToUpstream } from './proxy.ts'

export const upstreamsArea: Area = {
  name: 'upstreams',
  serve(_app, host) {
    host.proxy = proxyToUpstream
  },
}
