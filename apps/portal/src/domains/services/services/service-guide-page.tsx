import type { Guide } from '@atrium/contract/services/services'
import { useState } from 'react'
import { isMissing, MissingService } from '#domains/services/service-opening/missing-service.tsx'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Attachments, Facts, GuideFoot, Intro, Materials, Steps, useGuide } from './guide.tsx'

/** The guide before a service, one part at a time. */
export default function ServiceGuidePage() {
  const { serviceId } = useSearch('/pages/service/serviceGuide')
  const guide = useGuide(serviceId)
  return (
    <Page onRefresh={guide.refetch}>
      <div className="column stack">
        {isMissing(guide.error) ? (
          <MissingService error={guide.error} serviceId={serviceId} />
        ) : (
          <QueryView
            query={guide}
            skeleton={<Skeleton rows={4} height={140} label={m.shell_loading()} />}
          >
            {(data) => (
              <>
                <Card>
                  <div className="guide-head">
                    <IconTile glyph={data.icon.glyph} tone={data.icon.tone} url={data.iconUrl} />
                    <div className="guide-name">
                      <h2>
                        <Bilingual zh={data.serviceName} en={data.serviceNameEn} />
                      </h2>
                      <p className="muted">
                        <Bilingual zh={data.departmentName} en={data.departmentNameEn} />
                      </p>
                    </div>
                  </div>
                </Card>
                <Parts guide={data} />
              </>
            )}
          </QueryView>
        )}
      </div>
      {guide.data ? <GuideFoot serviceId={serviceId} /> : null}
    </Page>
  )
}

type Part = 'facts' | 'steps' | 'materials'

function Parts({ guide }: { guide: Guide }) {
  const [part, show] = useState<Part>('facts')
  const parts: { value: Part; label: string; exists: boolean }[] = [
    { value: 'facts', label: m.services_guide_facts(), exists: true },
    { value: 'steps', label: m.services_guide_steps(), exists: guide.steps.length > 0 },
    {
      value: 'materials',
      label: m.services_guide_materials(),
      exists: guide.materials.length + guide.attachments.length > 0,
    },
  ]
  return (
    <Tabs
      variant="line"
      label={m.services_guide_title()}
      items={parts.filter(({ exists }) => exists)}
      value={part}
      onChange={show}
    >
      <div className="stack">
        {part === 'facts' ? (
          <>
            <Intro guide={guide} />
            <Facts guide={guide} />
          </>
        ) : null}
        {part === 'steps' ? <Steps guide={guide} /> : null}
        {part === 'materials' ? (
          <>
            <Materials guide={guide} />
            <Attachments guide={guide} />
          </>
        ) : null}
      </div>
    </Tabs>
  )
}
