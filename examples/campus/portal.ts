import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import * as openid from 'openid-client'
import { webhookSecret } from '../../apps/server/demo/campus-secret.ts'
import type { Words } from './html.ts'
import type { Request } from './state.ts'

const { PORTAL = 'http://localhost:8080', ORIGIN = 'http://localhost:8081' } = process.env
const { CAMPUS_SECRET = '' } = process.env
const clientId = 'campus'
const redirectUri = `${ORIGIN}/signed-in`

export { ORIGIN as origin, PORTAL as portal }

export type Session = { username: string; name: string }
type PendingSignIn = { verifier: string; state: string; nonce: string; to: string }

const sessions = new Map<string, Session>()
const pendingSignIns = new Map<string, PendingSignIn>()
/** Limits sign-ins that were started but never completed. */
const maxPendingSignIns = 1000

let provider: Promise<openid.Configuration> | undefined
/** The portal may not be running yet when the first member arrives, so a failed discovery is retried. */
function discover() {
  provider ??= openid
    .discovery(
      new URL(`${PORTAL}/cas/oidc`),
      clientId,
      undefined,
      openid.ClientSecretBasic(CAMPUS_SECRET),
      PORTAL.startsWith('http://') ? { execute: [openid.allowInsecureRequests] } : {},
    )
    .catch((error: unknown) => {
      provider = undefined
      throw error
    })
  return provider
}

export const sessionOf = (key: string | undefined) => (key ? sessions.get(key) : undefined)

/** @returns the address of the portal's sign-in, and the key for the browser's cookie */
export async function beginSignIn(to: string) {
  const config = await discover()
  const key = randomUUID()
  const [verifier, state, nonce] = [
    openid.randomPKCECodeVerifier(),
    openid.randomState(),
    openid.randomNonce(),
  ]
  if (pendingSignIns.size >= maxPendingSignIns)
    pendingSignIns.delete(pendingSignIns.keys().next().value ?? '')
  pendingSignIns.set(key, { verifier, state, nonce, to })
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  return { key, address: address.href }
}

/** @returns the session's key and the member's target; undefined if no sign-in was started */
export async function completeSignIn(key: string | undefined, url: URL) {
  const pending = key ? pendingSignIns.get(key) : undefined
  if (!pending || !key) return undefined
  pendingSignIns.delete(key)
  const config = await discover()
  const tokens = await openid.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
  })
  const { sub } = tokens.claims() ?? { sub: '' }
  const userInfo = await openid.fetchUserInfo(config, tokens.access_token, sub)
  const session = randomUUID()
  const username = userInfo.preferred_username ?? sub
  sessions.set(session, { username, name: userInfo.name ?? username })
  return { session, to: pending.to }
}

type Part = 'transaction' | 'message' | 'personal' | 'schedule'
const tokens = new Map<Part, { value: string; until: number }>()
async function accessToken(part: Part) {
  const cached = tokens.get(part)
  if (cached && cached.until > Date.now()) return cached.value
  const config = await discover()
  const granted = await openid.clientCredentialsGrant(config, { resource: `${PORTAL}/${part}` })
  tokens.set(part, {
    value: granted.access_token,
    until: Date.now() + ((granted.expires_in ?? 60) - 30) * 1000,
  })
  return granted.access_token
}

/** @throws if the portal does not accept it */
async function callPortal(part: Part, path: string, body: object, method = 'POST') {
  const response = await fetch(`${PORTAL}/${part}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await accessToken(part)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`${path}: the portal answered ${response.status}`)
}

/** The demo's approvers: the teacher for grades, the office for everything else. */
const approverOf = ({ kind }: Request) => (kind === 'recheck' ? 'teacher' : 'staff')
const stepNames = { leave: '审批', recheck: '复核', repair: '维修' }
const decisions = {
  yes: { code: 'approve', text: '同意', textEn: 'Approve', done: '同意' },
  repaired: { code: 'approve', text: '已修好', textEn: 'Repaired', done: '已修好' },
}
const decisionOf = ({ kind }: Request) => (kind === 'repair' ? decisions.repaired : decisions.yes)

/** A request in the portal's task format: complete, sent on every change. */
export function taskOf(request: Request) {
  const ended = request.status !== 'open'
  const { done, ...approve } = decisionOf(request)
  return {
    key: request.id,
    version: request.version,
    title: request.title,
    titleEn: request.titleEn,
    status: ended ? 'finish' : 'progress',
    applicant: { username: request.username },
    form: request.form.map(({ label, value }) => ({ label, value })),
    steps: [
      {
        key: 'decision',
        username: approverOf(request),
        name: stepNames[request.kind],
        ...(ended && {
          doneAt: request.at,
          action: request.status === 'approved' ? done : '不同意',
          comment: request.comment,
        }),
        actions: [
          { ...approve, tone: 'primary', comment: 'optional' },
          { code: 'refuse', text: '不同意', textEn: 'Refuse', tone: 'danger', comment: 'required' },
        ],
      },
    ],
  }
}

/** Submits a request to the portal's to-dos. @throws if the portal does not accept it */
export const putTask = (request: Request) =>
  callPortal('transaction', 'integration/tasks', { tasks: [taskOf(request)] })

type MemberMessage = {
  app: string
  title: string
  titleEn: string
  summary: string
  summaryEn: string
}
/** Sends a message to a member's inbox with a link to a page here. Failures are only logged. */
export function notify(username: string, path: string, { app, ...texts }: MemberMessage) {
  const url = `/pages/webview/webview?${new URLSearchParams({ url: `${ORIGIN}${path}` })}`
  const message = { key: randomUUID(), app, to: { usernames: [username] }, ...texts, url }
  void callPortal('message', 'messages', message).catch((error) => console.error(String(error)))
}

/** Makes the portal refresh its cached data of a member, which otherwise happens within an hour. */
export const reportChange = (kind: 'ecard' | 'books', username: string) =>
  callPortal('personal', 'integration/changed', { kind, usernames: [username] }).catch((error) =>
    console.error(String(error)),
  )

export type CalendarEvent = {
  key: string
  title: string
  titleEn: string
  location?: string
  startsAt: string
  minutes: number
  weeks?: number
}
/** Sends all bookings of a member to their schedule, replacing the earlier ones. */
export const putCalendar = (username: string, code: string, name: Words, events: CalendarEvent[]) =>
  callPortal(
    'schedule',
    `integration/calendars/${code}/members/${encodeURIComponent(username)}`,
    { name: name.zh, nameEn: name.en, events },
    'PUT',
  ).catch((error) => console.error(String(error)))

/** Whether a query for card or library data comes from the portal. */
export function isPortalQuery({ authorization = '' }: IncomingHttpHeaders) {
  const expected = Buffer.from(`Bearer ${webhookSecret(CAMPUS_SECRET)}`)
  const provided = Buffer.from(authorization)
  return provided.length === expected.length && timingSafeEqual(provided, expected)
}

/** Whether a call comes from the portal, by its Standard Webhooks signature. */
export function hasPortalSignature(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': provided } = headers
  const key = Buffer.from(webhookSecret(CAMPUS_SECRET).replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  const signature = Buffer.from(String(provided).replace(/^v1,/, ''), 'base64')
  const isFresh = Math.abs(Date.now() / 1000 - Number(at)) < 300
  return isFresh && signature.length === expected.length && timingSafeEqual(signature, expected)
}
