import './operated-sources.css'
import { type SourceKind, sourceKinds } from '@atrium/contract/member/personal-source'
import {
  type PersonalSource,
  personalSourceSettings,
} from '@atrium/contract/member/personal-sources.operator'
import { useQuery } from '@tanstack/react-query'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { kindName, SourceState } from './source-labels.tsx'

/** The source systems of member data with their states; at most one per kind. */
export default function OperatedSourcesPage() {
  const sources = useQuery(q(personalSourceSettings.list))
  return (
    <Page onRefresh={() => sources.refetch()}>
      <div className="column stack">
        <p className="muted">{m.personal_sources_operated_note()}</p>
        <QueryView
          query={sources}
          skeleton={<Skeleton rows={6} height={72} label={m.shell_loading()} />}
        >
          {(list) => (
            <Card>
              <ul className="operated-sources">
                {sourceKinds.map((kind) => (
                  <Row key={kind} kind={kind} source={list.find((one) => one.kind === kind)} />
                ))}
              </ul>
            </Card>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Row({ kind, source }: { kind: SourceKind; source: PersonalSource | undefined }) {
  return (
    <li>
      <Link to="/pages/secondWork/personalSources/detail" search={{ kind }}>
        <span className="operated-source-head">
          <span>{kindName(kind)}</span>
          <SourceState state={source?.state} />
        </span>
        {source ? <Facts source={source} /> : null}
      </Link>
    </li>
  )
}

function Facts({
  source: { way, answers, errors, refused, members, ...source },
}: {
  source: PersonalSource
}) {
  const { timeZone } = useSystem()
  return (
    <span className="operated-source-facts muted num">
      {source.answeredAt ? (
        <span>
          {m.personal_sources_last_answer({ time: formatDayAndTime(source.answeredAt, timeZone) })}
        </span>
      ) : null}
      {way === 'import' ? null : (
        <span>
          {m.personal_sources_counts({
            answers: formatNumber(answers),
            errors: formatNumber(errors),
          })}
        </span>
      )}
      {refused > 0 ? (
        <span className="operated-source-wrong">
          {m.personal_sources_refused({ count: formatNumber(refused) })}
        </span>
      ) : null}
      <span>{m.personal_sources_kept_of({ count: formatNumber(members) })}</span>
      {source.error ? <span className="operated-source-wrong">{source.error}</span> : null}
    </span>
  )
}
