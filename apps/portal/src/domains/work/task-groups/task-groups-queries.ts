import { taskGroups } from '@atrium/contract/work/task-groups'
import { useQuery } from '@tanstack/react-query'
import { q } from '#lib/queries.ts'

export const useTaskGroups = () => useQuery(q(taskGroups.list))
