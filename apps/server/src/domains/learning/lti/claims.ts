import { ltiScopes } from '@atrium/contract/learning/lti'
import type { Platform } from '#platform/platform.ts'
import { contextOf, type Launch, subjectOf } from './launch.ts'
import { splitName } from './rules.ts'
import type { Tool } from './tools.ts'

const lti = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`
const role = (name: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`
export const roleOf = { attends: role('Learner'), teaches: role('Instructor') } as const

/** Addresses of a course's services; access to them is checked per tool. */
export const servicesOf = (platform: Platform, courseId: string) => {
  const course = `${platform.origin()}/lti/courses/${courseId}`
  return { members: `${course}/members`, lineItems: `${course}/lineitems` }
}
export const lineItemUrl = (platform: Platform, assignmentId: string) =>
  `${platform.origin()}/lti/lineitems/${assignmentId}`

/** Claims about a person, as far as the tool may know them. */
export function personClaims(
  tool: Pick<Tool, 'tells_name' | 'tells_email'>,
  { name, name_en, email }: Pick<Launch, 'name' | 'name_en' | 'email'>,
) {
  const { given, family } = splitName(name, name_en)
  return {
    ...(tool.tells_name && {
      name,
      given_name: given,
      ...(family && { family_name: family }),
    }),
    ...(tool.tells_email && email && { email }),
  }
}

/** The claims of a launch. */
export function launchClaims(
  platform: Platform,
  tool: Tool,
  launch: Launch,
  nonce: string,
  choice: { returnUrl: string; data: string } | undefined,
) {
  const scopes = tool.scopes
  const ags = scopes.filter((scope) => scope.includes('/lti-ags/'))
  const services = servicesOf(platform, launch.course_id)
  return {
    nonce,
    ...personClaims(tool, launch),
    [lti('version')]: '1.3.0',
    [lti('message_type')]: choice ? 'LtiDeepLinkingRequest' : 'LtiResourceLinkRequest',
    [lti('deployment_id')]: tool.deployment_id,
    [lti('target_link_uri')]: choice ? tool.deep_link_url : launch.target_url,
    [lti('roles')]: [roleOf[launch.role]],
    [lti('context')]: {
      id: contextOf(platform.secret, tool.id, launch.course_id),
      label: launch.course_code,
      title: launch.course_name,
      type: ['http://purl.imsglobal.org/vocab/lis/v2/course#CourseSection'],
    },
    [lti('tool_platform')]: { guid: platform.origin(), product_family_code: 'atrium' },
    [lti('launch_presentation')]: { document_target: 'window' },
    ...(Object.keys({ ...(tool.custom as object), ...launch.custom }).length > 0 && {
      [lti('custom')]: { ...(tool.custom as object), ...launch.custom },
    }),
    ...(choice
      ? {
          'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
            deep_link_return_url: choice.returnUrl,
            accept_types: ['ltiResourceLink', 'link'],
            accept_presentation_document_targets: ['window'],
            accept_multiple: true,
            data: choice.data,
          },
        }
      : { [lti('resource_link')]: { id: launch.material_id, title: launch.title ?? '' } }),
    ...(ags.length > 0 && {
      'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
        scope: ags,
        lineitems: services.lineItems,
        ...(launch.assignment_id && { lineitem: lineItemUrl(platform, launch.assignment_id) }),
      },
    }),
    ...(scopes.includes(ltiScopes.members) && {
      'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
        context_memberships_url: services.members,
        service_versions: ['2.0'],
      },
    }),
  }
}

export const signLaunch = (platform: Platform, tool: Tool, launch: Launch, claims: object) =>
  platform.keys.sign(claims as Record<string, unknown>, {
    type: 'JWT',
    alg: 'RS256',
    audience: tool.client_id,
    subject: subjectOf(platform.secret, tool.id, launch.account_id),
    id: crypto.randomUUID(),
    seconds: 300,
  })
