import { setImmediate } from 'node:timers/promises'
import type { TaskConnector, TaskTrial } from '@atrium/contract/work/task-connector'
import type { SourceTask } from '@atrium/contract/work/task-integration'
import type { Db } from '#platform/database/db.ts'
import { readPages } from './connector-list.ts'
import { mapTask } from './connector-mapping.ts'
import { createRequester } from './connector-request.ts'
import { findPeople } from './people.ts'

type ReadOptions = { allow: string | undefined; timeZone: string; etag?: string | undefined }

/** Maximum problems named in a remark. */
const maxNamedProblems = 3

export type List = {
  tasks: SourceTask[]
  /** of all listed tasks, including those that could not be read */
  keys: string[]
  unread: number
  /** The list is complete: tasks not in it may be ended. */
  mayEnd: boolean
  isPaged: boolean
  /** for operators to check, or empty */
  remark: string
  etag: string | undefined
}

/**
 * Reads the whole list of a system.
 * @returns undefined if unchanged
 * @throws Error explaining why it cannot be read
 */
export async function listByConnector(
  connector: TaskConnector,
  secret: string | undefined,
  { allow, timeZone, etag }: ReadOptions,
): Promise<List | undefined> {
  const request = createRequester(connector, secret, allow)
  const tasks = new Map<string, SourceTask>()
  const keys = new Set<string>()
  const remarks: string[] = []
  let [unread, problems, duplicates, pages] = [0, 0, 0, 0]
  let mayEnd = true
  let newEtag: string | undefined
  for await (const page of readPages(request, connector, etag)) {
    pages = page.number
    newEtag = page.etag
    for (const [index, item] of page.items.entries()) {
      const place = `${connector.items}/${index}`
      const mapped = mapTask(connector, item, { place, timeZone })
      // Let other requests on this node proceed.
      if (index % 500 === 499) await setImmediate()
      for (const { at, field, text } of mapped.problems)
        if (++problems <= maxNamedProblems)
          remarks.push(`page ${page.number}, ${at} (${field}) ${text}`)
      if (!mapped.task) unread++
      // A task without a key could be any of ours.
      if (mapped.key === undefined) mayEnd = false
      else if (keys.has(mapped.key)) {
        if (++duplicates === 1) remarks.push(`${mapped.key} is listed twice`)
      } else keys.add(mapped.key)
      if (mapped.task) tasks.set(mapped.task.key, mapped.task)
    }
    if (page.last && page.moved) remarks.push('the list changed while it was read')
    if (page.moved || duplicates > 0) mayEnd = false
  }
  if (pages === 0) return undefined
  if (problems > maxNamedProblems) remarks.push(`${problems - maxNamedProblems} more problems`)
  if (!mayEnd) remarks.push('no tasks were ended')
  const isPaged = pages > 1 && ['page', 'offset'].includes(connector.paging.kind)
  const remark = remarks.join('; ')
  return {
    tasks: [...tasks.values()],
    keys: [...keys],
    unread,
    mayEnd,
    isPaged,
    remark,
    etag: newEtag,
  }
}

/** Two pages prove that paging works. */
const maxTrialPages = 2
const [maxTasks, maxProblems] = [50, 100]

/** Reads the first pages without storing anything. */
export async function tryConnector(
  db: Db,
  connector: TaskConnector,
  secret: string | undefined,
  { allow, timeZone }: ReadOptions,
): Promise<TaskTrial> {
  const trial: TaskTrial = {
    pages: 0,
    listed: 0,
    more: false,
    issue: '',
    tasks: [],
    problems: [],
    unknown: [],
  }
  const tasks: SourceTask[] = []
  const keys = new Set<string>()
  try {
    for await (const page of readPages(createRequester(connector, secret, allow), connector)) {
      trial.pages = page.number
      trial.listed += page.items.length
      trial.more = !page.last
      for (const [index, item] of page.items.entries()) {
        const place = `${connector.items}/${index}`
        const { task, key, problems } = mapTask(connector, item, { place, timeZone })
        if (key !== undefined && keys.has(key))
          problems.push({ at: place, field: '/task/key', text: `“${key}” is listed twice` })
        if (key !== undefined) keys.add(key)
        trial.problems.push(...problems.map((problem) => ({ page: page.number, ...problem })))
        if (task) tasks.push(task)
      }
      if (page.number === maxTrialPages) break
    }
  } catch (error) {
    trial.issue = (error as Error).message.slice(0, 500)
  }
  const people = await findPeople(db, tasks)
  return {
    ...trial,
    tasks: tasks.slice(0, maxTasks).map(trialLine),
    problems: trial.problems.slice(0, maxProblems),
    unknown: [...new Set(tasks.flatMap(people.unknownOf))].slice(0, maxProblems),
  }
}

const trialLine = ({ key, title, status, applicant, steps, dueAt, url }: SourceTask) => ({
  key,
  title,
  status,
  applicant: applicant.username ?? applicant.number ?? applicant.person ?? '',
  assignees: steps.map(({ username, number, person }) => username ?? number ?? person ?? ''),
  dueAt: dueAt ?? '',
  url,
  actions: steps[0]?.actions.map(({ code }) => code) ?? [],
})
