import type { Outage } from '@atrium/contract/services/health'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { queryClient } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Button } from '#ui/form/button.tsx'
import { Alternative } from './outage-details.tsx'
import { OutageLine } from './outage-line.tsx'

/**
 * Warns before opening a service that is out of service. Mounts its own dialog, so it works anywhere: home, a list, a
 * search.
 * @returns id of the service to open (this one or its alternative); undefined if cancelled
 */
export function warnOfOutage(outage: Outage, serviceId: string): Promise<string | undefined> {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  return new Promise((settle) => {
    const close = (chosenId?: string) => {
      root.unmount()
      container.remove()
      settle(chosenId)
    }
    root.render(
      <QueryClientProvider client={queryClient}>
        <Dialog
          open
          onClose={() => close()}
          title={m.health_warn_title()}
          actions={
            <>
              <Button kind="plain" onClick={() => close(serviceId)}>
                {m.health_warn_anyway()}
              </Button>
              <Button onClick={() => close()}>{m.health_warn_back()}</Button>
            </>
          }
        >
          <div className="outage-warning">
            <OutageLine outage={outage} />
            <p>{m.health_warn_text()}</p>
            <Alternative outage={outage} onOpen={close} />
          </div>
        </Dialog>
      </QueryClientProvider>,
    )
  })
}
