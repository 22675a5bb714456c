import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { callContainer } from '#shell/container/container.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'

/**
 * The size of the data stored on the device, and in a host app its version. A container that cannot answer is not asked
 * again.
 */
export function DeviceRows() {
  const client = useQueryClient()
  const size = useQuery({ queryKey: [cache], queryFn: () => callContainer(cache), ...fetchOnce })
  const app = useQuery({ queryKey: [version], queryFn: () => callContainer(version), ...fetchOnce })
  const clear = async () => {
    try {
      await callContainer('sysCleanCache')
      client.removeQueries({ type: 'inactive' })
      toast(m.personal_cache_cleared())
      await client.invalidateQueries()
    } catch {
      toast(m.personal_cache_failed())
    }
  }
  const update = () =>
    callContainer('sysVersionUpdate').catch(() => toast(m.personal_update_failed()))
  return (
    <RowList>
      <li>
        <button type="button" className="list-row" onClick={() => void clear()}>
          <RowContent icon="trash" value={size.data && megabytes(size.data.bytes)}>
            {m.personal_clear_cache()}
          </RowContent>
        </button>
      </li>
      {app.data ? (
        <li>
          {app.data.newVersion ? (
            <button type="button" className="list-row" onClick={() => void update()}>
              <RowContent
                icon="download"
                value={m.personal_new_version({ version: app.data.newVersion })}
                leads
              >
                {m.personal_app_version()}
              </RowContent>
            </button>
          ) : (
            <div className="list-row">
              <RowContent icon="mobile" value={app.data.version}>
                {m.personal_app_version()}
              </RowContent>
            </div>
          )}
        </li>
      ) : null}
    </RowList>
  )
}

const cache = 'sysGetCacheSize'
const version = 'sysGetAppVersion'
const fetchOnce = { retry: false, staleTime: 0, gcTime: 0 }

/** To a tenth of a megabyte; undefined if less. */
const megabytes = (bytes: number) =>
  bytes < 104_858 ? undefined : `${formatNumber(Math.round(bytes / 104_857.6) / 10)} MB`
