import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { openCommand } from '../../../test/command.ts'
import { openModelServer, plainly, words } from '../../../test/model-server.ts'
import { ownFolder } from '../../../test/own-database.ts'
import { testApp } from '../../../test/test-app.ts'
import { answers, openTranslationServer } from '../../../test/translation-server.ts'

// Each command starts a process, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const files = ownFolder()
const { url, platform } = await testApp()
const { atrium } = openCommand(url, files.folder)
const fileWith = (name: string, text: string) => {
  const file = path.join(files.folder, name)
  writeFileSync(file, text)
  return file
}
const online = async (from: string) =>
  (
    await platform.db
      .selectFrom('knowledge_question')
      .select('question')
      .where('source', '=', from)
      .where('online', '=', true)
      .orderBy('id')
      .execute()
  ).map(({ question }) => question)

test('a language model is set up, tested and disabled; its key is never shown', async () => {
  const model = await openModelServer()
  const open = { ATRIUM_OUTBOUND_ALLOW: model.allow }
  try {
    expect(await atrium(['assistant', 'test'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('No AI model is set up.'),
    })
    const at = ['assistant', 'set', '--address', model.address]
    expect(await atrium([...at, '--model', 'small-1', '--enable'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW does not allow'),
    })
    const all = [...at, '--model', 'small-1', '--per-member', '30', '--key-stdin', '--enable']
    const set = await atrium(all, 'a-secret-key\n', open)
    expect(set).toMatchObject({ code: 0 })
    expect(set.output).toContain(`on: small-1 at ${model.address}, with a key`)
    expect(set.output).toContain('30 questions per member')
    expect((await atrium(['assistant', 'show'])).output).not.toContain('a-secret-key')

    model.does(words('ok'))
    const tried = await atrium(['assistant', 'test'], '', open)
    expect(tried).toMatchObject({ code: 0, output: expect.stringContaining('It answers') })
    expect(model.asked[0]?.headers.authorization).toBe('Bearer a-secret-key')
    model.does(plainly(401, 'application/json', '{"error":{"message":"bad key"}}'))
    expect(await atrium(['assistant', 'test'], '', open)).toMatchObject({ code: 1 })

    expect((await atrium(['assistant', 'set', '--disable'])).output).toMatch(/^off: small-1/)
    for (const [option, value] of [
      ['--seconds', '1'],
      ['--per-member', 'many'],
      ['--sends', 'passwords'],
      ['--address', 'ftp://models.example.edu'],
    ] as const)
      expect(await atrium(['assistant', 'set', option, value]), option).toMatchObject({
        code: 1,
        output: expect.stringContaining(option),
      })
  } finally {
    await model.close()
  }
})

test('a translation service is set up, tested and disabled; its key is not shown', async () => {
  const machine = await openTranslationServer()
  const open = { ATRIUM_OUTBOUND_ALLOW: machine.allow }
  try {
    expect(await atrium(['translation', 'test'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('No translation service is set up.'),
    })
    const at = ['translation', 'set', '--address', machine.address, '--enable']
    expect(await atrium(at)).toMatchObject({
      code: 1,
      output: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW does not allow'),
    })
    const set = await atrium(
      [...at, '--kinds', 'article', 'message', '--chinese', 'zh-Hans', '--key-stdin'],
      'a-secret-key\n',
      open,
    )
    expect(set).toMatchObject({ code: 0 })
    expect(set.output).toContain(`on: ${machine.address}, with a key`)
    expect(set.output).toContain('article, message; code for Chinese: zh-Hans')
    expect(set.output).not.toContain('a-secret-key')

    expect(await atrium(['translation', 'test'], '', open)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Translated, 2 letters'),
    })
    expect(machine.asked[0]).toMatchObject({ source: 'zh-Hans', api_key: 'a-secret-key' })
    machine.does((response) => answers(response, { error: 'bad key' }, 403))
    expect(await atrium(['translation', 'test'], '', open)).toMatchObject({ code: 1 })
    expect((await atrium(['translation', 'set', '--disable'])).output).toMatch(/^off: /)
    expect(await atrium(['translation', 'set', '--kinds', 'letter'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('letter is not one of article, message'),
    })
  } finally {
    await machine.close()
  }
})

test('import faq reads questions from Markdown; --prune takes removed ones offline', async () => {
  const faq = fileWith(
    'faq.md',
    '# 借书\n\n## 一次能借几本？\n\n本科生 20 本。\n\n## 逾期怎么办？\n\n到服务台办理。\n',
  )
  const command = ['import', 'faq', faq, '--audience', 'everybody']
  expect(await atrium([...command, '--dry-run'])).toMatchObject({ code: 0 })
  expect(await online(faq)).toEqual([])
  expect(await atrium(command)).toMatchObject({ code: 0 })
  expect(await online(faq)).toEqual(['一次能借几本？', '逾期怎么办？'])

  fileWith('faq.md', '## 一次能借几本？\n\n本科生 25 本。\n')
  const pruned = await atrium([...command, '--prune'])
  expect(pruned).toMatchObject({ code: 0, output: expect.stringContaining('taken offline: 1') })
  expect(await online(faq)).toEqual(['一次能借几本？'])

  expect(await atrium([...command, '--organization', 'NOWHERE'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('there is no organisation NOWHERE'),
  })
  expect(await atrium(['import', 'faq', fileWith('none.md', 'words')])).toMatchObject({
    code: 1,
    output: expect.stringContaining('contains no questions'),
  })
})
