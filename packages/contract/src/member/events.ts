import { post, type Static, T } from '../define.ts'

/** Recorded user events, named as in the specification. */
export const eventTypes = [
  'weChartLogin',
  'workWeChatLogin',
  'accoutLogin',
  'mobilePhoneLogin',
  'h5Login',
  'h5LogOut',
  'wechatLogOut',
  'appPlusLogOut',
  'personalCenter',
  'visitPortal',
  'outPortal',
  'service_label',
  // Ours: auth methods without a name in the specification.
  'tokenLogin',
  'hostAppLogin',
  'passkeyLogin',
] as const
export type EventType = (typeof eventTypes)[number]

const short = (description?: string) =>
  T.Optional(T.String({ maxLength: 200, ...(description && { description }) }))
const long = () => T.Optional(T.String({ maxLength: 2000 }))

/**
 * An event on the wire, misspelt where the specification misspells it. The operator fields are accepted and
 * overwritten: the session identifies the actor.
 */
export const EventRecord = T.Object(
  {
    eventId: T.Optional(
      T.String({
        pattern: '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$',
        description: 'UUID chosen by the sender; a record with the same id is stored once',
      }),
    ),
    eventCode: T.String({ pattern: '^[\\w.-]{1,60}$', description: eventTypes.join(', ') }),
    eventName: short('default: the known name of the code'),
    eventDetail: long(),
    eventModel: short(),
    eventFuctionLevelOneName: short(),
    eventFuctionLevelTwoName: short(),
    eventEnvOperationTime: T.String({
      pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
      description: 'YYYY-MM-DD HH:mm:ss in the time zone of the institution, at most 31 days ago',
    }),
    eventSystemName: short(),
    eventOpeartionObjectCode: short(),
    eventOpeartionObjectName: short(),
    eventOpeartionObjectDetail: long(),
    eventOpeartionResult: short('success or failure'),
    eventFailureType: short('name of the error'),
    eventFailureDetail: long(),
    eventOperatorName: short(),
    eventOperatorCode: short(),
    eventOperatorRoleName: short(),
    eventOperatorUserType: short(),
    eventOperatorOrganizationCode: short(),
    eventOperatorOrganizationDetail: long(),
    eventOperatorOrganizationName: short(),
    eventEnvOsName: short('default of this and the following three: from the request headers'),
    eventEnvOsVersion: short(),
    eventEnvUserAgent: T.Optional(T.String({ maxLength: 500 })),
    eventEnvDeviceType: short(),
  },
  { $id: 'EventRecord' },
)
export type EventRecord = Static<typeof EventRecord>

/** Maximum records per request; the excess is refused. */
export const maxEvents = 100

export const events = {
  record: post('/portal-api/v1/event', {
    summary: 'Record usage events: one record, or an array of at most 100',
    access: 'guest',
    body: T.Union([EventRecord, T.Array(EventRecord)]),
    // Each record is validated separately, so that an invalid one does not reject the others.
    bodyByParts: true,
    reply: T.Object({
      accepted: T.Integer({ description: 'number of records stored, now or earlier' }),
      refused: T.Array(
        T.Object({
          index: T.Integer(),
          field: T.String({ description: 'empty: the whole record' }),
          reason: T.String({ description: "in the caller's language" }),
        }),
      ),
    }),
    errors: ['request.too_large'],
  }),
}
