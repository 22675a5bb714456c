import { useSettings } from '#shell/config.ts'

/** The setting eCardSets: everything is shown unless turned off. */
export function useCardSettings() {
  const sets = read(useSettings().eCardSets)
  const shows = (name: string) => String(sets[name] ?? '1') !== '0'
  return {
    showBalance: shows('showBalance'),
    payCode: shows('payCode'),
    flow: shows('flow'),
    limits: shows('limits'),
    freeze: shows('freeze'),
  }
}

function read(setting = '{}'): Record<string, unknown> {
  try {
    return Object(JSON.parse(setting))
  } catch {
    return {}
  }
}
