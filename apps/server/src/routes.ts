import { endpoints } from '@atrium/contract'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { configHandlers } from '#areas/config/handlers.ts'
import { fileHandlers } from '#areas/files/handlers.ts'
import { homeHandlers } from '#areas/home/handlers.ts'
import { centralLoginHandlers } from '#areas/identity/central-login.ts'
import { identityHandlers } from '#areas/identity/handlers.ts'
import { messageHandlers } from '#areas/messages/handlers.ts'
import { newsHandlers, noticeHandlers } from '#areas/news/handlers.ts'
import { personalHandlers } from '#areas/personal/handlers.ts'
import { scheduleHandlers } from '#areas/schedule/handlers.ts'
import { serviceHandlers } from '#areas/services/handlers.ts'
import { taskHandlers } from '#areas/tasks/handlers.ts'
import { type Host, serve } from '#platform/serve.ts'

/** Every endpoint of the contract with its handler. */
export async function serveEndpoints(app: FastifyInstance, host: Host) {
  serve(app, host, endpoints.identity, identityHandlers)
  // Only the central login has cookies; other requests need not be searched for them.
  await app.register(async (scope) => {
    await scope.register(cookie)
    serve(scope, host, endpoints.centralLogin, centralLoginHandlers)
  })
  serve(app, host, endpoints.config, configHandlers)
  serve(app, host, endpoints.home, homeHandlers)
  serve(app, host, endpoints.services, serviceHandlers)
  serve(app, host, endpoints.news, newsHandlers)
  serve(app, host, endpoints.notices, noticeHandlers)
  serve(app, host, endpoints.messages, messageHandlers)
  serve(app, host, endpoints.tasks, taskHandlers)
  serve(app, host, endpoints.schedule, scheduleHandlers)
  serve(app, host, endpoints.personal, personalHandlers)
  serve(app, host, endpoints.files, fileHandlers)
}
