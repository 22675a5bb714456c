import { expect, test } from 'vitest'
import { type ImportSettings, runImport } from '#platform/ingest/import.ts'
import { pinyinOf } from '#platform/text/pinyin.ts'
import { listening, ownDatabase, ownFolder } from '../../../../test/own-database.ts'
import { importServices } from './import-services.ts'

test('services are imported with types and audiences, and a second import changes nothing', async () => {
  const { url, db } = await ownDatabase()
  const files = ownFolder()
  await db
    .insertInto('identity_type')
    .values({ code: 'S01', name: '学生', name_en: 'Student' })
    .execute()
  const services = (content: string, settings: ImportSettings = listening()) =>
    runImport(url, settings, (run) => importServices(run, files.write('services.csv', content)))
  const content =
    'serviceNo,name,typeCode,typeName,url,audience,tags,needsVpn\nlib,图书馆,library,图书,https://lib.example.edu/,public,借书;还书,是\nscore,成绩,study,,/pages/score,identity:S01,,\n'

  expect(await services(content, { dryRun: true })).toMatchObject({ added: 2, written: false })
  expect(await db.selectFrom('service').selectAll().execute()).toEqual([])
  expect(await services(content)).toMatchObject({
    added: 2,
    notes: ['service types created: library, study'],
  })
  expect(
    await db.selectFrom('service').selectAll().where('service_no', '=', 'lib').executeTakeFirst(),
  ).toMatchObject({
    pinyin: 'tushuguan',
    initials: 'tsg',
    tags: ['借书', '还书'],
    needs_vpn: true,
    online: true,
  })
  expect(await services(content)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })

  // If the columns are missing, audience and tags stay unchanged.
  expect(
    await services('serviceNo,name,typeCode,url\nlib,图书馆,library,https://new.example.edu/\n'),
  ).toMatchObject({ changed: 1 })
  const rules = await db
    .selectFrom('service')
    .innerJoin('audience', 'audience.id', 'audience_id')
    .select(['rules', 'tags'])
    .where('service_no', '=', 'lib')
    .executeTakeFirst()
  expect(rules).toMatchObject({
    tags: ['借书', '还书'],
    rules: expect.arrayContaining([{ effect: 'include', kind: 'guests' }]),
  })

  const settings = listening()
  const bad =
    'serviceNo,name,typeCode,url,audience,organizationCode\na,a,t,javascript:x,,\nb,b,t,//x,,\nc,c,t,https://x,nobody,\nd,d,t,https://x,identity:NO,\ne,e,t,https://x,,NO\n'
  expect(await services(bad, settings)).toMatchObject({ skipped: 5, added: 0 })
  expect(settings.issues.map((issue) => issue.slice(0, 14))).toEqual([
    '2: url is “jav',
    '3: url is “//x',
    '4: audience is',
    '5: audience na',
    '6: organizatio',
  ])
  expect(
    await db.selectFrom('service_type').select('code').where('code', '=', 't').execute(),
  ).toEqual([])
})

test.each([
  ['重庆校友会', 'chongqingxiaoyouhui', 'cqxyh'],
  ['WPS 云文档', 'wpsyunwendang', 'wywd'],
])('the pinyin of %s is %s', (name, full, initials) => {
  expect(pinyinOf(name)).toEqual({ pinyin: full, initials })
})
