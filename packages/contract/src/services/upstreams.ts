import type { ConfigKey } from '../config-keys.ts'
import type { Endpoint } from '../define.ts'

/**
 * Families of calls that an existing system of the institution may answer: a configuration key holds its address, which
 * replaces `mount`. `paths` lists the family's calls, `kept` those that always stay ours.
 */
export const bases = {
  services: {
    key: 'servicesBase',
    mount: '/portal-api',
    paths: [
      '/portal-api/v1/service/',
      '/portal-api/v2/service/',
      '/portal-api/v1/config/guideAlert/',
    ],
    // Only this server can sign a token for another system.
    kept: ['/portal-api/v1/service/jumpToken'],
  },
  cms: {
    key: 'cmsBase',
    mount: '/portal-api',
    paths: [
      '/portal-api/api/proxy/cms/api/rest/mobile/v2/',
      '/portal-api/v1/cms/content/',
      '/portal-api/v2/cms/marqueeList/',
    ],
    kept: [],
  },
  messages: { key: 'messageBase', mount: '/message', paths: ['/message/'], kept: [] },
  tasks: { key: 'transactionBase', mount: '/transaction', paths: ['/transaction/'], kept: [] },
  schedule: { key: 'scheduleBase', mount: '/schedule', paths: ['/schedule/'], kept: [] },
  // Sessions, privacy and sign-in records are also below /personal, but always stay ours.
  personal: {
    key: 'personalBase',
    mount: '/personal',
    paths: ['/personal/api/v1/personal/me/', '/personal/api/v1/personal/user/info/'],
    kept: [],
  },
  personalData: {
    key: 'personalDataBase',
    mount: '/portal-api',
    paths: [
      '/portal-api/v1/personalData/',
      '/portal-api/v2/personalData/',
      '/portal-api/v1/thrid-adapter/',
    ],
    kept: [],
  },
} as const satisfies Record<string, Base>

type Base = { key: ConfigKey; mount: string; paths: readonly string[]; kept: readonly string[] }
export type UpstreamName = keyof typeof bases
export const baseNames = Object.keys(bases) as UpstreamName[]

/**
 * The family an endpoint belongs to. Operator calls and anything outside the envelope (files, feeds, streams) stay
 * ours.
 */
export function baseOf({ path, access, media }: Endpoint): UpstreamName | undefined {
  if (media || access === 'operator' || access === 'integration') return undefined
  return baseNames.find((name) => {
    const { paths, kept }: Base = bases[name]
    return paths.some((prefix) => path.startsWith(prefix)) && !kept.includes(path)
  })
}

/** The path of a call relative to its upstream's address. */
export const pathBelow = (base: UpstreamName, path: string) => path.slice(bases[base].mount.length)
