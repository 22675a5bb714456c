import { config } from '@atrium/contract/config'
import type { ConfigKey } from '@atrium/contract/config-keys'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setRequestTimeout } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'

/** Asked for at every start; meanwhile it seldom changes. */
const staleTime = 10 * 60_000

/** Names and tabs of the institution, once known. */
export function useSystem() {
  const { data } = useQuery({ ...q(config.system), staleTime })
  return {
    school: data ? inLanguage(data.schoolName, data.schoolNameEn) : '',
    logoUrl: data?.logoUrl ?? '',
    demo: data?.demo ?? false,
    footTabs: data?.footTabs ?? [],
    timeZone: data?.timeZone ?? 'Asia/Shanghai',
    version: data?.version ?? '',
    publicConfig: data?.publicConfig,
  }
}

type Settings = Partial<Record<ConfigKey, string>>

/** The platform configuration by key: a member's own answer, a visitor's from the system configuration. */
export function useSettings(): Settings {
  const session = useSession()
  const { publicConfig = [] } = useSystem()
  const { data } = useQuery({ ...q(config.detail), staleTime, enabled: session !== null })
  const settings = byKey((session && (data ?? read('platFormConfig'))) || publicConfig)
  useEffect(() => {
    if (data) write('platFormConfig', data)
  }, [data])
  useEffect(() => setRequestTimeout(Number(settings.requestTimeout)), [settings.requestTimeout])
  return settings
}

const known = new WeakMap<object, Settings>()
function byKey(list: { key: string; value: string }[]) {
  let settings = known.get(list)
  if (!settings) {
    settings = Object.fromEntries(list.map(({ key, value }) => [key, value]))
    known.set(list, settings)
  }
  return settings
}
