import type { ConfigKey } from '@atrium/contract/config-keys'
import { config } from '@atrium/contract/shell/config'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setRequestTimeout } from '#lib/api.ts'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { getSession, useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'

/** Asked for at every start and whenever the app shows again, so that what an operator changes reaches open pages. */
const asked = { staleTime: 10 * 60_000, refetchOnWindowFocus: 'always' } as const

/** Names and tabs of the institution, once known. */
export function useSystem() {
  const { data } = useQuery({ ...q(config.system), ...asked })
  return {
    school: data ? inLanguage(data.schoolName, data.schoolNameEn) : '',
    logoUrl: data?.logoUrl ?? '',
    demo: data?.demo ?? false,
    footTabs: data?.footTabs ?? [],
    identityLabels: data?.identityLabels ?? {},
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
  const { data } = useQuery({ ...q(config.detail), ...asked, enabled: session !== null })
  const settings = byKey((session && (data ?? read('platFormConfig'))) || publicConfig)
  useEffect(() => {
    if (data) write('platFormConfig', data)
  }, [data])
  useEffect(() => setRequestTimeout(Number(settings.requestTimeout)), [settings.requestTimeout])
  return settings
}

/** What an empty search looks for. A word to search for is of use in the reader's own language alone. */
export function useSearchWord() {
  const { defaultSearchWord, defaultSearchWordEn } = useSettings()
  return getLanguage() === 'en' ? defaultSearchWordEn : defaultSearchWord
}

/** One setting as it is known now, for what is not drawn; empty before anything is known. */
export function getSetting(key: ConfigKey): string {
  const detail = queryClient.getQueryData(q(config.detail).queryKey) ?? read('platFormConfig')
  const system = queryClient.getQueryData(q(config.system).queryKey)
  const settings = byKey((getSession() && detail) || system?.publicConfig || [])
  return settings[key] ?? ''
}

const known = new WeakMap<object, Settings>()
export function byKey(list: { key: string; value: string }[]) {
  let settings = known.get(list)
  if (!settings) {
    settings = Object.fromEntries(list.map(({ key, value }) => [key, value]))
    known.set(list, settings)
  }
  return settings
}
