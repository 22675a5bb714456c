import './workbench-page.css'
import type { Workbench } from '@atrium/contract/content/workbench.operator'
import { m } from '#paraglide/messages.js'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf, navigate, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { DepartmentPicker } from './department-picker.tsx'
import { PartCard, partName } from './part-card.tsx'
import { useWorkbench } from './workbench-queries.ts'

const path = '/pages/secondWork/secondWorkIndex'

/** Pending work of the user's departments, and links to everything they manage. */
export default function IndexPage() {
  const { department } = useSearch(path)
  const query = useWorkbench(department)
  return (
    <Page
      wide
      onRefresh={query.refetch}
      actions={
        <IconButton
          label={m.workbench_search_title()}
          onClick={() => navigate('/pages/secondWork/search', { department })}
        >
          <Icon name="search" />
        </IconButton>
      }
    >
      <div className="column stack">
        <DepartmentPicker
          department={department}
          departments={query.data?.departments}
          onChoose={(chosen) => redirect(path, { department: chosen })}
        />
        <QueryView
          query={query}
          skeleton={<Skeleton rows={4} height={120} label={m.shell_loading()} />}
        >
          {(data) => (
            <div className="workbench-wide">
              <Entries data={data} department={department} />
              <Waiting data={data} department={department} />
            </div>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

type PartsProps = { data: Workbench; department: string | undefined }

/** One card for each part with pending work; the parts without share a line. */
function Waiting({ data, department }: PartsProps) {
  const shown = data.parts.filter(({ failed, count }) => failed || count > 0)
  const quiet = data.parts.filter(({ failed, count }) => !failed && count === 0)
  return (
    <section aria-label={m.workbench_waiting()}>
      {shown.length > 0 ? (
        <div className="workbench-parts workbench-columns">
          {shown.map((part) => (
            <PartCard key={part.part} part={part} department={department} />
          ))}
        </div>
      ) : (
        <Card>
          <Empty icon="check" title={m.workbench_nothing()}>
            {m.workbench_nothing_text()}
          </Empty>
        </Card>
      )}
      {shown.length > 0 && quiet.length > 0 ? (
        <p className="workbench-quiet muted">
          {m.workbench_quiet({
            parts: quiet.map(({ part }) => partName(part)).join(m.workbench_comma()),
          })}
        </p>
      ) : null}
    </section>
  )
}

type Entry = { to: string; icon: IconName; name: string }

/** Links to everything the user may manage in the department. */
function Entries({ data: { permissions }, department }: PartsProps) {
  const search = { department }
  const content = permissions.includes('content')
  const entries: (Entry | false)[] = [
    content && {
      to: hrefOf('/pages/secondWork/news/news', search),
      icon: 'edit',
      name: m.workbench_entry_news(),
    },
    content && {
      to: hrefOf('/pages/secondWork/gonggao/gonggaoList', search),
      icon: 'speaker',
      name: m.workbench_entry_announcements(),
    },
    content && {
      to: hrefOf('/pages/secondWork/news/calendar', search),
      icon: 'history',
      name: m.workbench_entry_plans(),
    },
    content && {
      to: hrefOf('/pages/secondWork/columnSet', search),
      icon: 'all',
      name: m.workbench_entry_columns(),
    },
    permissions.includes('messages') && {
      to: hrefOf('/pages/secondWork/letters', search),
      icon: 'mail',
      name: m.workbench_entry_letters(),
    },
    permissions.includes('messages') && {
      to: hrefOf('/pages/secondWork/feedback', search),
      icon: 'chat',
      name: m.workbench_entry_feedback(),
    },
    permissions.includes('services') && {
      to: hrefOf('/pages/secondWork/service/serviceSet', search),
      icon: 'grid',
      name: m.workbench_entry_services(),
    },
    permissions.includes('services') && {
      to: hrefOf('/pages/secondWork/service/opinions', search),
      icon: 'star',
      name: m.workbench_entry_opinions(),
    },
    content && {
      to: hrefOf('/pages/secondWork/calendar/schedule', search),
      icon: 'clock',
      name: m.workbench_entry_events(),
    },
    content && {
      to: hrefOf('/pages/secondWork/calendar/calendarSet', search),
      icon: 'calendar',
      name: m.workbench_entry_calendars(),
    },
    permissions.includes('system') && {
      to: hrefOf('/pages/secondWork/personalSources'),
      icon: 'database',
      name: m.workbench_entry_personal_sources(),
    },
    permissions.includes('system') && {
      to: hrefOf('/pages/secondWork/studySystems'),
      icon: 'book',
      name: m.workbench_entry_study_systems(),
    },
    permissions.includes('system') && {
      to: hrefOf('/pages/secondWork/translation'),
      icon: 'translate',
      name: m.workbench_entry_translation(),
    },
    { to: hrefOf('/pages/secondWork/help'), icon: 'lightbulb', name: m.workbench_entry_help() },
  ]
  return (
    <nav aria-label={m.workbench_entries()}>
      <ul className="workbench-entries">
        {entries.map((entry) =>
          entry ? (
            <li key={entry.to}>
              <HrefLink className="workbench-entry" href={entry.to}>
                <Icon name={entry.icon} />
                <span>{entry.name}</span>
              </HrefLink>
            </li>
          ) : null,
        )}
      </ul>
    </nav>
  )
}
