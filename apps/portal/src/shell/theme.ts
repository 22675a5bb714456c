import { launch, type Theme } from '@atrium/contract/shell/launch'
import { themeValidAt } from '@atrium/rules/theme-validity'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '#lib/queries.ts'
import { read, remove, write } from '#lib/storage.ts'
import { useSettings, useSystem } from './config.ts'

/**
 * The festival theme while it is valid. Until the server has answered, the stored one from the last start is used, also
 * only while valid. The stored copy is removed if there is no theme or themes are turned off.
 */
export function useTheme(): Theme | undefined {
  const settings = useSettings()
  const { timeZone } = useSystem()
  const setting = settings.ENV_ENABLE_MOBILE_FESTIVAL_THEME
  const { data } = useQuery({
    ...q(launch.theme),
    enabled: setting === '1',
    staleTime: 10 * 60_000,
    refetchOnWindowFocus: 'always',
  })
  const reset = setting === '0' || data === null
  useEffect(() => {
    if (reset) remove('cache_theme_tabbarConfig')
    else if (data) write('cache_theme_tabbarConfig', data)
  }, [data, reset])
  if (setting !== '1') return undefined
  const theme = data === undefined ? read('cache_theme_tabbarConfig') : data
  return theme && themeValidAt(theme.validLists, new Date(), timeZone) ? theme : undefined
}

/** Mourning mode turns every page grey: the member's own setting, or for visitors the institution's. */
export function useMourning() {
  const { ENV_APP_MOURNING_MODE } = useSettings()
  useEffect(() => {
    document.documentElement.toggleAttribute('data-mourning', ENV_APP_MOURNING_MODE === '1')
  }, [ENV_APP_MOURNING_MODE])
}
