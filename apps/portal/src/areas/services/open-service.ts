import { services } from '@atrium/contract/services'
import { recordEvent } from '#lib/events.ts'
import { useAction } from '#shell/action.ts'
import { openAddress } from '#shell/navigation.ts'

/** Opens services: the server says where, and remembers the use. One at a time, however often it is tapped. */
export function useOpenService() {
  const launch = useAction(services.launch, {
    refresh: [services.lastUsed],
    done: ({ url }, { body }) => {
      recordEvent('service_label', body.serviceId)
      openAddress(url)
    },
  })
  return {
    open: (serviceId: string) => {
      if (!launch.isPending) launch.mutate({ body: { serviceId } })
    },
    /** The service on its way. */
    opening: launch.isPending ? launch.variables.body.serviceId : undefined,
  }
}
