import { tasks } from '@atrium/contract/work/tasks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pages, q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { setCount } from '#shell/badge.ts'
import { useSettings } from '#shell/config.ts'
import { useAction } from '#shell/page/action.ts'
import { type Level, levelsOf } from './levels.ts'

/** The top-level tabs that the institution has configured. */
export const useLevels = () => levelsOf(useSettings().ENV_APP_TODO_MODULE_SETTING)

/** The number of tasks per level; also updates the tab bar's count. */
export function useTaskCounts() {
  const enabled = useSession() !== null
  const query = useQuery({ ...q(tasks.counts), enabled, refetchOnWindowFocus: true })
  const { data, dataUpdatedAt } = query
  useEffect(() => {
    if (data) setCount('todo', data.myTodo, dataUpdatedAt)
  }, [data, dataUpdatedAt])
  return query
}

export type Filter = {
  level: Level
  status?: 'progress' | 'finish' | 'break' | 'hang'
  circulate?: 'toMe' | 'Meto'
  keyWords?: string
  urgent?: boolean
  due?: 'overdue' | 'today'
  snoozed?: boolean
  tagGroup?: string
  source?: string[]
}
export const useTaskList = (filter: Filter) =>
  useInfiniteQuery(pages(tasks.list, { query: filter }))

export const useTask = (id: string) => useQuery(q(tasks.read, { params: { id } }))
export const useTaskRecords = (id: string) => useQuery(q(tasks.records, { params: { id } }))
export const useTaskSources = () => useQuery(q(tasks.sources)).data ?? []

/** Marks a copy as read; failures are ignored. */
export const useMarkRead = () =>
  useAction(tasks.handle, { invalidates: [tasks.list, tasks.counts], failed: () => true })
