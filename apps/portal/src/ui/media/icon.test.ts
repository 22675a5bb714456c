import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { iconNames, toIconName } from './icon.tsx'

test('the icon names equal the symbols in icons.svg', async () => {
  const sheet = await readFile(join(import.meta.dirname, 'icons.svg'), 'utf8')
  const drawn = [...sheet.matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id)
  expect(drawn).toEqual([...iconNames])
})

test('an unknown icon name falls back to grid', () => {
  expect(toIconName('bus')).toBe('bus')
  expect(toIconName('unheard-of')).toBe('grid')
})
