import { type Launch, serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { environment } from '#lib/environment.ts'
import { recordEvent } from '#lib/events.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { measureUse } from './use-time.ts'

const platformType = String(environment.terminalCode)

/** Opens services: the server decides how and where, and records the use. Ignores taps while one is being opened. */
export function useOpenService() {
  const launch = useAction(serviceOpening.launch, {
    invalidates: [services.lastUsed, services.lastUseList],
    done: (answer, { body }) => {
      const retryLaunch = (changed: object) => launch.mutate({ body: { ...body, ...changed } })
      if (answer.how !== 'consent' && answer.how !== 'outage')
        recordEvent('service_label', { object: body.serviceId, objectName: answer.title })
      void follow(answer, body.serviceId, retryLaunch)
    },
    failed(failure, { body }) {
      recordEvent('service_label', { object: body.serviceId, failure })
      return false
    },
  })
  return {
    /** @param closeGuide the guide has been read */
    open: (serviceId: string, closeGuide = false) => {
      if (!launch.isPending) launch.mutate({ body: { serviceId, platformType, closeGuide } })
    },
    /** Id of the service being opened. */
    opening: launch.isPending ? launch.variables.body.serviceId : undefined,
  }
}

/** Most services are a screen or a web page; the code for others is loaded on demand. */
async function follow(answer: Launch, serviceId: string, retryLaunch: (changed: object) => void) {
  if (answer.outage) {
    const { warnOfOutage } = await import('#domains/services/health/warn-of-outage.tsx')
    const chosenId = await warnOfOutage(answer.outage, serviceId)
    if (chosenId) retryLaunch(chosenId === serviceId ? { anyway: true } : { serviceId: chosenId })
    return
  }
  const isAddress = ['route', 'webview', 'news', 'guide'].includes(answer.how)
  if (['route', 'webview', 'news'].includes(answer.how)) measureUse(serviceId)
  if (isAddress && answer.tokens.length === 0 && !answer.needsVpn) return openAddress(answer.url)
  const { openLaunch } = await import('./open-launch.ts')
  await openLaunch(answer, serviceId, retryLaunch)
}
