import { del, get, Id, post, put, type Static, T } from '../define.ts'

/** Scopes a tool may request from the platform. */
export const ltiScopes = {
  lineItem: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  lineItemRead: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
  result: 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly',
  score: 'https://purl.imsglobal.org/spec/lti-ags/scope/score',
  members: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
} as const

const address = (required: boolean) =>
  T.String({ maxLength: 1000, pattern: required ? '^https?://\\S+$' : '^(https?://\\S+)?$' })
const fields = {
  name: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  nameEn: T.String({ maxLength: 150, default: '' }),
  initiateUrl: address(true),
  targetUrl: address(true),
  redirectUris: T.Array(address(true), { minItems: 1, maxItems: 20 }),
  deepLinkUrl: T.String({
    maxLength: 1000,
    pattern: '^(https?://\\S+)?$',
    default: '',
    description: 'empty: the tool does not support deep linking',
  }),
  jwksUrl: T.String({ maxLength: 1000, pattern: '^(https?://\\S+)?$', default: '' }),
  jwks: T.Union(
    [
      T.Object({ keys: T.Array(T.Record(T.String(), T.Unknown()), { minItems: 1, maxItems: 10 }) }),
      T.Null(),
    ],
    { default: null, description: 'public keys, if the tool has no jwksUrl' },
  ),
  scopes: T.Array(T.String({ maxLength: 200 }), { maxItems: 10, default: [] }),
  custom: T.Record(T.String({ maxLength: 100 }), T.String({ maxLength: 1000 }), { default: {} }),
  tellsName: T.Boolean({ default: false }),
  tellsEmail: T.Boolean({ default: false }),
  enabled: T.Boolean({ default: true }),
}
export const LtiTool = T.Object(
  {
    id: Id,
    clientId: T.String(),
    deploymentId: T.String(),
    ...fields,
    links: T.Integer({ description: 'number of course materials that use it' }),
  },
  { $id: 'LtiTool' },
)
export type LtiTool = Static<typeof LtiTool>
export const LtiToolFields = T.Object(fields, { $id: 'LtiToolFields' })
export type LtiToolFields = Static<typeof LtiToolFields>

/** Endpoints of our platform, for a tool's configuration. */
const Platform = T.Object(
  {
    issuer: T.String(),
    authorizationUrl: T.String(),
    tokenUrl: T.String(),
    jwksUrl: T.String(),
  },
  { $id: 'LtiPlatform' },
)

const params = T.Object({ id: Id })
const Way = T.Object({ url: T.String({ description: 'address for the browser to open next' }) })

/** LTI tools in courses. The protocol endpoints are outside this contract, below /lti. */
export const lti = {
  tools: get('/portal-api/v1/study/courses/{id}/tools', {
    summary: 'List the tools a teacher may add to the course',
    access: 'member',
    params,
    reply: T.Array(
      T.Object({ id: Id, name: T.String(), nameEn: T.String(), chooses: T.Boolean() }),
    ),
    errors: ['study.course_not_found'],
  }),
  add: post('/portal-api/v1/study/courses/{id}/tools', {
    summary: 'Add a tool to the materials of a course',
    access: 'member',
    params,
    body: T.Object({
      toolId: Id,
      title: T.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    }),
    reply: T.Object({ id: Id }),
    errors: ['study.course_not_found', 'lti.tool_not_found', 'study.too_many'],
  }),
  choose: post('/portal-api/v1/study/courses/{id}/tools/{toolId}/choose', {
    summary: 'Open a tool to select content for the course (deep linking)',
    access: 'member',
    params: T.Object({ id: Id, toolId: Id }),
    reply: Way,
    errors: ['study.course_not_found', 'lti.tool_not_found'],
  }),
  launch: post('/portal-api/v1/study/materials/{id}/launch', {
    summary: 'Launch a tool of a course',
    access: 'member',
    params,
    reply: Way,
    errors: ['study.material_not_found'],
  }),
}

const operator = { access: 'operator', permission: 'system' } as const
export const ltiConsole = {
  platform: get('/console-api/v1/lti-platform', {
    ...operator,
    summary: 'Get the addresses for configuring this platform in a tool',
    reply: Platform,
  }),
  list: get('/console-api/v1/lti-tools', {
    ...operator,
    summary: 'List the LTI tools',
    reply: T.Array(LtiTool),
  }),
  create: post('/console-api/v1/lti-tools', {
    ...operator,
    summary: 'Register a tool; the response contains its client id and deployment id',
    body: LtiToolFields,
    reply: LtiTool,
  }),
  update: put('/console-api/v1/lti-tools/{id}', {
    ...operator,
    summary: 'Update a tool',
    params,
    body: LtiToolFields,
    reply: LtiTool,
    errors: ['lti.tool_not_found'],
  }),
  remove: del('/console-api/v1/lti-tools/{id}', {
    ...operator,
    summary:
      'Delete a tool; one used in courses fails with lti.tool_used and can be disabled instead',
    params,
    reply: T.Null(),
    errors: ['lti.tool_not_found', 'lti.tool_used'],
  }),
}
