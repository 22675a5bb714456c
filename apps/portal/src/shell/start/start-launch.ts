import { config } from '@atrium/contract/shell/config'
import { launch } from '@atrium/contract/shell/launch'
import { eligibleOpeningPages } from '@atrium/rules/opening-page'
import { call } from '#lib/api.ts'
import { q, queryClient } from '#lib/queries.ts'
import { getSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { withTimeout } from '#shell/with-timeout.ts'

/* Pages shown before home. Loaded only if the configuration turns them on, which most starts do not need. */

/** Whether opening pages are due; stores them on the device, where their page reads them. */
export async function findOpeningPages(signedIn: boolean) {
  const listed = await withTimeout(
    call(signedIn ? launch.openingPages : launch.visitorOpeningPages),
  )
  const system = queryClient.getQueryData(q(config.system).queryKey)
  const due = eligibleOpeningPages(listed ?? [], {
    shown: read('opnePageFrequency')?.[getSession()?.accountId ?? ''] ?? [],
    now: new Date(),
    zone: system?.timeZone ?? 'Asia/Shanghai',
    terminal: '6',
  })
  if (due.length === 0) return false
  // A new list: nothing shown yet in this session. The total counts are kept.
  write(signedIn ? 'opnePageList' : 'touristOpnePageList', due)
  write('openPageids', [])
  return true
}

/** Whether there is a diversion page; stores the first one. */
export async function findDiversion() {
  const listed = await withTimeout(call(launch.diversions, { query: { terminal: '6' } }))
  const first = listed?.[0]
  if (!first) return false
  write('fenliuInfo', first)
  return true
}
