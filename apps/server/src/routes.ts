import { endpoints } from '@atrium/contract'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { accountHandlers } from '#areas/account/handlers.ts'
import { settingHandlers, tabHandlers } from '#areas/config/console-handlers.ts'
import { configHandlers } from '#areas/config/handlers.ts'
import { eventHandlers } from '#areas/events/handlers.ts'
import { fileHandlers } from '#areas/files/handlers.ts'
import { homeHandlers } from '#areas/home/handlers.ts'
import { centralLoginHandlers } from '#areas/identity/central-login.ts'
import { identityHandlers } from '#areas/identity/handlers.ts'
import { signInStepHandlers } from '#areas/identity/step-handlers.ts'
import { imageHandlers } from '#areas/images/handlers.ts'
import {
  diversionHandlers,
  openingPageHandlers,
  slideHandlers,
  themeHandlers,
} from '#areas/launch/console-handlers.ts'
import { launchHandlers } from '#areas/launch/handlers.ts'
import { mapHandlers } from '#areas/map/handlers.ts'
import { messageHandlers } from '#areas/messages/handlers.ts'
import { newsHandlers, noticeHandlers } from '#areas/news/handlers.ts'
import {
  auditHandlers,
  memberHandlers,
  operatorHandlers,
  roleHandlers,
} from '#areas/operators/console-handlers.ts'
import { passwordlessHandlers } from '#areas/passwordless/handlers.ts'
import { outboxHandlers } from '#areas/passwordless/outbox-handlers.ts'
import { forgottenHandlers } from '#areas/passwordless/recovery.ts'
import { personalHandlers } from '#areas/personal/handlers.ts'
import { closingHandlers } from '#areas/privacy/console-handlers.ts'
import { privacyHandlers } from '#areas/privacy/handlers.ts'
import { scheduleHandlers } from '#areas/schedule/handlers.ts'
import { factorResetHandlers } from '#areas/second-factor/console-handlers.ts'
import { secondFactorHandlers } from '#areas/second-factor/handlers.ts'
import { factorSignInHandlers } from '#areas/second-factor/sign-in-handlers.ts'
import { serviceHandlers } from '#areas/services/handlers.ts'
import { memberSessionHandlers } from '#areas/sessions/console-handlers.ts'
import { sessionHandlers } from '#areas/sessions/handlers.ts'
import { taskHandlers } from '#areas/tasks/handlers.ts'
import { webviewHandlers } from '#areas/webview/handlers.ts'
import { wechatHandlers } from '#areas/wechat/handlers.ts'
import { type Host, serve } from '#platform/serve.ts'

/** Every endpoint of the contract with its handler. */
export async function serveEndpoints(app: FastifyInstance, host: Host) {
  // Only signing in has cookies; other requests need not be searched for them.
  await app.register(async (scope) => {
    await scope.register(cookie)
    serve(scope, host, endpoints.identity, identityHandlers)
    serve(scope, host, endpoints.signInSteps, signInStepHandlers)
    serve(scope, host, endpoints.centralLogin, centralLoginHandlers)
    serve(scope, host, endpoints.factorSignIn, factorSignInHandlers)
    serve(scope, host, endpoints.sessions, sessionHandlers)
    serve(scope, host, endpoints.passwordless, passwordlessHandlers)
    serve(scope, host, endpoints.forgotten, forgottenHandlers)
    serve(scope, host, endpoints.activation, forgottenHandlers)
  })
  serve(app, host, endpoints.secondFactor, secondFactorHandlers)
  serve(app, host, endpoints.factorReset, factorResetHandlers)
  serve(app, host, endpoints.account, accountHandlers)
  serve(app, host, endpoints.config, configHandlers)
  serve(app, host, endpoints.home, homeHandlers)
  serve(app, host, endpoints.launch, launchHandlers)
  serve(app, host, endpoints.services, serviceHandlers)
  serve(app, host, endpoints.news, newsHandlers)
  serve(app, host, endpoints.notices, noticeHandlers)
  serve(app, host, endpoints.messages, messageHandlers)
  serve(app, host, endpoints.tasks, taskHandlers)
  serve(app, host, endpoints.schedule, scheduleHandlers)
  serve(app, host, endpoints.personal, personalHandlers)
  serve(app, host, endpoints.privacy, privacyHandlers)
  serve(app, host, endpoints.roles, roleHandlers)
  serve(app, host, endpoints.operators, operatorHandlers)
  serve(app, host, endpoints.members, memberHandlers)
  serve(app, host, endpoints.audit, auditHandlers)
  serve(app, host, endpoints.closings, closingHandlers)
  serve(app, host, endpoints.files, fileHandlers)
  serve(app, host, endpoints.events, eventHandlers)
  serve(app, host, endpoints.images, imageHandlers)
  serve(app, host, endpoints.wechat, wechatHandlers)
  serve(app, host, endpoints.map, mapHandlers)
  serve(app, host, endpoints.webview, webviewHandlers)
  serve(app, host, endpoints.themes, themeHandlers)
  serve(app, host, endpoints.openingPages, openingPageHandlers)
  serve(app, host, endpoints.diversions, diversionHandlers)
  serve(app, host, endpoints.slides, slideHandlers)
  serve(app, host, endpoints.settings, settingHandlers)
  serve(app, host, endpoints.tabs, tabHandlers)
  serve(app, host, endpoints.memberSessions, memberSessionHandlers)
  serve(app, host, endpoints.outbox, outboxHandlers)
}
