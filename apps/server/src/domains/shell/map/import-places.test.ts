import { expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { importPlaces } from './import-places.ts'

test('places are imported, and a later import changes only what differs', async () => {
  const { url, db } = await ownDatabase()
  const files = ownFolder()
  const places = (content: string, settings = listening()) =>
    runImport(url, settings, (run) => importPlaces(run, files.write('places.csv', content)))
  const content =
    '编号,名称,英文名,纬度,经度,类别,地址\nlib,图书馆,Library,29.4312,120.2846,图书馆,学府路 1 号\ngate,南门,,29.4265,120.2847,gate,\n'

  expect(await places(content)).toMatchObject({ added: 2, skipped: 0 })
  expect(await places(content)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  expect(await places('code,name,latitude,longitude\nlib,图书馆,29.5,120.2846\n')).toMatchObject({
    changed: 1,
  })
  expect(
    await db.selectFrom('place').selectAll().where('code', '=', 'lib').executeTakeFirst(),
  ).toMatchObject({ latitude: 29.5, kind: 'library', name_en: 'Library', address: '学府路 1 号' })
})

test('opening hours are imported, kept if a file has none and rejected if invalid', async () => {
  const { url, db } = await ownDatabase()
  const files = ownFolder()
  const issues: string[] = []
  const places = (content: string) =>
    runImport(url, { onIssue: (row, sentence) => void issues.push(`${row} ${sentence}`) }, (run) =>
      importPlaces(run, files.write('places.csv', content)),
    )
  const hoursOf = async (code: string) =>
    (await db.selectFrom('place').select('hours').where('code', '=', code).executeTakeFirst())
      ?.hours
  const head = '编号,名称,纬度,经度,开放时间\n'
  expect(
    await places(
      `${head}lib,图书馆,29.4,120.2,Mo-Fr 08:00-22:00; Sa-Su 09:00-21:00\nicu,急诊,29.4,120.2,24/7\n`,
    ),
  ).toMatchObject({ added: 2, skipped: 0 })
  expect(await hoursOf('lib')).toBe('Mo-Fr 08:00-22:00; Sa-Su 09:00-21:00')
  expect(await hoursOf('icu')).toBe('24/7')
  await places('code,name,latitude,longitude\nlib,图书馆,29.5,120.2\n')
  expect(await hoursOf('lib')).toBe('Mo-Fr 08:00-22:00; Sa-Su 09:00-21:00')
  expect(await places(`${head}lib,图书馆,29.4,120.2,八点到十点\n`)).toMatchObject({ skipped: 1 })
  expect(issues.at(-1)).toContain('opening hours such as')
})

test('a row with invalid coordinates or an unknown kind is reported and skipped', async () => {
  const { url } = await ownDatabase()
  const files = ownFolder()
  const issues: string[] = []
  const file = files.write(
    'places.csv',
    'code,name,latitude,longitude,kind\na,A,91,0,\nb,B,0,181,\nc,C,x,0,\nd,D,0,0,castle\ne,E,-1.5,2,\n',
  )
  const report = await runImport(
    url,
    { onIssue: (row, sentence) => void issues.push(`${row} ${sentence}`) },
    (run) => importPlaces(run, file),
  )
  expect(report).toMatchObject({ added: 1, skipped: 4 })
  expect(issues).toHaveLength(4)
  expect(issues[0]).toContain('degrees from -90 to 90')
})
