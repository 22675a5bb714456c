import { files } from '@atrium/contract/content/files'
import type { Area } from '#platform/area.ts'
import { withMultipart } from '#platform/http/scopes.ts'
import { serve } from '#platform/http/serve.ts'
import { collectFiles } from './collect-garbage.ts'
import { fileHandlers } from './handlers.ts'
import { startOfficeConverter } from './office.ts'
import { filesPersonalData } from './personal-data.ts'
import { rescanQuarantined } from './rescan-quarantine.ts'
import { serveResumable } from './resumable.ts'
import { filesSearch } from './search-source.ts'

export const filesArea: Area = {
  name: 'files',
  async serve(app, host) {
    await withMultipart(app, async (scope) => {
      serve(scope, host, files, fileHandlers)
    })
    await serveResumable(app, host)
  },
  jobs: (platform) => [
    { name: 'files-collect', cron: '10 19 * * *', run: () => collectFiles(platform) },
    { name: 'files-scan', cron: '* * * * *', run: () => rescanQuarantined(platform) },
  ],
  personalData: filesPersonalData,
  workers: (platform) => [startOfficeConverter(platform)],
  search: filesSearch,
}
