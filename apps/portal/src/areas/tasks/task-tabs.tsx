import './tasks.css'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/list-end.tsx'
import { QueryView } from '#shell/query-view.tsx'
import { Empty } from '#ui/empty.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { Level } from './levels.ts'
import { TaskRow } from './task-row.tsx'
import { type Filter, useLevels, useTaskCounts, useTaskList } from './tasks-queries.ts'

/** The member's tasks, by the levels the institution has chosen. */
export function TaskTabs() {
  const levels = useLevels()
  const [chosen, setChosen] = useState<Level>()
  const counts = useTaskCounts().data
  const level = chosen && levels.includes(chosen) ? chosen : (levels[0] ?? 'myTodo')
  const items = levels.map((value) => {
    // Only what waits is counted: tasks to handle, and copies not yet looked at.
    const waiting = value === 'myTodo' || value === 'myReaded' ? counts?.[value] : 0
    const label = levelName(value)
    return { value, label: <span className="num">{waiting ? `${label} ${waiting}` : label}</span> }
  })
  return (
    <Tabs look="line" label={m.tasks_levels()} items={items} value={level} onChange={setChosen}>
      <TaskList key={level} level={level} />
    </Tabs>
  )
}

function TaskList({ level }: { level: Level }) {
  const [part, setPart] = useState<string>()
  const parts = partsOf(level)
  const filter = { level, ...parts.find((one) => one.value === part)?.filter } as Filter
  const list = useTaskList(filter)
  return (
    <>
      {parts.length > 0 ? (
        <fieldset className="task-parts">
          <legend className="unseen">{m.tasks_filter()}</legend>
          {parts.map(({ value, label }) => (
            <button
              key={value ?? 'all'}
              type="button"
              aria-pressed={value === part}
              onClick={() => setPart(value)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      ) : null}
      <QueryView
        query={list}
        skeleton={<Skeleton rows={5} height={72} label={m.shell_loading()} />}
        isEmpty={({ pages }) => pages.every((page) => page.list.length === 0)}
        empty={
          <Empty icon={level === 'myTodo' ? 'check' : 'clipboard'} title={emptyTitle(level)}>
            {emptyText(level)}
          </Empty>
        }
      >
        {({ pages }) => (
          <>
            <ul className="task-lines" aria-label={levelName(level)}>
              {pages
                .flatMap((page) => page.list)
                .map((task) => (
                  <li key={task.id}>
                    <TaskRow task={task} level={level} />
                  </li>
                ))}
            </ul>
            <ListEnd query={list} />
          </>
        )}
      </QueryView>
    </>
  )
}

/** What a level's list can be narrowed to. */
function partsOf(level: Level): { value: string | undefined; label: string; filter?: object }[] {
  if (level === 'myRequest')
    return [
      { value: undefined, label: m.tasks_status_all() },
      { value: 'progress', label: m.tasks_status_progress(), filter: { status: 'progress' } },
      { value: 'finish', label: m.tasks_status_finish(), filter: { status: 'finish' } },
      { value: 'break', label: m.tasks_status_break(), filter: { status: 'break' } },
      { value: 'hang', label: m.tasks_status_hang(), filter: { status: 'hang' } },
    ]
  if (level === 'myReaded')
    return [
      { value: undefined, label: m.tasks_circulate_to_me(), filter: { circulate: 'toMe' } },
      { value: 'Meto', label: m.tasks_circulate_by_me(), filter: { circulate: 'Meto' } },
    ]
  return []
}

function levelName(level: Level) {
  switch (level) {
    case 'myTodo':
      return m.tasks_level_todo()
    case 'myDone':
      return m.tasks_level_done()
    case 'myRequest':
      return m.tasks_level_request()
    case 'myReaded':
      return m.tasks_level_read()
    case 'myDraft':
      return m.tasks_level_draft()
  }
}

const emptyTitle = (level: Level) =>
  level === 'myTodo' ? m.tasks_empty_todo() : m.tasks_empty({ level: levelName(level) })
const emptyText = (level: Level) =>
  level === 'myTodo' ? m.tasks_empty_todo_text() : m.tasks_empty_text()
