import { isMissing, MissingService } from '#domains/services/service-opening/missing-service.tsx'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { Attachments, Facts, GuideFoot, Intro, Materials, Steps, useGuide } from './guide.tsx'

/** The guide before a service, as one page under a coloured bar. */
export default function NewGuidePage() {
  const { serviceId } = useSearch('/pages/service/newGuide')
  const guide = useGuide(serviceId)
  return (
    <Page onRefresh={guide.refetch}>
      {isMissing(guide.error) ? (
        <MissingService error={guide.error} serviceId={serviceId} />
      ) : (
        <QueryView
          query={guide}
          skeleton={
            <div className="column">
              <Skeleton rows={4} height={140} label={m.shell_loading()} />
            </div>
          }
        >
          {(data) => (
            <>
              <div className="guide-hero">
                <div className="column">
                  <IconTile glyph={data.icon.glyph} tone={data.icon.tone} url={data.iconUrl} />
                  <div className="guide-name">
                    <p>
                      <Bilingual zh={data.serviceName} en={data.serviceNameEn} />
                    </p>
                    <p>
                      <Bilingual zh={data.departmentName} en={data.departmentNameEn} />
                    </p>
                  </div>
                </div>
              </div>
              <div className="column stack">
                <Intro guide={data} />
                <Facts guide={data} />
                <Steps guide={data} />
                <Materials guide={data} />
                <Attachments guide={data} />
              </div>
              <GuideFoot serviceId={serviceId} />
            </>
          )}
        </QueryView>
      )}
    </Page>
  )
}
