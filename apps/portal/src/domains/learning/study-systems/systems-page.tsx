import './study-systems.css'
import { type LtiTool, ltiConsole } from '@atrium/contract/learning/lti'
import { type StudySource, studySources } from '@atrium/contract/learning/study-sources.operator'
import { useQuery } from '@tanstack/react-query'
import { formatDayAndTime, formatNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Pill } from '#ui/pill.tsx'
import { kindName } from './labels.ts'

/** The source systems of courses, assignments and marks, and the tools that courses may use. */
export default function SystemsPage() {
  const sources = useQuery(q(studySources.list))
  const tools = useQuery(q(ltiConsole.list))
  return (
    <Page onRefresh={() => Promise.all([sources.refetch(), tools.refetch()])}>
      <div className="column stack">
        <Card
          title={m.study_systems_sources()}
          aside={
            <Link to="/pages/secondWork/studySystems/source">{m.study_systems_source_new()}</Link>
          }
        >
          <p className="muted">{m.study_systems_sources_note()}</p>
          <QueryView query={sources} skeleton={<Rows />}>
            {(list) =>
              list.length === 0 ? (
                <Empty icon="database" title={m.study_systems_sources_none()} />
              ) : (
                <ul className="study-systems">
                  {list.map((source) => (
                    <Source key={source.code} source={source} />
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Card>
        <Card
          title={m.study_systems_tools()}
          aside={<Link to="/pages/secondWork/studySystems/tool">{m.study_systems_tool_new()}</Link>}
        >
          <p className="muted">{m.study_systems_tools_note()}</p>
          <QueryView query={tools} skeleton={<Rows />}>
            {(list) =>
              list.length === 0 ? (
                <Empty icon="grid" title={m.study_systems_tools_none()} />
              ) : (
                <ul className="study-systems">
                  {list.map((tool) => (
                    <Tool key={tool.id} tool={tool} />
                  ))}
                </ul>
              )
            }
          </QueryView>
        </Card>
      </div>
    </Page>
  )
}

const Rows = () => <Skeleton rows={2} height={64} label={m.shell_loading()} />

function Source({ source }: { source: StudySource }) {
  const { timeZone } = useSystem()
  const { code, kind, courses, readAt, failures, error, enabled } = source
  return (
    <li>
      <Link to="/pages/secondWork/studySystems/source" search={{ code }}>
        <span className="study-system-head">
          <span>{inLanguage(source.name, source.nameEn)}</span>
          {enabled ? (
            <Pill tone={failures > 0 ? 'orange' : readAt ? 'green' : 'blue'}>
              {failures > 0
                ? m.study_systems_failing()
                : readAt
                  ? m.study_systems_well()
                  : m.study_systems_unread()}
            </Pill>
          ) : (
            <span className="muted">{m.study_systems_off()}</span>
          )}
        </span>
        <span className="study-system-facts muted num">
          <span>{kindName(kind)}</span>
          {readAt ? (
            <span>{m.study_systems_read_at({ time: formatDayAndTime(readAt, timeZone) })}</span>
          ) : null}
          <span>{m.study_systems_courses({ count: formatNumber(courses) })}</span>
        </span>
        {error ? <span className="study-system-wrong">{error}</span> : null}
      </Link>
    </li>
  )
}

function Tool({ tool }: { tool: LtiTool }) {
  return (
    <li>
      <Link to="/pages/secondWork/studySystems/tool" search={{ id: tool.id }}>
        <span className="study-system-head">
          <span>{inLanguage(tool.name, tool.nameEn)}</span>
          {tool.enabled ? null : <span className="muted">{m.study_systems_off()}</span>}
        </span>
        <span className="study-system-facts muted num">
          <span>{new URL(tool.targetUrl).host}</span>
          <span>{m.study_systems_links({ count: formatNumber(tool.links) })}</span>
        </span>
      </Link>
    </li>
  )
}
