import type { Area } from '#platform/area.ts'
import { proxyToUpstream } from './proxy.ts'

export const basesArea: Area = {
  name: 'bases',
  serve(_app, host) {
    host.forward = proxyToUpstream
  },
}
