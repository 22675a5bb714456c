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
      description:
        'the name of a browser, or wechat, wecom, dingtalk, alipay, feishu, qq, superApp',
    }),
  },
  { $id: 'DeviceDescription' },
)
export type DeviceDescription = Static<typeof DeviceDescription>

const where = {
  device: DeviceDescription,
  address: T.String({ description: 'IP address' }),
  place: T.String({ description: 'what operators call that network; empty: another network' }),
}

/** A session that is still open on a device. */
export const SignedInDevice = T.Object(
  {
    id: T.String({ format: 'uuid' }),
    current: T.Boolean({ description: 'the one that asks' }),
    username: T.String(),
    way: T.String(),
    strong: T.Boolean({ description: 'a second factor was given' }),
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
    result: T.String({ description: 'ok, refused, blocked, or the code of the refusal' }),
    ...where,
  },
  { $id: 'SignInRecord' },
)
export type SignInRecord = Static<typeof SignInRecord>

const one = T.Object({ id: T.String({ format: 'uuid' }) })

export const sessions = {
  refresh: post('/token/login/refresh', {
    summary: 'A fresh id token for the refresh cookie, which is used up and replaced',
    access: 'public',
    reply: Session,
    errors: ['session.expired', 'session.forbidden'],
  }),
  dayPack: post('/personal/api/v1/personal/user/session/dayPack', {
    summary: 'The secret that the device encrypts with what it keeps for a day without a network',
    access: 'member',
    reply: T.Object({
      secret: T.String({ description: 'the same for as long as the session lives; never stored' }),
      until: Time,
    }),
  }),
  list: get('/personal/api/v1/personal/user/session', {
    summary: 'Where one is signed in, the latest use first',
    access: 'member',
    reply: T.Array(SignedInDevice),
  }),
  remove: del('/personal/api/v1/personal/user/session/{id}', {
    summary: 'Sign out on that device',
    access: 'member',
    params: one,
    reply: T.Null(),
    errors: ['session.not_found'],
  }),
  removeOthers: post('/personal/api/v1/personal/user/session/removeOthers', {
    summary: 'Sign out everywhere but here',
    access: 'member',
    reply: T.Object({ ended: T.Integer() }),
  }),
  log: get('/personal/api/v1/personal/user/log/authenticationLog', {
    summary: 'Own sign-ins, and tries that failed, the latest first',
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
    summary: 'Where the person of an account is signed in',
    ...operator,
    query: T.Object({ username: Username }),
    reply: T.Array(SignedInDevice),
    errors: ['session.member_not_found'],
  }),
  remove: del('/console-api/v1/sessions/{id}', {
    summary: 'End what was signed in there, at once and on every node',
    ...operator,
    params: one,
    reply: T.Null(),
    errors: ['session.not_found', 'operator.member_may_more'],
  }),
  removeAll: post('/console-api/v1/sessions/removeAll', {
    summary: 'End everything the person of an account is signed in to',
    ...operator,
    body: T.Object({ username: Username }),
    reply: T.Object({ ended: T.Integer() }),
    errors: ['session.member_not_found', 'operator.member_may_more'],
  }),
}
