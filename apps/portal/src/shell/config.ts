import { config } from '@atrium/contract/config'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setRequestTimeout } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'

/** Names and tabs of the institution, once known. */
export function useSystem() {
  const { data } = useQuery({ ...q(config.system), staleTime: 10 * 60_000 })
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

/** The platform configuration by key: a member's own answer, a visitor's from the system configuration. */
export function useSettings(): Record<string, string> {
  const session = useSession()
  const { publicConfig } = useSystem()
  const { data } = useQuery({
    ...q(config.detail),
    staleTime: 10 * 60_000,
    enabled: session !== null,
  })
  useEffect(() => {
    if (data) write('platFormConfig', data)
  }, [data])
  const settings = (session ? (data ?? read('platFormConfig')) : publicConfig) ?? []
  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  const timeout = Number(values.requestTimeout)
  useEffect(() => setRequestTimeout(timeout), [timeout])
  return values
}
