import { health, type Outage } from '@atrium/contract/services/health'
import { services } from '@atrium/contract/services/services'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { OutageLine } from './outage-line.tsx'
import { useOutage } from './use-outage.ts'

type OutageDetailsProps = {
  outage: Outage | undefined
  onOpen: (serviceId: string) => void
}

/** Details of an outage: since when, and the alternative service. */
export function OutageDetails({ outage, onOpen }: OutageDetailsProps) {
  return (
    <div className="outage-details">
      <OutageLine outage={outage} />
      <Alternative outage={outage} onOpen={onOpen} />
    </div>
  )
}

/** Lets members report that a service does not open. */
export function ReportOutage({ serviceId }: { serviceId: string }) {
  const member = useSession() !== null
  const report = useAction(health.report, {
    done: ({ counted }) => toast(counted ? m.health_reported() : m.health_reported_before()),
  })
  return member ? (
    <div>
      <Button
        kind="plain"
        small
        busy={report.isPending}
        onClick={() => report.mutate({ body: { serviceId } })}
      >
        {m.health_report()}
      </Button>
    </div>
  ) : null
}

/** The alternative service. Hidden from members who may not use it, since the server does not return it to them. */
export function Alternative({ outage, onOpen }: OutageDetailsProps) {
  const state = useOutage(outage)
  const serviceId = outage?.alternative ?? ''
  const { data } = useQuery({
    ...q(services.read, { query: { serviceId } }),
    enabled: serviceId !== '' && state !== 'over',
    retry: false,
  })
  if (!data || state === 'over' || serviceId === '') return null
  return (
    <Button kind="plain" small onClick={() => onOpen(serviceId)}>
      {m.health_instead({ name: inLanguage(data.serviceName, data.serviceNameEn) })}
    </Button>
  )
}
