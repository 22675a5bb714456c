export function read(key: string) {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** Sets the same values as shell/preferences.ts does later. */
export function applyPreferences() {
  const page = document.documentElement
  const scheme =
    read('scheme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')
  page.dataset.scheme = scheme || 'light'
  const textSize = Number(read('textSize')) || 100
  page.style.fontSize = `${Math.min(200, Math.max(100, textSize))}%`
  if (read('contrast') === 'more') page.dataset.contrast = 'more'
}
