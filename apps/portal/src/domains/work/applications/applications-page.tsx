import './applications.css'
import {
  type ApplicationLine,
  type ApplicationOffer,
  applications,
} from '@atrium/contract/work/applications'
import { useQuery } from '@tanstack/react-query'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { Pill } from '#ui/pill.tsx'
import { UserText } from '#ui/user-text.tsx'

/** The available application forms, and the member's open applications. */
export default function ApplicationsPage() {
  const list = useQuery(q(applications.list))
  return (
    <Page onRefresh={() => list.refetch()}>
      <div className="column stack">
        <QueryView
          query={list}
          skeleton={<Skeleton rows={4} height={72} label={m.shell_loading()} />}
          isEmpty={({ forms, open }) => forms.length === 0 && open.length === 0}
          empty={
            <Empty icon="clipboard" title={m.applications_none()}>
              {m.applications_none_text()}
            </Empty>
          }
        >
          {({ forms, open }) => (
            <>
              {open.length > 0 ? (
                <Card title={m.applications_open()}>
                  <ul className="application-rows">
                    {open.map((one) => (
                      <OpenRow key={one.id} application={one} />
                    ))}
                  </ul>
                </Card>
              ) : null}
              {forms.length > 0 ? (
                <Card title={m.applications_forms()}>
                  <ul className="application-rows">
                    {forms.map((form) => (
                      <FormRow key={form.code} form={form} />
                    ))}
                  </ul>
                </Card>
              ) : null}
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function FormRow({ form }: { form: ApplicationOffer }) {
  const { code, icon, name, nameEn, summary, summaryEn, organization, organizationEn } = form
  return (
    <li>
      <Link to="/msgCenter/pages/task/apply" search={{ code }} className="application-row">
        <IconTile glyph={icon.glyph} tone={icon.tone} />
        <span className="application-words">
          <span className="application-name">{inLanguage(name, nameEn)}</span>
          <span className="muted">
            {inLanguage(summary, summaryEn) || inLanguage(organization, organizationEn)}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Drafts and returned applications open for editing, others for reading. */
function OpenRow({
  application: { id, title, titleEn, icon, status, at },
}: {
  application: ApplicationLine
}) {
  const to =
    status === 'progress'
      ? '/msgCenter/pages/task/applicationDetail'
      : '/msgCenter/pages/task/apply'
  return (
    <li>
      <Link to={to} search={{ id }} className="application-row">
        <IconTile glyph={icon.glyph} tone={icon.tone} />
        <span className="application-words">
          <span className="application-name">
            <UserText>{inLanguage(title, titleEn)}</UserText>
          </span>
          <span className="application-facts">
            <Status status={status} />
            <span className="muted num">{formatRelativeTime('tasks', at)}</span>
          </span>
        </span>
      </Link>
    </li>
  )
}

function Status({ status }: Pick<ApplicationLine, 'status'>) {
  if (status === 'draft') return <Pill>{m.applications_draft()}</Pill>
  if (status === 'returned') return <Pill tone="orange">{m.applications_returned()}</Pill>
  return <Pill tone="blue">{m.applications_progress()}</Pill>
}
