import type { taskIntegration } from '@atrium/contract/work/task-integration'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { putTasks, removeTasks } from './put-tasks.ts'
import { listOutcomes } from './queries.ts'
import { sourceOfSystem } from './sources.ts'

type Request = { integrator: string | undefined }
const systemOf = ({ integrator }: Request) => integrator ?? fail('session.forbidden')

export const taskIntegrationHandlers: Handlers<typeof taskIntegration> = {
  put: ({ platform, request, body: { tasks } }) =>
    platform.db
      .transaction()
      .execute(async (db) => putTasks(db, await sourceOfSystem(db, systemOf(request)), tasks)),

  remove: ({ platform, request, body: { keys } }) =>
    platform.db.transaction().execute(async (db) => ({
      removed: await removeTasks(db, await sourceOfSystem(db, systemOf(request)), keys),
    })),

  async outcomes({ platform, db, request, query }) {
    const source = await sourceOfSystem(db, systemOf(request))
    return listOutcomes(platform, source.id, query)
  },
}
