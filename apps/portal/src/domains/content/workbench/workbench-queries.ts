import { type WorkbenchPart, workbench } from '@atrium/contract/content/workbench.operator'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'
import { hrefOf } from '#shell/navigation/navigation.ts'

/** The query parameters for a department; empty for all of the user's departments. */
export const inDepartment = (department: string | undefined) => ({
  ...(department && { department }),
})

export const useWorkbench = (department: string | undefined) =>
  useQuery(q(workbench.read, { query: inDepartment(department) }))

/** The user's departments and the possible audiences. They rarely change. */
export const useDepartments = () =>
  useQuery({ ...q(workbench.audiences, { query: {} }), staleTime: 10 * 60_000 })

/** The address of the full list of a part. */
export function partTarget(part: WorkbenchPart, department: string | undefined) {
  switch (part) {
    case 'articles':
      return hrefOf('/pages/secondWork/news/news', { department, state: 'review' })
    case 'announcements':
      return hrefOf('/pages/secondWork/gonggao/gonggaoList', { department, state: 'review' })
    case 'confirmations':
      return hrefOf('/pages/secondWork/gonggao/gonggaoList', { department, state: 'confirming' })
    case 'letters':
      return hrefOf('/pages/secondWork/letters', { department, state: 'waiting' })
    case 'feedback':
      return hrefOf('/pages/secondWork/feedback', { department, state: 'waiting' })
    case 'opinions':
      return hrefOf('/pages/secondWork/service/opinions', { department })
    case 'services':
      return hrefOf('/pages/secondWork/service/serviceSet', { department, state: 'trouble' })
    case 'events':
      return hrefOf('/pages/secondWork/calendar/schedule', { department, view: 'week' })
  }
}
