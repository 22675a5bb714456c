import type { EventRecord, EventType } from '@atrium/contract/member/events'

/** The columns of the fields filled in by the sender. */
export const columns = {
  eventCode: 'code',
  eventName: 'name',
  eventDetail: 'detail',
  eventModel: 'model',
  eventFuctionLevelOneName: 'function_level_one',
  eventFuctionLevelTwoName: 'function_level_two',
  eventOpeartionObjectCode: 'object_code',
  eventOpeartionObjectName: 'object_name',
  eventOpeartionObjectDetail: 'object_detail',
  eventSystemName: 'system_name',
  eventOpeartionResult: 'result',
  eventFailureType: 'failure_type',
  eventFailureDetail: 'failure_detail',
  eventEnvOsName: 'os_name',
  eventEnvOsVersion: 'os_version',
  eventEnvUserAgent: 'user_agent',
  eventEnvDeviceType: 'device_type',
} as const satisfies Partial<Record<keyof EventRecord, string>>

/** The columns of the fields filled in only by the server. */
export const operatorColumns = {
  eventOperatorCode: 'operator_code',
  eventOperatorName: 'operator_name',
  eventOperatorRoleName: 'operator_role_name',
  eventOperatorUserType: 'operator_user_type',
  eventOperatorOrganizationCode: 'operator_organization_code',
  eventOperatorOrganizationDetail: 'operator_organization_detail',
  eventOperatorOrganizationName: 'operator_organization_name',
} as const satisfies Partial<Record<keyof EventRecord, string>>

/** Defaults by event code, which senders may leave out. */
const defaultsByCode: Record<
  EventType,
  Pick<EventRecord, 'eventName' | 'eventFuctionLevelOneName'>
> = {
  weChartLogin: { eventName: '微信登录', eventFuctionLevelOneName: '登录' },
  workWeChatLogin: { eventName: '企业微信登录', eventFuctionLevelOneName: '登录' },
  accoutLogin: { eventName: '账号密码登录', eventFuctionLevelOneName: '登录' },
  mobilePhoneLogin: { eventName: '手机号登录', eventFuctionLevelOneName: '登录' },
  h5Login: { eventName: 'H5 登录', eventFuctionLevelOneName: '登录' },
  h5LogOut: { eventName: 'H5 退出登录', eventFuctionLevelOneName: '退出登录' },
  wechatLogOut: { eventName: '微信退出登录', eventFuctionLevelOneName: '退出登录' },
  appPlusLogOut: { eventName: 'App 退出登录', eventFuctionLevelOneName: '退出登录' },
  personalCenter: { eventName: '进入个人中心', eventFuctionLevelOneName: '个人中心' },
  visitPortal: { eventName: '访问门户', eventFuctionLevelOneName: '门户' },
  outPortal: { eventName: '离开门户', eventFuctionLevelOneName: '门户' },
  tokenLogin: { eventName: '令牌登录', eventFuctionLevelOneName: '登录' },
  hostAppLogin: { eventName: '宿主应用登录', eventFuctionLevelOneName: '登录' },
  passkeyLogin: { eventName: '通行密钥登录', eventFuctionLevelOneName: '登录' },
  service_label: { eventName: '打开服务', eventFuctionLevelOneName: '服务' },
}

/** Phones queue records while offline, and some clocks are wrong; times beyond these limits are refused. */
export const oldestDays = 31
const newestDays = 1

/** The instant of a local time in a zone, as ISO 8601; undefined if invalid or outside the accepted range. */
export function instantOf(wallClock: string, zone: string, now: Date): string | undefined {
  try {
    const { epochMilliseconds } = Temporal.PlainDateTime.from(wallClock.replace(' ', 'T'), {
      overflow: 'reject',
    }).toZonedDateTime(zone)
    const ahead = (epochMilliseconds - now.getTime()) / 86_400_000
    if (ahead < -oldestDays || ahead > newestDays) return undefined
    return new Date(epochMilliseconds).toISOString()
  } catch {
    return undefined
  }
}

/** The first text field the database cannot store, because it contains NUL or a lone surrogate. */
export const unstorableField = (record: EventRecord) =>
  (Object.keys(columns) as (keyof typeof columns)[]).find((field) => {
    const text = record[field]
    return text !== undefined && (text.includes('\0') || !text.isWellFormed())
  })

/** Device details from the request. */
export type Sender = { userAgent?: string; os?: string; osVersion?: string }

/** Converts a validated record to a row; missing fields are filled in from its code and its sender. */
export function rowOf(record: EventRecord, sender: Sender) {
  const { userAgent = '', os = '', osVersion = '' } = sender
  const filled: Partial<EventRecord> = {
    ...(Object.hasOwn(defaultsByCode, record.eventCode) &&
      defaultsByCode[record.eventCode as EventType]),
    eventEnvUserAgent: userAgent,
    eventEnvOsName: os,
    eventEnvOsVersion: osVersion,
    eventEnvDeviceType: deviceType(userAgent),
  }
  return Object.fromEntries(
    (Object.entries(columns) as [keyof typeof columns, string][]).map(([field, column]) => [
      column,
      record[field] || filled[field] || '',
    ]),
  )
}

const deviceType = (userAgent: string) =>
  /iPad|Tablet/.test(userAgent) ? 'tablet' : /Mobi|Android/.test(userAgent) ? 'phone' : 'pc'
