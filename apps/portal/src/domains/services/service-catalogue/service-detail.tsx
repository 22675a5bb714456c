import {
  catalogue,
  type ManagedService,
} from '@atrium/contract/services/service-catalogue.operator'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { Pill } from '#ui/pill.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { cacheService, changed, useService } from './catalogue-queries.ts'
import { GuidePart } from './guide-part.tsx'
import { HealthPart } from './health-part.tsx'
import { PagesPart } from './pages-part.tsx'
import { TextsPart } from './texts-part.tsx'

export type Part = 'texts' | 'guide' | 'health' | 'pages'
type ServiceDetailProps = { id: string; part: Part; onPart: (part: Part) => void }

/** One service: its texts, guide, state and pages. */
export function ServiceDetail({ id, part, onPart }: ServiceDetailProps) {
  const query = useService(id)
  return (
    <QueryView query={query} skeleton={<Skeleton height={480} label={m.shell_loading()} />}>
      {(service) => (
        <>
          <Head service={service} />
          <Tabs
            variant="line"
            label={m.service_catalogue_parts()}
            items={[
              { value: 'texts', label: m.service_catalogue_texts() },
              { value: 'guide', label: m.service_catalogue_guide() },
              { value: 'health', label: m.service_catalogue_health() },
              { value: 'pages', label: m.service_catalogue_pages() },
            ]}
            value={part}
            onChange={onPart}
          >
            {part === 'texts' ? (
              <TextsPart key={service.version} service={service} onReload={query.refetch} />
            ) : null}
            {part === 'guide' ? <GuidePart service={service} /> : null}
            {part === 'health' ? <HealthPart service={service} /> : null}
            {part === 'pages' ? <PagesPart service={service} /> : null}
          </Tabs>
        </>
      )}
    </QueryView>
  )
}

/** The name of the service, and whether members see it. */
function Head({ service }: { service: ManagedService }) {
  const { serviceId: id, serviceName, serviceNameEn, online, version } = service
  const name = inLanguage(serviceName, serviceNameEn)
  const [isConfirming, setIsConfirming] = useState(false)
  const done = (now: ManagedService) => {
    setIsConfirming(false)
    cacheService(now)
    toast(now.online ? m.service_catalogue_is_on() : m.service_catalogue_is_off())
  }
  const publish = useAction(catalogue.publish, { invalidates: changed, done })
  const withdraw = useAction(catalogue.withdraw, { invalidates: changed, done })
  const input = { params: { id }, body: { version } }
  return (
    <Card
      title={name}
      aside={
        <Pill tone={online ? 'green' : 'amber'}>
          {online ? m.service_catalogue_online() : m.service_catalogue_offline()}
        </Pill>
      }
    >
      <div className="workbench-set-actions">
        <span className="muted num">{service.serviceNo}</span>
        {online ? (
          <Button kind="plain" small onClick={() => setIsConfirming(true)}>
            {m.service_catalogue_turn_off()}
          </Button>
        ) : (
          <Button small busy={publish.isPending} onClick={() => publish.mutate(input)}>
            {m.service_catalogue_turn_on()}
          </Button>
        )}
      </div>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.service_catalogue_off_ask({ name })}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.service_catalogue_cancel()}
            </Button>
            <Button kind="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate(input)}>
              {m.service_catalogue_turn_off()}
            </Button>
          </>
        }
      >
        {m.service_catalogue_off_text()}
      </Dialog>
    </Card>
  )
}
