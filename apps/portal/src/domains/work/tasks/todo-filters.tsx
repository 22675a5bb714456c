import { useState } from 'react'
import { useTaskGroups } from '#domains/work/task-groups/task-groups-queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Select } from '#ui/form/select.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { SourceFilter } from './source-filter.tsx'
import { type Filter, useTaskCounts } from './tasks-queries.ts'

export type TodoFilter = Pick<
  Filter,
  'keyWords' | 'urgent' | 'due' | 'snoozed' | 'tagGroup' | 'source'
>

const presets = ['all', 'urgent', 'today', 'overdue', 'snoozed'] as const
type Preset = (typeof presets)[number]
const filterOf: Record<Preset, TodoFilter> = {
  all: {},
  urgent: { urgent: true },
  today: { due: 'today' },
  overdue: { due: 'overdue' },
  snoozed: { snoozed: true },
}
const presetOf = ({ urgent, due, snoozed }: TodoFilter): Preset =>
  urgent ? 'urgent' : snoozed ? 'snoozed' : (due ?? 'all')

type TodoFiltersProps = {
  value: TodoFilter
  onChange: (value: TodoFilter) => void
  /** Several tasks of the list can be handled together. */
  several: boolean
}

/** Filters for to-dos: search terms, urgency, the member's groups, sources. */
export function TodoFilters({ value, onChange, several }: TodoFiltersProps) {
  const [searching, setSearching] = useState(false)
  const { urgent: _, due: __, snoozed: ___, ...besides } = value
  const chosen = presetOf(value)
  const snoozed = useTaskCounts().data?.snoozed ?? 0
  const groups = useTaskGroups().data ?? []
  // Omit empty fields: a filter without fields is no filter.
  const change = (fields: TodoFilter) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...value, ...fields }).filter(([, one]) => one && String(one)),
      ),
    )
  const nameOf = (preset: Preset) =>
    preset === 'snoozed' && snoozed > 0
      ? m.tasks_look_snoozed_count({ count: snoozed })
      : presetName(preset)
  return (
    <div className="task-filters">
      <div className="task-tools">
        <IconButton
          label={m.tasks_search()}
          aria-expanded={searching}
          onClick={() => {
            if (searching) change({ keyWords: '' })
            setSearching(!searching)
          }}
        >
          <Icon name={searching ? 'close' : 'search'} />
        </IconButton>
        <Select
          small
          aria-label={m.tasks_filter()}
          value={chosen}
          onValue={(next) => {
            const preset = presets.find((one) => one === next) ?? 'all'
            onChange({ ...besides, ...filterOf[preset] })
          }}
        >
          {presets.map((preset) => (
            <option key={preset} value={preset}>
              {nameOf(preset)}
            </option>
          ))}
        </Select>
        {groups.length > 0 ? (
          <Select
            small
            aria-label={m.tasks_group()}
            value={value.tagGroup ?? ''}
            onValue={(tagGroup) => change({ tagGroup })}
          >
            <option value="">{m.tasks_group_all()}</option>
            {groups.map(({ id, name, open }) => (
              <option key={id} value={id}>
                {m.tasks_group_option({ name, count: open })}
              </option>
            ))}
          </Select>
        ) : null}
        <SourceFilter value={value.source ?? []} onChange={(source) => change({ source })} />
        <span className="task-tools-end">
          {several ? <Link to="/msgCenter/pages/task/todoBatch">{m.tasks_batch()}</Link> : null}
        </span>
      </div>
      {searching ? (
        <SearchForm
          label={m.tasks_search()}
          keyWords={value.keyWords ?? ''}
          onSearch={(keyWords) => change({ keyWords })}
        />
      ) : null}
    </div>
  )
}

const presetName = (preset: Preset) =>
  ({
    all: m.tasks_status_all,
    urgent: m.tasks_urgent,
    today: m.tasks_look_today,
    overdue: m.tasks_look_overdue,
    snoozed: m.tasks_look_snoozed,
  })[preset]()
