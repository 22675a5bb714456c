import { endpoints } from '@atrium/contract'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { accountHandlers } from '#areas/account/handlers.ts'
import { aggregationHandlers } from '#areas/aggregation/handlers.ts'
import { announcementConsoleHandlers, announcementHandlers } from '#areas/announcements/handlers.ts'
import { forwardToBase } from '#areas/bases/forward.ts'
import { centralLoginHandlers } from '#areas/central-login/handlers.ts'
import { ticketValidationHandlers } from '#areas/central-login/validate-handlers.ts'
import { settingHandlers, tabHandlers } from '#areas/config/console-handlers.ts'
import { configHandlers } from '#areas/config/handlers.ts'
import { consentHandlers } from '#areas/consent/handlers.ts'
import { directoryHandlers } from '#areas/directory/console-handlers.ts'
import { feedHandlers } from '#areas/editing/feeds-handlers.ts'
import { newsConsoleHandlers } from '#areas/editing/handlers.ts'
import { evaluationConsoleHandlers, evaluationHandlers } from '#areas/evaluation/handlers.ts'
import { serveEvaluationPhotos } from '#areas/evaluation/photos.ts'
import { eventHandlers } from '#areas/events/handlers.ts'
import { favouriteHandlers, historyHandlers } from '#areas/favourites/handlers.ts'
import { identityProviderHandlers } from '#areas/federation/console-handlers.ts'
import { federationHandlers } from '#areas/federation/handlers.ts'
import { fileHandlers } from '#areas/files/handlers.ts'
import { serveResumable } from '#areas/files/resumable.ts'
import {
  healthHandlers,
  maintenanceHandlers,
  serviceHealthHandlers,
} from '#areas/health/handlers.ts'
import { homeHandlers } from '#areas/home/handlers.ts'
import { exportHandlers } from '#areas/identity/export-handlers.ts'
import { identityHandlers } from '#areas/identity/handlers.ts'
import { signInStepHandlers } from '#areas/identity/step-handlers.ts'
import { imageHandlers } from '#areas/images/handlers.ts'
import { failedJobHandlers } from '#areas/jobs/handlers.ts'
import {
  diversionHandlers,
  openingPageHandlers,
  slideHandlers,
  themeHandlers,
} from '#areas/launch/console-handlers.ts'
import { launchHandlers } from '#areas/launch/handlers.ts'
import { letterConsoleHandlers, letterHandlers } from '#areas/letters/handlers.ts'
import { mapHandlers } from '#areas/map/handlers.ts'
import { messageHandlers } from '#areas/messages/handlers.ts'
import { appGroupHandlers } from '#areas/news/app-group-handlers.ts'
import { commentHandlers, commentReviewHandlers } from '#areas/news/comment-handlers.ts'
import { newsHandlers, noticeHandlers } from '#areas/news/handlers.ts'
import { openidHandlers } from '#areas/openid/handlers.ts'
import { admitIntegrator } from '#areas/openid/integrations.ts'
import { serveOpenId } from '#areas/openid/mount.ts'
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
import { registryHandlers } from '#areas/registry/console-handlers.ts'
import { scheduleHandlers } from '#areas/schedule/handlers.ts'
import { scimClientHandlers } from '#areas/scim/console-handlers.ts'
import { serveScim } from '#areas/scim/routes.ts'
import { factorResetHandlers } from '#areas/second-factor/console-handlers.ts'
import { secondFactorHandlers } from '#areas/second-factor/handlers.ts'
import { factorSignInHandlers } from '#areas/second-factor/sign-in-handlers.ts'
import {
  catalogueHandlers,
  ownedServiceHandlers,
} from '#areas/service-catalogue/console-handlers.ts'
import { serviceFileHandlers } from '#areas/service-catalogue/file-handlers.ts'
import { servicePlacementHandlers } from '#areas/service-catalogue/placement-handlers.ts'
import { serviceThemeHandlers } from '#areas/service-catalogue/theme-handlers.ts'
import {
  serviceSynonymHandlers,
  serviceTypeHandlers,
} from '#areas/service-catalogue/type-handlers.ts'
import { serviceHandlers } from '#areas/services/handlers.ts'
import { memberSessionHandlers } from '#areas/sessions/console-handlers.ts'
import { sessionHandlers } from '#areas/sessions/handlers.ts'
import { shareHandlers } from '#areas/share/handlers.ts'
import { taskHandlers } from '#areas/tasks/handlers.ts'
import { webviewHandlers } from '#areas/webview/handlers.ts'
import { wechatHandlers } from '#areas/wechat/handlers.ts'
import { unlimited } from '#platform/http/request-limit.ts'
import { type Host, serve } from '#platform/http/serve.ts'

/** Every endpoint of the contract with its handler. */
export async function serveEndpoints(app: FastifyInstance, host: Host) {
  host.forward = forwardToBase
  host.admitIntegrator = admitIntegrator
  // Only signing in has cookies; other requests need not be searched for them.
  await app.register(async (scope) => {
    await scope.register(cookie)
    serve(scope, host, endpoints.identity, identityHandlers)
    serve(scope, host, endpoints.signInSteps, signInStepHandlers)
    serve(scope, host, endpoints.centralLogin, centralLoginHandlers)
    serve(scope, host, endpoints.openid, openidHandlers)
    serveOpenId(scope, host)
    serve(scope, host, endpoints.factorSignIn, factorSignInHandlers)
    serve(scope, host, endpoints.federation, federationHandlers)
    serve(scope, host, endpoints.sessions, sessionHandlers)
    serve(scope, host, endpoints.passwordless, passwordlessHandlers)
    serve(scope, host, endpoints.forgotten, forgottenHandlers)
    serve(scope, host, endpoints.activation, forgottenHandlers)
  })
  await app.register(async (scope) => {
    // Whatever an old client calls its XML.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: 16_000 },
      (_request, xml, done) => done(null, { xml }),
    )
    serve(scope, host, endpoints.ticketValidation, ticketValidationHandlers)
  })
  serve(app, host, endpoints.identityProviders, identityProviderHandlers)
  serve(app, host, endpoints.secondFactor, secondFactorHandlers)
  serve(app, host, endpoints.factorReset, factorResetHandlers)
  serve(app, host, endpoints.account, accountHandlers)
  serve(app, host, endpoints.config, configHandlers)
  serve(app, host, endpoints.home, homeHandlers)
  serve(app, host, endpoints.launch, launchHandlers)
  serve(app, host, endpoints.services, serviceHandlers)
  serve(app, host, endpoints.favourites, favouriteHandlers)
  serve(app, host, endpoints.history, historyHandlers)
  serve(app, host, endpoints.aggregation, aggregationHandlers)
  serve(app, host, endpoints.evaluation, evaluationHandlers)
  serve(app, host, endpoints.evaluations, evaluationConsoleHandlers)
  await serveEvaluationPhotos(app, host)
  serve(app, host, endpoints.health, healthHandlers)
  serve(app, host, endpoints.serviceHealth, serviceHealthHandlers)
  serve(app, host, endpoints.maintenance, maintenanceHandlers)
  serve(app, host, endpoints.share, shareHandlers)
  serve(app, host, endpoints.news, newsHandlers)
  serve(app, host, endpoints.notices, noticeHandlers)
  serve(app, host, endpoints.comments, commentHandlers)
  serve(app, host, endpoints.commentReview, commentReviewHandlers)
  serve(app, host, endpoints.messages, messageHandlers)
  serve(app, host, endpoints.appGroups, appGroupHandlers)
  serve(app, host, endpoints.tasks, taskHandlers)
  serve(app, host, endpoints.schedule, scheduleHandlers)
  serve(app, host, endpoints.privacy, privacyHandlers)
  serve(app, host, endpoints.roles, roleHandlers)
  serve(app, host, endpoints.operators, operatorHandlers)
  serve(app, host, endpoints.members, memberHandlers)
  serve(app, host, endpoints.audit, auditHandlers)
  serve(app, host, endpoints.closings, closingHandlers)
  await app.register(async (scope) => {
    // An upload is read as it comes, by its handler.
    scope.addContentTypeParser('multipart/form-data', (_request, payload, done) =>
      done(null, payload),
    )
    serve(scope, host, endpoints.files, fileHandlers)
    serve(scope, host, endpoints.personal, personalHandlers)
  })
  await serveResumable(app, host)
  serve(app, host, endpoints.events, eventHandlers)
  // Pictures are counted where they are made.
  await unlimited(app, async (scope) => serve(scope, host, endpoints.images, imageHandlers))
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
  serve(app, host, endpoints.failedJobs, failedJobHandlers)
  serve(app, host, endpoints.registry, registryHandlers)
  serve(app, host, endpoints.consent, consentHandlers)
  serve(app, host, endpoints.directories, directoryHandlers)
  serve(app, host, endpoints.exports, exportHandlers)
  serve(app, host, endpoints.scimClients, scimClientHandlers)
  serve(app, host, endpoints.catalogue, catalogueHandlers)
  serve(app, host, endpoints.serviceTypes, serviceTypeHandlers)
  serve(app, host, endpoints.serviceSynonyms, serviceSynonymHandlers)
  serve(app, host, endpoints.serviceThemes, serviceThemeHandlers)
  serve(app, host, endpoints.servicePlacements, servicePlacementHandlers)
  serve(app, host, endpoints.serviceFiles, serviceFileHandlers)
  serve(app, host, endpoints.ownedServices, ownedServiceHandlers)
  serve(app, host, endpoints.newsConsole, newsConsoleHandlers)
  serve(app, host, endpoints.feeds, feedHandlers)
  serve(app, host, endpoints.announcements, announcementHandlers)
  serve(app, host, endpoints.announcementConsole, announcementConsoleHandlers)
  serve(app, host, endpoints.letters, letterHandlers)
  serve(app, host, endpoints.letterConsole, letterConsoleHandlers)
  await serveScim(app, host)
}
