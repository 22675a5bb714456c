import { randomUUID } from 'node:crypto'
import { type LtiTool, type LtiToolFields, ltiScopes } from '@atrium/contract/learning/lti'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { LtiTool as Row } from '#platform/database/db-schema.gen.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'

export type Tool = Selectable<Row>

const links = sql<number>`(select count(*)::integer from lti_link where lti_link.tool_id = lti_tool.id)`
const toTool = ({ links, ...row }: Tool & { links: number }): LtiTool => ({
  id: row.id,
  clientId: row.client_id,
  deploymentId: row.deployment_id,
  name: row.name,
  nameEn: row.name_en,
  initiateUrl: row.initiate_url,
  targetUrl: row.target_url,
  redirectUris: row.redirect_uris,
  deepLinkUrl: row.deep_link_url,
  jwksUrl: row.jwks_url,
  jwks: row.jwks as LtiTool['jwks'],
  scopes: row.scopes,
  custom: row.custom as LtiTool['custom'],
  tellsName: row.tells_name,
  tellsEmail: row.tells_email,
  enabled: row.enabled,
  links,
})

export async function listTools(db: Db): Promise<LtiTool[]> {
  const rows = await db
    .selectFrom('lti_tool')
    .selectAll()
    .select(links.as('links'))
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map(toTool)
}

export async function getTool(db: Db, id: string): Promise<LtiTool> {
  const row = await db
    .selectFrom('lti_tool')
    .selectAll()
    .select(links.as('links'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toTool(row) : fail('lti.tool_not_found')
}

/** Finds an enabled tool. */
export const findEnabledTool = (db: Db, by: { clientId: string } | { id: string }) =>
  db
    .selectFrom('lti_tool')
    .selectAll()
    .where('enabled', '=', true)
    .$call((query) =>
      'id' in by ? query.where('id', '=', by.id) : query.where('client_id', '=', by.clientId),
    )
    .executeTakeFirst()

/** @throws request.invalid */
function columnsOf(fields: LtiToolFields) {
  const issues: Record<string, IssueKind> = {}
  const known = Object.values<string>(ltiScopes)
  if (!fields.scopes.every((scope) => known.includes(scope))) issues.scopes = 'choice'
  if (!fields.jwksUrl && fields.jwks === null) issues.jwksUrl = 'required'
  // Private keys are rejected: they must stay with the tool.
  if (fields.jwks?.keys.some((key) => 'd' in key || 'k' in key)) issues.jwks = 'format'
  for (const name of ['initiateUrl', 'targetUrl', 'deepLinkUrl', 'jwksUrl'] as const)
    if (fields[name] && !URL.canParse(fields[name])) issues[name] = 'format'
  if (!fields.redirectUris.every((uri) => URL.canParse(uri))) issues.redirectUris = 'format'
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  return {
    name: fields.name.trim(),
    name_en: fields.nameEn.trim(),
    initiate_url: fields.initiateUrl,
    target_url: fields.targetUrl,
    redirect_uris: [...new Set(fields.redirectUris)],
    deep_link_url: fields.deepLinkUrl,
    jwks_url: fields.jwksUrl,
    jwks: fields.jwks === null ? null : JSON.stringify(fields.jwks),
    scopes: [...new Set(fields.scopes)],
    custom: JSON.stringify(fields.custom),
    tells_name: fields.tellsName,
    tells_email: fields.tellsEmail,
    enabled: fields.enabled,
  }
}

export async function createTool(db: Db, fields: LtiToolFields): Promise<LtiTool> {
  const { id } = await db
    .insertInto('lti_tool')
    .values({ client_id: `lti-${randomUUID()}`, deployment_id: randomUUID(), ...columnsOf(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return getTool(db, id)
}

export async function updateTool(db: Db, id: string, fields: LtiToolFields): Promise<LtiTool> {
  await db.updateTable('lti_tool').set(columnsOf(fields)).where('id', '=', id).execute()
  return getTool(db, id)
}

/** @throws lti.tool_not_found, lti.tool_used */
export async function removeTool(db: Db, id: string) {
  const { links } = await getTool(db, id)
  if (links > 0) fail('lti.tool_used')
  await db.deleteFrom('lti_tool').where('id', '=', id).execute()
}
