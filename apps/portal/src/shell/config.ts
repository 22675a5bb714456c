import type { ConfigKey } from '@atrium/contract/config-keys'
import { config, type SystemConf } from '@atrium/contract/shell/config'
import { hashKey, useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { setRequestTimeout } from '#lib/api.ts'
import { getLanguage, inLanguage } from '#lib/language.ts'
import { q, queryClient } from '#lib/queries.ts'
import { getSession, onSession, useSession } from '#lib/session.ts'
import { read, readText, write } from '#lib/storage.ts'

/** Fetched at every start and whenever the window regains focus, so that operators' changes reach open pages. */
const fetchOptions = { staleTime: 10 * 60_000, refetchOnWindowFocus: 'always' } as const

/** Fetches the configuration, once for the whole app; everything else reads it from the cache. */
export function ConfigLoader() {
  const isMember = useSession() !== null
  useQuery({ ...q(config.system), ...fetchOptions })
  const { data } = useQuery({ ...q(config.detail), ...fetchOptions, enabled: isMember })
  const { requestTimeout } = useSettings()
  useEffect(() => {
    if (data) write('platFormConfig', data)
  }, [data])
  useEffect(() => setRequestTimeout(Number(requestTimeout)), [requestTimeout])
  return null
}

/*
 * About half of a screen depends on settings. One query observer per use (some sixty on home) cost a phone more time
 * than drawing the page, so all uses share one subscription to the query cache.
 */
const cache = queryClient.getQueryCache()
const [systemHash, detailHash] = [config.system, config.detail].map((endpoint) =>
  hashKey(q(endpoint).queryKey),
) as [string, string]
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}
cache.subscribe(({ query }) => {
  if (query.queryHash === systemHash || query.queryHash === detailHash) notifyListeners()
})
onSession(notifyListeners)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const findSystem = () => cache.get<SystemConf>(systemHash)?.state.data
const findDetail = () => cache.get<Setting[]>(detailHash)?.state.data

/** The institution's time zone; the default until the system configuration has loaded. */
export const getTimeZone = () => findSystem()?.timeZone ?? 'Asia/Shanghai'

/** The institution's names, tabs and other system configuration; defaults until it has loaded. */
export function useSystem() {
  const data = useSyncExternalStore(subscribe, findSystem, findSystem)
  return {
    school: data ? inLanguage(data.schoolName, data.schoolNameEn) : '',
    logoUrl: data?.logoUrl ?? '',
    demo: data?.demo ?? false,
    footTabs: data?.footTabs ?? [],
    identityLabels: data?.identityLabels ?? {},
    timeZone: getTimeZone(),
    version: data?.version ?? '',
    publicConfig: data?.publicConfig,
  }
}

type Setting = { key: string; value: string }
type Settings = Partial<Record<ConfigKey, string>>

/** The platform configuration by key: the member's own, or for visitors the public part of the system configuration. */
export const useSettings = () => useSyncExternalStore(subscribe, getSettings, getSettings)

function getSettings(): Settings {
  const detail = getSession() && (findDetail() ?? readDetail())
  return settingsByKey(detail || findSystem()?.publicConfig || noSettings)
}
const noSettings: Setting[] = []

/** The member's stored configuration. Returns the same array until the stored text changes. */
function readDetail(): Setting[] | undefined {
  const text = readText('platFormConfig')
  if (text !== lastDetail.text) lastDetail = { text, list: read('platFormConfig') }
  return lastDetail.list
}
let lastDetail: { text: string | null; list: Setting[] | undefined } = {
  text: null,
  list: undefined,
}

/** The default search word, used when the search field is empty. Only in the reader's own language. */
export function useSearchWord() {
  const { defaultSearchWord, defaultSearchWordEn } = useSettings()
  return getLanguage() === 'en' ? defaultSearchWordEn : defaultSearchWord
}

/** The current value of one setting, for code outside components; empty while unknown. */
export const getSetting = (key: ConfigKey): string => getSettings()[key] ?? ''

const settingsCache = new WeakMap<object, Settings>()
export function settingsByKey(list: readonly Setting[]): Settings {
  let settings = settingsCache.get(list)
  if (!settings) {
    settings = Object.fromEntries(list.map(({ key, value }) => [key, value]))
    settingsCache.set(list, settings)
  }
  return settings
}
