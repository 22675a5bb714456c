import { Readable } from 'node:stream'
import type { exports } from '@atrium/contract/identity/directory'
import type { FastifyReply } from 'fastify'
import type { Handlers } from '#platform/http/serve.ts'
import { exportMembers, exportOrganizations } from './export.ts'

export const exportHandlers: Handlers<typeof exports> = {
  members: async ({ db, reply }) => file(reply, 'members.csv', exportMembers(db)),
  organizations: async ({ db, reply }) => file(reply, 'organisations.csv', exportOrganizations(db)),
}

const file = (reply: FastifyReply, name: string, parts: AsyncGenerator<string>) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(parts, { objectMode: false }))
