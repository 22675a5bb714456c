import { read, remove, write } from '#lib/storage.ts'

export const textSizes = [100, 115, 130, 150, 175, 200] as const

/** How large text is, in percent of the device's own size. */
export const getTextSize = () => read('textSize') ?? 100
export function setTextSize(percent: number) {
  write('textSize', percent)
  applyPreferences()
}

export const getMoreContrast = () => read('contrast') === 'more'
export function setMoreContrast(more: boolean) {
  if (more) write('contrast', 'more')
  else remove('contrast')
  applyPreferences()
}

export function applyPreferences() {
  const root = document.documentElement
  root.style.fontSize = `${Math.min(200, Math.max(100, getTextSize()))}%`
  root.toggleAttribute('data-contrast', false)
  if (getMoreContrast()) root.setAttribute('data-contrast', 'more')
}
