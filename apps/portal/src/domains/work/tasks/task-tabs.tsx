import './tasks.css'
import type { TaskLine } from '@atrium/contract/work/tasks'
import { useState } from 'react'
import { usePreloadedHandleDialog } from '#domains/work/task-handling/handling.tsx'
import { WaitingNotes } from '#domains/work/task-handling/waiting-note.tsx'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { Level, LevelSetting, Part } from './levels.ts'
import { TaskRow } from './task-row.tsx'
import { useLevels, useTaskCounts, useTaskList } from './tasks-queries.ts'
import { type TodoFilter, TodoFilters } from './todo-filters.tsx'

/** The member's tasks, by the levels that the institution has configured. */
export function TaskTabs() {
  usePreloadedHandleDialog()
  const levels = useLevels()
  const [chosen, setChosen] = useState<Level>()
  const counts = useTaskCounts().data
  const shown = levels.find(({ level }) => level === chosen) ?? levels[0]
  const items = levels.map(({ level: value }) => {
    // Only open items are counted: tasks to handle, and unread copies.
    const waiting = value === 'myTodo' || value === 'myReaded' ? counts?.[value] : 0
    const label = levelName(value)
    return { value, label: <span className="num">{waiting ? `${label} ${waiting}` : label}</span> }
  })
  if (!shown) return null
  return (
    <>
      <nav className="task-ways" aria-label={m.tasks_ways()}>
        <Link className="task-way" to="/msgCenter/pages/task/personaltodo">
          <Icon name="check" />
          {m.todos_title()}
        </Link>
        <Link className="task-way" to="/msgCenter/pages/task/applications">
          <Icon name="edit" />
          {m.applications_title()}
        </Link>
        <Link className="task-way" to="/msgCenter/pages/task/delegations">
          <Icon name="people" />
          {m.delegations_title()}
        </Link>
      </nav>
      <WaitingNotes />
      <Tabs
        variant="line"
        label={m.tasks_levels()}
        items={items}
        value={shown.level}
        onChange={setChosen}
      >
        <TaskList key={shown.level} {...shown} />
      </Tabs>
    </>
  )
}

function TaskList({ level, parts, initial }: LevelSetting) {
  const [chosen, choose] = useState<Part>()
  const part = chosen && parts.includes(chosen) ? chosen : initial
  const [filter, setFilter] = useState<TodoFilter>({})
  const isTodo = level === 'myTodo'
  const list = useTaskList({ level, ...(part && filterOf(part)), ...(isTodo && filter) })
  const narrowed = isTodo && Object.keys(filter).length > 0
  return (
    <>
      {isTodo ? (
        <TodoFilters
          value={filter}
          onChange={setFilter}
          several={hasSeveral(list.data?.pages.flatMap((page) => page.list) ?? [])}
        />
      ) : null}
      {parts.length > 1 ? (
        <fieldset className="task-parts">
          <legend className="unseen">{m.tasks_filter()}</legend>
          {parts.map((one) => (
            <button key={one} type="button" aria-pressed={one === part} onClick={() => choose(one)}>
              {partName(one)}
            </button>
          ))}
        </fieldset>
      ) : null}
      <QueryView
        query={list}
        skeleton={<Skeleton rows={5} height={72} label={m.shell_loading()} />}
        isEmpty={({ pages }) => pages.every((page) => page.list.length === 0)}
        empty={
          narrowed ? (
            <Empty
              icon="search"
              title={m.tasks_none_found()}
              action={
                <Button kind="plain" small onClick={() => setFilter({})}>
                  {m.tasks_show_all()}
                </Button>
              }
            />
          ) : (
            <Empty icon={isTodo ? 'check' : 'clipboard'} title={emptyTitle(level)}>
              {emptyText(level)}
            </Empty>
          )
        }
      >
        {({ pages }) => (
          <>
            <ul className="task-lines" aria-label={levelName(level)}>
              {pages
                .flatMap((page) => page.list)
                .map((task) => (
                  <TaskRow key={task.id} task={task} level={level} />
                ))}
            </ul>
            <ListEnd query={list} />
          </>
        )}
      </QueryView>
    </>
  )
}

/** Whether several tasks can be handled here. */
const hasSeveral = (list: readonly TaskLine[]) =>
  list.filter(({ actions }) => actions.length > 0).length > 1

function filterOf(part: Part) {
  if (part === 'all') return {}
  return part === 'toMe' || part === 'Meto' ? { circulate: part } : { status: part }
}

const partName = (part: Part) =>
  ({
    all: m.tasks_status_all,
    progress: m.tasks_status_progress,
    finish: m.tasks_status_finish,
    break: m.tasks_status_break,
    hang: m.tasks_status_hang,
    toMe: m.tasks_circulate_to_me,
    Meto: m.tasks_circulate_by_me,
  })[part]()

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
