import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { coursePage } from '#domains/learning/study/messages.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Host } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { html, trustedHtml } from '#platform/text/html.ts'
import { launchClaims, signLaunch } from './claims.ts'
import { insertItems } from './deep-linking.ts'
import { consumeLaunch } from './launch.ts'
import { serveServices } from './services.ts'
import { markTokenUsed, type ToolToken, verifyToolToken } from './tool-tokens.ts'
import { findEnabledTool } from './tools.ts'

/** Endpoints for tools, LTI 1.3 and LTI Advantage: https://www.imsglobal.org/spec/lti/v1p3 */
const tokenSeconds = 3600
const bodyLimit = 500_000

const sendForm = 'document.forms[0].submit()'
const scriptHash = createHash('sha256').update(sendForm).digest('base64')

type Fields = Record<string, string | undefined>
const fieldsOf = (request: FastifyRequest): Fields => ({
  ...(request.query as Fields),
  ...(typeof request.body === 'object' ? (request.body as Fields) : {}),
})

export function serveProtocol(app: FastifyInstance, host: Host) {
  const ready = () => host.platform ?? fail('server.unavailable', { retryAfter: 2 })
  return app.register(async (scope) => {
    await scope.register(cookie)
    // Media types of the services, such as application/vnd.ims.lis.v2.lineitem+json.
    scope.addContentTypeParser(
      /^application\/vnd\.ims\..*\+json/,
      { parseAs: 'string', bodyLimit },
      scope.getDefaultJsonParser('error', 'error'),
    )
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    scope.get('/lti/jwks', async () => ({ keys: publicKeys(ready()) }))
    scope.get('/lti/auth', (request, reply) => authorize(ready(), request, reply))
    // A cross-site POST sends no cookie; the GET after this redirect does.
    scope.post('/lti/auth', { bodyLimit }, (request, reply) => {
      const query = new URLSearchParams(
        Object.entries(fieldsOf(request)).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      )
      return reply.redirect(`/lti/auth?${query}`, 303)
    })
    scope.post('/lti/token', { bodyLimit }, (request, reply) => issueToken(ready(), request, reply))
    scope.post('/lti/deep-linking', { bodyLimit }, (request, reply) =>
      receiveSelection(ready(), request, reply),
    )
    serveServices(scope, ready)
  })
}

/** Public keys that verify launches. */
const publicKeys = ({ keys }: Platform) =>
  keys
    .privateJwks()
    .filter(({ alg }) => alg === 'RS256')
    .map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }))

/** Answers a tool's login request, once, for a member we have just sent there. */
async function authorize(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const fields = fieldsOf(request)
  const tool = await findEnabledTool(platform.db, { clientId: fields.client_id ?? '' })
  // Never redirect to an unregistered address, not even with an error.
  if (!tool?.redirect_uris.includes(fields.redirect_uri ?? '')) fail('lti.request_refused')
  const {
    redirect_uri: to = '',
    nonce,
    state,
    login_hint: loginHint,
    lti_message_hint: hint,
  } = fields
  const isWellFormed =
    fields.scope?.split(' ').includes('openid') &&
    fields.response_type === 'id_token' &&
    (fields.response_mode ?? 'form_post') === 'form_post' &&
    (fields.prompt ?? 'none') === 'none' &&
    nonce !== undefined &&
    nonce.length <= 500
  if (!isWellFormed || !nonce || !hint || !loginHint) fail('lti.request_refused')
  const launch =
    (await consumeLaunch(platform, platform.db, request, { tool, hint, loginHint })) ??
    fail('lti.launch_over')
  const choice =
    launch.material_id === null
      ? {
          returnUrl: `${platform.origin()}/lti/deep-linking`,
          data: `${launch.hint_hash}.${platform.secret.sign('lti-choice', launch.hint_hash)}`,
        }
      : undefined
  const claims = launchClaims(platform, tool, launch, nonce, choice)
  const idToken = await signLaunch(platform, tool, launch, claims)
  const inputs = Object.entries({ id_token: idToken, ...(state !== undefined && { state }) }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'sha256-${scriptHash}'; form-action ${new URL(to).origin}; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(
      String(
        html`<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${tool.name}</title></head><body><form method="post" action="${to}">${inputs}<noscript><button>${tool.name}</button></noscript></form><script>${trustedHtml(sendForm)}</script></body></html>`,
      ),
    )
}

/** Issues a token for the services to a tool that authenticates with its key (RFC 7523). */
async function issueToken(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const fields = fieldsOf(request)
  const refuse = (error: string, status = 400) => reply.code(status).send({ error })
  if (fields.grant_type !== 'client_credentials') return refuse('unsupported_grant_type')
  if (
    fields.client_assertion_type !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' ||
    !fields.client_assertion
  )
    return refuse('invalid_client', 401)
  const origin = platform.origin()
  const verified = await verifyToolToken(platform, fields.client_assertion, [
    `${origin}/lti/token`,
    origin,
  ])
  if (!verified || !(await markTokenUsed(platform.db, verified)))
    return refuse('invalid_client', 401)
  if (verified.claims.sub !== verified.tool.client_id) return refuse('invalid_client', 401)
  const requestedScopes = (fields.scope ?? '').split(' ').filter(Boolean)
  const granted = requestedScopes.filter((scope) => verified.tool.scopes.includes(scope))
  if (granted.length === 0) return refuse('invalid_scope')
  const scope = granted.join(' ')
  return {
    access_token: await platform.keys.sign(
      { scope },
      {
        type: 'at+jwt',
        audience: `${origin}/lti`,
        subject: verified.tool.client_id,
        id: crypto.randomUUID(),
        seconds: tokenSeconds,
      },
    ),
    token_type: 'Bearer',
    expires_in: tokenSeconds,
    scope,
  }
}

const lti = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`

/** Receives a teacher's selection, sent through the browser and signed by the tool. */
async function receiveSelection(platform: Platform, request: FastifyRequest, reply: FastifyReply) {
  const { JWT: jwt = '' } = fieldsOf(request)
  const verified = await verifyToolToken(platform, jwt, [platform.origin()])
  const courseId =
    verified &&
    (await platform.db.transaction().execute((db) => storeSelection(platform, db, verified)))
  return reply.redirect(coursePage(courseId ?? fail('lti.launch_over')), 303)
}

/** SQL condition on a launch. */
const stillTeaches = sql<boolean>`exists (
  select from course join calendar_member member on member.calendar_id = course.calendar_id
  join account on account.id = member.account_id and account.status <> 'disabled'
  where course.id = lti_launch.course_id and member.account_id = lti_launch.account_id and member.role = 'teaches')`

/**
 * Adds the selected items to the course, once, if the person who chose them still teaches it.
 * @returns the course
 * @throws study.too_many
 */
async function storeSelection(platform: Platform, db: Db, token: ToolToken) {
  if (!(await markTokenUsed(db, token))) return undefined
  const { tool, claims } = token
  const [hash = '', signature = ''] = String(
    claims['https://purl.imsglobal.org/spec/lti-dl/claim/data'] ?? '',
  ).split('.')
  const isResponse =
    claims[lti('message_type')] === 'LtiDeepLinkingResponse' &&
    claims[lti('version')] === '1.3.0' &&
    claims[lti('deployment_id')] === tool.deployment_id &&
    platform.secret.verify('lti-choice', hash, signature)
  if (!isResponse) return undefined
  const launch = await db
    .updateTable('lti_launch')
    .set({ chosen_at: new Date().toISOString() })
    .where('hint_hash', '=', hash)
    .where('tool_id', '=', tool.id)
    .where('material_id', 'is', null)
    .where('used_at', 'is not', null)
    .where('chosen_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .where(stillTeaches)
    .returning(['course_id'])
    .executeTakeFirst()
  if (launch) await insertItems(db, tool, launch.course_id, claims)
  return launch?.course_id
}
