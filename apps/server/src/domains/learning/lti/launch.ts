import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import type { Secret } from '#platform/secret.ts'
import type { Tool } from './tools.ts'

/** Seconds from the tap to the tool's page; and until a selection made in the tool returns. */
const launchSeconds = 300
const choiceSeconds = 3600

/** Lax, because the tool redirects back to us. */
const browserCookie = { name: 'LTI-atrium', path: '/lti', sameSite: 'lax' } as const

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A member's pseudonymous id for a tool, different for each tool. */
export const subjectOf = (secret: Secret, toolId: string, accountId: string) =>
  secret.sign('lti-subject', `${toolId} ${accountId}`)

export const contextOf = (secret: Secret, toolId: string, courseId: string) =>
  secret.sign('lti-context', `${toolId} ${courseId}`)

type LaunchStart = {
  tool: Tool
  accountId: string
  courseId: string
  /** null: deep linking, i.e. choosing content */
  materialId: string | null
  targetUrl: string
}
/** Starts a launch. @returns the address to open: the tool's login initiation */
export async function startLaunch(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  { tool, accountId, courseId, materialId, targetUrl }: LaunchStart,
): Promise<string> {
  const { db, secret } = platform
  const existing = readCookie(platform, request, browserCookie)
  const browser =
    existing && /^[\w-]{22}$/.test(existing) ? existing : randomBytes(16).toString('base64url')
  setCookie(platform, reply, browserCookie, browser, choiceSeconds)
  const hint = randomBytes(32).toString('base64url')
  await db
    .insertInto('lti_launch')
    .values({
      hint_hash: hashOf(hint),
      tool_id: tool.id,
      account_id: accountId,
      course_id: courseId,
      material_id: materialId,
      browser_hash: hashOf(browser),
      expires_at: sql<string>`now() + make_interval(secs => ${launchSeconds})`,
    })
    .execute()
  const address = new URL(tool.initiate_url)
  for (const [name, value] of Object.entries({
    iss: platform.origin(),
    target_link_uri: targetUrl,
    login_hint: subjectOf(secret, tool.id, accountId),
    lti_message_hint: hint,
    client_id: tool.client_id,
    lti_deployment_id: tool.deployment_id,
  }))
    address.searchParams.set(name, value)
  return address.href
}

export type Launch = {
  hint_hash: string
  account_id: string
  course_id: string
  material_id: string | null
  name: string
  name_en: string
  email: string | null
  role: 'attends' | 'teaches'
  course_code: string
  course_name: string
  title: string | null
  target_url: string | null
  custom: Record<string, string> | null
  assignment_id: string | null
}

/**
 * Consumes a launch, once: in the browser it began in, for this tool, before it expires, and while its member is in the
 * course.
 */
export async function consumeLaunch(
  platform: Platform,
  db: Db,
  request: FastifyRequest,
  { tool, hint, loginHint }: { tool: Tool; hint: string; loginHint: string },
): Promise<Launch | undefined> {
  const browser = readCookie(platform, request, browserCookie)
  if (!browser) return undefined
  const { rows } = await sql<Launch>`
    with taken as (
      update lti_launch set used_at = now(), expires_at = now() + make_interval(secs => ${choiceSeconds})
      where hint_hash = ${hashOf(hint)} and tool_id = ${tool.id} and browser_hash = ${hashOf(browser)}
        and used_at is null and expires_at > now()
      returning *
    )
    select taken.hint_hash, taken.account_id, taken.course_id, taken.material_id, person.name, person.name_en, person.email,
      member.role, course.code as course_code, course.name as course_name, material.title, link.target_url, link.custom,
      link.assignment_id
    from taken join account on account.id = taken.account_id and account.status <> 'disabled'
    join person on person.id = account.person_id
    join course on course.id = taken.course_id
    join calendar_member member on member.calendar_id = course.calendar_id and member.account_id = account.id
    left join study_material material on material.id = taken.material_id
    left join lti_link link on link.material_id = taken.material_id and link.tool_id = taken.tool_id
    where taken.material_id is not null or member.role = 'teaches'`.execute(db)
  const [launch] = rows
  if (!launch || subjectOf(platform.secret, tool.id, launch.account_id) !== loginHint)
    return undefined
  return launch.material_id !== null && launch.target_url === null ? undefined : launch
}

/** Marks a signed value of a tool as used. @returns whether this is the first time */
export async function markUsed(db: Db, toolId: string, value: string, expiresAt: number) {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('lti_used')
    .values({
      tool_id: toolId,
      value: hashOf(value),
      expires_at: new Date(expiresAt * 1000).toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

export async function deleteOld(db: Db) {
  await db.deleteFrom('lti_launch').where('expires_at', '<', sql<string>`now()`).execute()
  await db.deleteFrom('lti_used').where('expires_at', '<', sql<string>`now()`).execute()
}
