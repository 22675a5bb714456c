import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Texts = Record<string, unknown>
const folder = import.meta.dirname
const textsOf = async (language: string, file: string): Promise<Texts> =>
  JSON.parse(await readFile(join(folder, language, file), 'utf8'))

const files = (await readdir(join(folder, 'zh'))).sort()

test('both languages have the same files, and the compiler settings list them all', async () => {
  expect((await readdir(join(folder, 'en'))).sort()).toEqual(files)
  const settings = JSON.parse(
    await readFile(join(folder, '../project.inlang/settings.json'), 'utf8'),
  )
  const known: string[] = settings['plugin.inlang.messageFormat'].pathPattern
  expect(known.map((pattern) => pattern.split('/').pop()).sort()).toEqual(files)
})

describe.each(files)('%s', (file) => {
  test('has the same keys in both languages', async () => {
    const [zh, en] = await Promise.all([textsOf('zh', file), textsOf('en', file)])
    expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort())
  })

  test('every key starts with the area name and contains only a-z, 0-9 and _', async () => {
    const area = file.replace('.json', '_').replaceAll('-', '_')
    const strays = Object.keys(await textsOf('zh', file)).filter(
      (key) => !key.startsWith(area) || /[^a-z0-9_]/.test(key),
    )
    expect(strays).toEqual([])
  })
})
