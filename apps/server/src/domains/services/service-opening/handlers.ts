import type { serviceOpening } from '@atrium/contract/services/service-opening'
import { getService } from '#domains/services/services/queries.ts'
import { recordServiceUse } from '#domains/services/services/usage-log.ts'
import { terminalsOf } from '#domains/services/services/visibility.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { resolveLaunch } from './open-service.ts'

export const serviceOpeningHandlers: Handlers<typeof serviceOpening> = {
  async launch({ db, viewer, body, platform, request, reply }) {
    const service = await getService(db, viewer, body.serviceId)
    const terminal = body.platformType ?? request.headers['x-terminal-info']
    const answer = await resolveLaunch(platform, service, {
      viewer,
      terminals: terminalsOf(typeof terminal === 'string' ? terminal : undefined),
      closeGuide: body.closeGuide ?? false,
      anyway: body.anyway ?? false,
      reply,
    })
    // If consent or an outage warning comes first, the service was not used yet.
    if (answer.how !== 'consent' && answer.how !== 'outage')
      await recordServiceUse(platform, viewer, service)
    return answer
  },
}
