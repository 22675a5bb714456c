import { services } from '@atrium/contract/services'
import { useAction } from '#shell/action.ts'
import { go, navigate } from '#shell/navigation.ts'

/** Opens services: the server says how, and remembers the use. One at a time, however often it is tapped. */
export function useOpenService() {
  const launch = useAction(services.launch, {
    refresh: [services.lastUsed],
    done: ({ how, url }) => {
      if (how === 'route') go('navigate', url)
      else if (how === 'webview') navigate('/pages/webview/webview', { url })
      else openOutside(url)
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

/** A page of its own. Where the browser refuses that, because the tap is too long ago, a page of ours holds the link. */
function openOutside(url: string) {
  const opened = window.open(url, '_blank')
  if (opened) opened.opener = null
  else if (url.startsWith('https:')) navigate('/pages/webview/webview', { url })
  else location.assign(url)
}
