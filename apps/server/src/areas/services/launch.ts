import type { Launch, MiniProgram } from '@atrium/contract/services'
import { isOut, outageState } from '@atrium/rules/outage'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { fail } from '#platform/errors.ts'
import type { Member, Viewer } from '#platform/guard.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings, type Settings } from '../config/queries.ts'
import { issueJumpToken, jumpSeconds, stateOf } from '../consent/jump.ts'
import { findPartyAt, type Party } from '../registry/parties.ts'
import { closedGuide, guideScreen } from './guides.ts'
import {
  cookieDomain,
  type Target,
  type TokenWay,
  targetOf,
  waysOf,
  withField,
} from './launch-rules.ts'
import type { ServiceRow } from './queries.ts'

type Caller = {
  viewer: Viewer
  /** terminal codes it may be on; nothing: it did not say */
  terminals: readonly string[] | undefined
  /** the guide was read */
  closeGuide: boolean
  /** they were warned that it is out of service */
  anyway: boolean
  reply: FastifyReply
}

/** How and where a service opens for this caller. @throws service.unavailable where it cannot be used here, or never */
export async function launchOf(
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
  const guide = closeGuide ? undefined : await standingGuide(platform, viewer, service)
  if (guide)
    return { ...answer, how: 'guide', url: `${guide}?serviceId=${service.id}`, closeGuide: false }
  const { outage } = service
  if (outage && !anyway && isOut(outageState(outage, new Date())))
    return { ...answer, how: 'outage', url: '', outage }
  if (service.opening === 'miniProgram')
    return { ...answer, how: 'miniProgram', miniProgram: miniProgramOf(service) }
  if (target.kind === 'internal') return answer
  const how = howOf(service)
  const ways = viewer.signedIn ? waysOf(target.url, service.token_accept, settings) : []
  if (!viewer.signedIn || ways.length === 0) return { ...answer, how }
  return {
    ...answer,
    how,
    ...(await introduced(platform, { ...caller, viewer, service, target, ways, settings })),
  }
}

const howOf = ({ kind, opening }: ServiceRow): Launch['how'] => {
  if (opening === 'browser' || opening === 'viewer') return opening
  return kind === 'remote' ? 'news' : 'webview'
}

/** The guide that stands before it. Without it the service opens all the same: a guide that cannot be asked for is none. */
async function standingGuide(platform: Platform, viewer: Viewer, service: ServiceRow) {
  try {
    return (await closedGuide(platform, viewer, service)) ? undefined : await guideScreen(platform)
  } catch (error) {
    platform.log.warn(
      { err: error, service: service.id },
      'the guide of a service could not be looked up',
    )
    return undefined
  }
}

/** Only what an operator can have meant: texts under the names of the specification. */
function miniProgramOf(service: ServiceRow): MiniProgram {
  const given = (service.mini_program ?? {}) as Record<string, unknown>
  const texts = Object.fromEntries(
    Object.entries(given).filter(([, value]) => typeof value === 'string'),
  ) as Partial<MiniProgram>
  return {
    ...texts,
    appId: texts.appId ?? '',
    path: texts.path ?? '',
    title: texts.title || service.name,
  }
}

type Introduction = Omit<Caller, 'viewer'> & {
  viewer: Member
  service: ServiceRow
  target: Exclude<Target, { kind: 'hostile' }>
  ways: readonly TokenWay[]
  settings: Settings
}

/**
 * Tells the service who calls: by the central login, or with a token for itself alone where it is registered and the member
 * has agreed. A header and a cookie are sent by the host app; a browser can send a cookie within one domain, and else the
 * token goes in the address.
 */
async function introduced(
  platform: Platform,
  { viewer, terminals, reply, service, target, ways, settings }: Introduction,
): Promise<Partial<Launch>> {
  if (ways.some(({ tokenType }) => tokenType === 'cas'))
    return {
      url: withField(
        settings.casUrl ? loginOf(settings.casUrl) : `${platform.origin()}/cas/login`,
        'service',
        target.url,
      ),
    }
  const party = await partyOf(platform, service, target.url)
  if (!party) return {}
  const made = await issueJumpToken(platform, viewer, party)
  if (!made)
    return party.serviceId === service.id
      ? { how: 'consent', url: '', consent: await stateOf(platform.db, viewer, party) }
      : {}
  const inApp = terminals?.includes('2') ?? false
  const tokens: Launch['tokens'] = []
  let { url } = target
  for (const { tokenType, tokenKey } of ways) {
    if (inApp && (tokenType === 'header' || tokenType === 'cookie'))
      tokens.push({ type: tokenType, key: tokenKey, value: made.token, expiresAt: made.expiresAt })
    else if (tokenType !== 'cookie' || !giveCookie(platform, reply, tokenKey, made.token, url))
      url = withField(url, tokenKey, made.token)
  }
  return { url, tokens }
}

/** The registered system that is this service; one that is another service of the catalogue is not. */
async function partyOf(
  platform: Platform,
  service: ServiceRow,
  url: string,
): Promise<Party | undefined> {
  const found = await findPartyAt(platform, url)
  return found && (found.party.serviceId ?? service.id) === service.id ? found.party : undefined
}

/** Operators write the central login with and without its page. */
const loginOf = (casUrl: string) =>
  /\/login\/?$/.test(casUrl) ? casUrl : `${casUrl.replace(/\/+$/, '')}/login`

/** @returns whether the browser will send it there */
function giveCookie(
  platform: Platform,
  reply: FastifyReply,
  key: string,
  token: string,
  address: string,
) {
  const own = new URL(platform.origin())
  const service = new URL(address)
  const domain = cookieDomain(own.hostname, service.hostname)
  if (domain === undefined || service.protocol !== own.protocol) return false
  // Written by hand: requests for services are not searched for cookies, so their replies know none.
  reply.header(
    'set-cookie',
    fastifyCookie.serialize(key, token, {
      ...(domain && { domain }),
      path: '/',
      httpOnly: true,
      secure: own.protocol === 'https:',
      sameSite: 'lax',
      maxAge: jumpSeconds,
    }),
  )
  return true
}
