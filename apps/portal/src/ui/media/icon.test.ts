import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { iconNames, toIconName } from './icon.tsx'

test('every name is drawn, and every drawing has its name', async () => {
  const sheet = await readFile(join(import.meta.dirname, 'icons.svg'), 'utf8')
  const drawn = [...sheet.matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id)
  expect(drawn).toEqual([...iconNames])
})

test('a name from outside that nobody knows gets the general drawing', () => {
  expect(toIconName('bus')).toBe('bus')
  expect(toIconName('unheard-of')).toBe('grid')
})
