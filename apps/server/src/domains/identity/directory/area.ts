import { directories } from '@atrium/contract/identity/directory'
import { passwordSources } from '#domains/identity/identity/extensions.ts'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { verifyWithDirectory } from './check-password.ts'
import { directoryHandlers } from './console-handlers.ts'
import { directoryPersonalData } from './personal-data.ts'
import { findPasswordHome, listDirectories } from './queries.ts'
import { deleteOldRuns, importOnSchedule } from './runs.ts'

export const directoryArea: Area = {
  name: 'directory',
  serve(app, host) {
    serve(app, host, directories, directoryHandlers)
  },
  jobs: (platform) => {
    const { db } = platform
    return [
      {
        name: 'directory-import',
        schedules: async () =>
          (await listDirectories(db)).flatMap(({ code, settings: { schedule } }) =>
            schedule ? [{ key: code, cron: schedule }] : [],
          ),
        run: (code) => importOnSchedule(platform, code),
      },
      {
        name: 'directory-clear',
        cron: '40 3 * * *',
        run: async () => void (await deleteOldRuns(db)),
      },
    ]
  },
  personalData: directoryPersonalData,
  extend() {
    passwordSources.provide({
      check: verifyWithDirectory,
      managesPasswordOf: async (db, personId) =>
        (await findPasswordHome(db, personId)) !== undefined,
    })
  },
}
