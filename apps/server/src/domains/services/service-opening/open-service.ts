import type { Launch } from '@atrium/contract/services/service-opening'
import type { MiniProgram } from '@atrium/contract/services/services'
import { isUnavailable, outageState } from '@atrium/rules/outage'
import type { FastifyReply } from 'fastify'
import { guideHiddenReason, guideScreen } from '#domains/services/services/guides.ts'
import type { ServiceRow } from '#domains/services/services/queries.ts'
import { authorizationStateOf } from '#domains/sso/consent/jump.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { targetOf, tokenTransportsFor } from './rules.ts'
import { type SignOn, signOn } from './sign-on.ts'

type Caller = {
  viewer: Viewer
  /** possible terminal codes; undefined: not given */
  terminals: readonly string[] | undefined
  /** the caller has read the guide */
  closeGuide: boolean
  /** the caller was warned of the outage and continues */
  anyway: boolean
  reply: FastifyReply
}

/**
 * How and where a service opens for this caller.
 * @throws service.unavailable if it cannot be used on this terminal, or its address is invalid
 */
export async function resolveLaunch(
  platform: Platform,
  service: ServiceRow,
  caller: Caller,
): Promise<Launch> {
  const { viewer, terminals, closeGuide, anyway } = caller
  if (service.terminals.length > 0 && terminals?.every((one) => !service.terminals.includes(one)))
    fail('service.unavailable')
  const target = targetOf(service.url, platform.origin())
  if (target.kind === 'hostile') return fail('service.unavailable')
  const settings = await currentSettings(platform)
  const answer: Launch = {
    how: 'route',
    url: target.url,
    title: service.name,
    titleEn: service.name_en,
    tokens: [],
    needsVpn: service.needs_vpn && settings.enableVpn === '1',
    closeGuide: true,
    miniProgram: null,
    consent: null,
  }
  const guide = closeGuide ? undefined : await findPendingGuide(platform, viewer, service)
  if (guide)
    return { ...answer, how: 'guide', url: `${guide}?serviceId=${service.id}`, closeGuide: false }
  const { outage } = service
  if (outage && !anyway && isUnavailable(outageState(outage, new Date())))
    return { ...answer, how: 'outage', url: '', outage }
  if (service.opening === 'miniProgram')
    return { ...answer, how: 'miniProgram', miniProgram: miniProgramOf(service) }
  if (target.kind === 'internal') return answer
  const how = howOf(service)
  const transports = viewer.signedIn
    ? tokenTransportsFor(target.url, service.token_accept, settings)
    : []
  if (!viewer.signedIn || transports.length === 0) return { ...answer, how }
  return {
    ...answer,
    how,
    ...(await withSignOn(platform, {
      ...caller,
      viewer,
      service,
      url: target.url,
      ways: transports,
      settings,
    })),
  }
}

const howOf = ({ kind, opening }: ServiceRow): Launch['how'] => {
  if (opening === 'browser' || opening === 'viewer') return opening
  return kind === 'remote' ? 'news' : 'webview'
}

/** The guide screen to show first, if any. If the lookup fails, the service opens without it. */
async function findPendingGuide(platform: Platform, viewer: Viewer, service: ServiceRow) {
  try {
    return (await guideHiddenReason(platform, viewer, service))
      ? undefined
      : await guideScreen(platform)
  } catch (error) {
    platform.log.warn(
      { err: error, service: service.id },
      'the guide of a service could not be read',
    )
    return undefined
  }
}

/** Reads the stored mini-program: only text values, under the specification's names. */
function miniProgramOf(service: ServiceRow): MiniProgram {
  const stored = (service.mini_program ?? {}) as Record<string, unknown>
  const texts = Object.fromEntries(
    Object.entries(stored).filter(([, value]) => typeof value === 'string'),
  ) as Partial<MiniProgram>
  return {
    ...texts,
    appId: texts.appId ?? '',
    path: texts.path ?? '',
    title: texts.title || service.name,
  }
}

/** Signs the member on, or asks for consent first. A system registered for another service gets no token. */
async function withSignOn(
  platform: Platform,
  { service, ...options }: SignOn & { service: ServiceRow },
): Promise<Partial<Launch>> {
  const isOfService = (party: { serviceId: string | null }) =>
    (party.serviceId ?? service.id) === service.id
  const { consentDue, ...opening } = await signOn(platform, { ...options, only: isOfService })
  if (!consentDue) return opening
  return consentDue.serviceId === service.id
    ? {
        how: 'consent',
        url: '',
        consent: await authorizationStateOf(platform.db, options.viewer, consentDue),
      }
    : {}
}
