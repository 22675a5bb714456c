import {
  del,
  get,
  OneOf,
  Page,
  pageQuery,
  post,
  type Static,
  T,
  Time,
  Username,
} from '../define.ts'
import { Session } from './identity.ts'

/** A device in familiar terms, derived from what it claims about itself: a hint only. */
export const DeviceDescription = T.Object(
  {
    kind: OneOf(['phone', 'tablet', 'computer', 'other']),
    system: T.String({ description: 'such as Android 14; empty: unknown' }),
    model: T.String(),
    program: T.String({
      description: 'name of the browser, or wechat, wecom, dingtalk, alipay, feishu, qq, superApp',
    }),
  },
  { $id: 'DeviceDescription' },
)
export type DeviceDescription = Static<typeof DeviceDescription>

const where = {
  device: DeviceDescription,
  address: T.String({ description: 'IP address' }),
  place: T.String({ description: "operators' name of that network; empty: unknown network" }),
}

/** A session that is still open on a device. */
export const SignedInDevice = T.Object(
  {
    id: T.String({ format: 'uuid' }),
    current: T.Boolean({ description: 'the session of this request' }),
    username: T.String(),
    way: T.String(),
    strong: T.Boolean({ description: 'signed in with a second factor' }),
    firstUsedAt: Time,
    lastUsedAt: Time,
    ...where,
  },
  { $id: 'SignedInDevice' },
)
export type SignedInDevice = Static<typeof SignedInDevice>

export const SignInRecord = T.Object(
  {
    id: T.String(),
    happenedAt: Time,
    username: T.String(),
    way: T.String(),
    result: T.String({ description: 'ok, refused, blocked, or an error code' }),
    ...where,
  },
  { $id: 'SignInRecord' },
)
export type SignInRecord = Static<typeof SignInRecord>

const one = T.Object({ id: T.String({ format: 'uuid' }) })

export const sessions = {
  refresh: post('/token/login/refresh', {
    summary: 'Get a new id token with the refresh cookie, which is replaced',
    access: 'public',
    reply: Session,
    errors: ['session.expired', 'session.forbidden'],
  }),
  dayPack: post('/personal/api/v1/personal/user/session/dayPack', {
    summary: 'Get the secret with which the device encrypts its offline data',
    access: 'member',
    reply: T.Object({
      secret: T.String({
        description: 'constant during the session; not stored by the server',
      }),
      until: Time,
    }),
  }),
  list: get('/personal/api/v1/personal/user/session', {
    summary: 'List the devices the caller is signed in on, last used first',
    access: 'member',
    reply: T.Array(SignedInDevice),
  }),
  remove: del('/personal/api/v1/personal/user/session/{id}', {
    summary: "End one of the caller's sessions",
    access: 'member',
    params: one,
    reply: T.Null(),
    errors: ['session.not_found'],
  }),
  removeOthers: post('/personal/api/v1/personal/user/session/removeOthers', {
    summary: 'End all other sessions of the caller',
    access: 'member',
    reply: T.Object({ ended: T.Integer() }),
  }),
  log: get('/personal/api/v1/personal/user/log/authenticationLog', {
    summary: "List the caller's sign-ins and failed attempts, newest first",
    access: 'member',
    query: T.Object(pageQuery),
    reply: Page(SignInRecord),
  }),
}

const operator = { access: 'operator', permission: 'identity', delegated: true } as const

/**
 * A member's sessions, for operators to list and end; department operators only see members all of whose accounts are
 * theirs.
 */
export const memberSessions = {
  list: get('/console-api/v1/sessions', {
    summary: 'List the devices a member is signed in on',
    ...operator,
    query: T.Object({ username: Username }),
    reply: T.Array(SignedInDevice),
    errors: ['session.member_not_found'],
  }),
  remove: del('/console-api/v1/sessions/{id}', {
    summary: 'End a session, effective immediately on every node',
    ...operator,
    params: one,
    reply: T.Null(),
    errors: ['session.not_found', 'operator.member_may_more'],
  }),
  removeAll: post('/console-api/v1/sessions/removeAll', {
    summary: 'End all sessions of a member',
    ...operator,
    body: T.Object({ username: Username }),
    reply: T.Object({ ended: T.Integer() }),
    errors: ['session.member_not_found', 'operator.member_may_more'],
  }),
}
