import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { resumableFiles } from '@atrium/contract/content/files'
import { errors } from '@atrium/contract/errors'
import { FileStore } from '@tus/file-store'
import { Server, type Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineState } from '#platform/area-state.ts'
import type { Db } from '#platform/database/db.ts'
import { errorText, fail, Refusal } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { languageOf } from '#platform/http/negotiation.ts'
import { type Host, tokenOf } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { lockQuota, usedBytes } from '#platform/storage/files.ts'
import { resumableHours } from './collect-garbage.ts'
import { describeFile } from './describe.ts'
import { findFile } from './queries.ts'
import { partOf } from './receive.ts'
import { storeUpload, uploadLimits, validateUpload } from './take-upload.ts'

/** The caller of a request handled by the tus library. */
const callers = new WeakMap<object, { platform: Platform; viewer: Member }>()

/**
 * Resumable uploads (tus 1.0.0). Addresses and headers are defined by the protocol, so this is outside the contract.
 */
export async function serveResumable(app: FastifyInstance, host: Host) {
  await app.register(async (scope) => {
    // The library reads the body as a stream.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const platform = host.platform ?? fail('server.unavailable', { retryAfter: 2 })
      const viewer = await platform.guard.viewerOf(tokenOf(request))
      if (!viewer.signedIn) return fail('session.required')
      const server = serverOf(platform)
      const { id } = request.params as { id?: string }
      if (id !== undefined && !(await isOwnUpload(server, id, viewer.accountId)))
        fail('file.not_found')
      callers.set(request.raw, { platform, viewer })
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      await server.handle(request.raw, reply.raw)
      return reply
    }
    scope.route({ method: ['POST', 'OPTIONS'], url: resumableFiles, handler })
    scope.route({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: `${resumableFiles}/:id`,
      handler,
    })
  })
}

const serverOf = defineState<Server>((platform) => {
  const directory = path.join(platform.files.partsFolder, 'resumable')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const store = new FileStore({
    directory,
    expirationPeriodInMilliseconds: resumableHours * 3_600_000,
  })
  const server: Server = new Server({
    path: resumableFiles,
    datastore: store,
    relativeLocation: true,
    // Own origin only: no CORS header for other sites.
    allowedOrigins: [platform.origin()],
    namingFunction(request) {
      const { viewer } = callerOf(request)
      return uploadIdPrefix(viewer.accountId) + randomBytes(10).toString('hex')
    },
    maxSize: async () => (await uploadLimits(platform)).largest,
    async onUploadCreate(request, upload) {
      const { viewer } = callerOf(request)
      const name = await validateUpload(platform, viewer, {
        name: upload.metadata?.filename ?? '',
        // Without a declared length, the size is checked when the upload ends.
        byteSize: upload.size ?? 1,
      })
      upload.metadata = { filename: name, account: viewer.accountId }
      await reserveQuota(platform, store, viewer.accountId, upload)
      return {}
    },
    async onUploadFinish(request, upload) {
      const { viewer } = callerOf(request)
      const file = path.join(directory, upload.id)
      try {
        const part = { ...(await partOf(file)), name: upload.metadata?.filename ?? '' }
        const id = await storeUpload(platform, viewer, part)
        const row = (await findFile(platform.db, id)) ?? fail('file.not_found')
        const data = describeFile(platform.files, row)
        return {
          status_code: 200,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
          },
          body: JSON.stringify({ code: 0, message: '', data }),
        }
      } finally {
        await store.configstore.delete(upload.id)
      }
    },
    onResponseError(request, error) {
      if (!(error instanceof Refusal)) {
        if (error instanceof Error) platform.log.error({ err: error }, 'an upload failed')
        return undefined
      }
      const message = errorText(
        error.code,
        languageOf(request.headers.get('accept-language') ?? undefined),
      )
      const status = errors[error.code]
      return {
        status_code: status,
        body: JSON.stringify({
          code: status,
          error: error.code,
          message,
          data: null,
          requestId: '',
        }),
      }
    },
  })
  return server
})

/** Prefix of a member's upload ids, so that they are found without reading everybody's. */
const uploadIdPrefix = (accountId: string) =>
  createHash('sha256').update(accountId).digest('hex').slice(0, 12)

/** After this idle time an upload may be discarded to make room for another. */
const idleMinutes = 10

/**
 * Starts an upload if it fits the quota together with all uploads the member has started: otherwise each alone would
 * fit and many would fill the disk. If it does not fit, idle uploads are discarded, oldest first.
 * @throws file.quota_full
 */
async function reserveQuota(
  platform: Platform,
  store: FileStore,
  accountId: string,
  upload: Upload,
) {
  const limits = await uploadLimits(platform)
  await platform.db.transaction().execute(async (db) => {
    await lockQuota(db, accountId)
    await makeRoom(db, store, accountId, upload.size, limits)
    // The library creates it again; creating it here makes it visible to concurrent checks.
    await store.create(upload)
  })
}

async function makeRoom(
  db: Db,
  store: FileStore,
  accountId: string,
  declaredSize: number | undefined,
  { largest, quota }: { largest: number; quota: number },
) {
  let remaining = quota - (await usedBytes(db, accountId)) - (declaredSize ?? largest)
  const prefix = uploadIdPrefix(accountId)
  const names = (await readdir(store.directory)).filter(
    (name) => name.startsWith(prefix) && !name.endsWith('.json'),
  )
  const started = await Promise.all(
    names.map(async (id) => ({
      id,
      size: (await store.getUpload(id).catch(() => undefined))?.size ?? largest,
      // Deleted concurrently: treated as the oldest.
      usedAt: (await stat(path.join(store.directory, id)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  )
  for (const { id, size, usedAt } of started.sort((a, b) => b.usedAt - a.usedAt)) {
    if (size <= remaining) remaining -= size
    else if (usedAt > Date.now() - idleMinutes * 60_000) fail('file.quota_full')
    else await store.remove(id).catch(() => {})
  }
}

function callerOf(request: { runtime?: { node?: { req: object } | undefined } | undefined }) {
  const raw = request.runtime?.node?.req
  return (raw && callers.get(raw)) ?? fail('session.required')
}

/** An upload of another member counts as missing. */
async function isOwnUpload(server: Server, id: string, accountId: string) {
  if (!/^[0-9a-f]{32}$/.test(id)) return false
  const upload = await server.datastore.getUpload(id).catch(() => undefined)
  return upload?.metadata?.account === accountId
}
