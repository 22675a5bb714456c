import { newsConsole } from '@atrium/contract/content/editorial.operator'
import { files, type UploadedFile } from '@atrium/contract/content/files'
import { news, notices } from '@atrium/contract/content/news'
import { catalogue } from '@atrium/contract/services/service-catalogue.operator'
import { services } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { settings, tabs } from '@atrium/contract/shell/config.operator'
import { launch } from '@atrium/contract/shell/launch'
import { diversions, openingPages, slides, themes } from '@atrium/contract/shell/launch.operator'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, declared, type TestApp, testApp } from '../../../../test/test-app.ts'
import { collectFiles } from './collect-garbage.ts'

let app: TestApp
let operator: Caller
let second: Caller
let student: Caller
let teacher: Caller
beforeAll(async () => {
  app = await testApp()
  const { db, topics } = app.platform
  const staff = await findAccountByUsername(db, 'staff')
  await insertGrants(db, staff?.id ?? '', ['content'])
  await db.deleteFrom('launch_item').execute()
  await topics.flushed()
  operator = await app.as('admin')
  second = await app.as('staff')
  student = await app.as('student')
  teacher = await app.as('teacher')
})

const everybody = [{ kind: 'everybody' }]
const visitors = [{ kind: 'everybody' }, { kind: 'guests' }]
const teachers = [{ kind: 'identity', target: 'T01' }]

let shade = 0
async function upload(who: 'admin' | 'student', name = 'picture.png') {
  shade += 1
  const picture = sharp({
    create: { width: 40, height: 30, channels: 3, background: { r: shade, g: 90, b: 20 } },
  })
  const bytes = name.endsWith('.png') ? await picture.png().toBuffer() : Buffer.from(`${shade}`)
  const response = await app.app.inject({
    method: 'POST',
    url: files.upload.path,
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      'x-id-token': await app.tokenOf(who),
    },
    payload: Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]),
  })
  expect(response.statusCode).toBe(200)
  return response.json().data as UploadedFile
}
/** As a browser requests it: by address alone, without headers. */
const statusOf = async (address: string) =>
  (await app.app.inject({ url: address.replaceAll('&amp;', '&') })).statusCode
const plainAddress = (file: { id: string }) => `/files/${file.id}`

/** All addresses of this file in an answer. */
function addressesOf(answer: { raw: string }, { id }: { id: string }): string[] {
  const text = decodeURIComponent(answer.raw.replaceAll('%', '%25')).replaceAll('\\"', '"')
  return [
    ...text.matchAll(
      new RegExp(`"(/(?:thumbor/[^"]*?)?/?(?:files/|%2Ffiles%2F)${id}(?![0-9])[^"]*)"`, 'g'),
    ),
  ].map(([, address]) => address ?? '')
}
async function expectSeen(answer: { raw: string }, file: { id: string }) {
  const found = addressesOf(answer, file)
  expect(found.length, `an address of ${file.id} in ${answer.raw.slice(0, 2000)}`).toBeGreaterThan(
    0,
  )
  for (const address of found) expect([address, await statusOf(address)]).toEqual([address, 200])
}
const expectNothing = (answer: { raw: string }, file: { id: string }) =>
  expect(addressesOf(answer, file)).toEqual([])

describe('files used by published content', () => {
  test.each([
    ['members', everybody],
    ['visitors', visitors],
  ])('are readable in pages, slides and themes for %s', async (who, audience) => {
    const pictures = await Promise.all([1, 2, 3, 4].map(() => upload('admin')))
    const [page, place, slide, theme] = pictures as [
      UploadedFile,
      UploadedFile,
      UploadedFile,
      UploadedFile,
    ]
    for (const file of pictures) expect(await statusOf(plainAddress(file))).toBe(404)
    const made = [
      await operator(openingPages.create, {
        body: { title: '校庆', contentUrl: page.url, audience },
      }),
      await operator(diversions.create, {
        body: {
          title: '去哪里',
          destinations: [{ title: '服务', imageUrl: place.url, link: '/pages/tab/service/index' }],
          audience,
        },
      }),
      await operator(slides.create, {
        body: { title: '选课', imageUrl: plainAddress(slide), audience },
      }),
      await operator(themes.create, {
        body: {
          name: '春节',
          footTabs: [{ text: '首页', iconPath: theme.url, selectedIconPath: plainAddress(theme) }],
          validLists: [{ validTimeType: 'permanent' }],
          audience,
        },
      }),
    ]
    for (const { status, raw } of made)
      expect([status, raw]).toEqual([200, expect.not.stringContaining('signature')])
    await expectSeen(await student(launch.openingPages), page)
    await expectSeen(await student(launch.diversions), place)
    await expectSeen(await student(launch.slides), slide)
    await expectSeen(await student(launch.theme), theme)
    // The file extension decides whether an opening page is a picture or a film.
    expect((await student(launch.openingPages)).raw).toContain(`${plainAddress(page)}/picture.png`)
    for (const file of pictures)
      expect(await statusOf(plainAddress(file))).toBe(who === 'visitors' ? 200 : 404)
    if (who === 'visitors') {
      await expectSeen(await app.visitor(launch.slides), slide)
      await expectSeen(await app.visitor(launch.visitorOpeningPages), page)
    } else expectNothing(await app.visitor(launch.slides), slide)

    const [madePage, madePlace, madeSlide, madeTheme] = made
    const remove = [
      [openingPages.remove, madePage],
      [diversions.remove, madePlace],
      [slides.remove, madeSlide],
      [themes.remove, madeTheme],
    ] as const
    for (const [endpoint, answer] of remove)
      expect(
        (
          await operator(endpoint, {
            params: { id: (answer?.data as { id: string } | undefined)?.id },
          })
        ).status,
      ).toBe(200)
    for (const file of pictures) expect(await statusOf(plainAddress(file))).toBe(404)
  })

  test('are not listed or readable for members outside the audience', async () => {
    const file = await upload('admin')
    await operator(slides.create, {
      body: { title: '教研', imageUrl: file.url, audience: teachers },
    })
    await expectSeen(await teacher(launch.slides), file)
    expectNothing(await student(launch.slides), file)
    expect((await student(files.read, { params: { id: file.id } })).status).toBe(404)
    expect(await statusOf(`/thumbor/unsafe/20x20/files/${file.id}`)).toBe(404)
  })

  test('are public as the logo and as tab icons', async () => {
    const [logo, icon] = [await upload('admin'), await upload('admin')]
    expect(
      (await operator(settings.update, { params: { key: 'logoUrl' }, body: { value: logo.url } }))
        .data,
    ).toMatchObject({ value: plainAddress(logo) })
    const item = { pagePath: '/pages/tab/index/index', iconPath: icon.url }
    expect((await operator(tabs.update, { body: { footTabs: [item] } })).status).toBe(200)
    const answer = await app.visitor(config.system)
    await expectSeen(answer, logo)
    await expectSeen(answer, icon)
    await operator(settings.update, { params: { key: 'logoUrl' }, body: { value: '' } })
    expect(await statusOf(plainAddress(logo))).toBe(404)
  })

  test('are readable as icon, card and guide attachment of a service for its audience', async () => {
    const [icon, card, form] = [
      await upload('admin'),
      await upload('admin'),
      await upload('admin', 'form.txt'),
    ]
    const { data: types } = await operator(catalogue.list, { query: { pageSize: 1 } })
    const [any] = types.list
    const { data: whole } = await operator(catalogue.read, {
      params: { id: any?.serviceId ?? '' },
    })
    const body = {
      ...whole,
      serviceNo: 'own-picture',
      audience: everybody,
      iconFileId: icon.id,
      cardFileId: card.id,
    }
    const made = await operator(catalogue.create, { body: declared(catalogue.create, body) })
    expect(made).toMatchObject({ status: 200 })
    const id = made.data.serviceId
    const detail = await student(services.read, { query: { serviceId: id } })
    await expectSeen(detail, icon)
    await expectSeen(detail, card)
    expect(await statusOf(plainAddress(icon))).toBe(404)
    const guide = await operator(catalogue.saveGuide, {
      params: { id },
      body: { version: null, attachments: [{ name: '表', fileId: form.id }] },
    })
    expect(guide.status).toBe(200)
    await expectSeen(await student(services.guide, { query: { serviceId: id } }), form)
    expect(await statusOf(plainAddress(form))).toBe(404)
    await operator(catalogue.update, {
      params: { id },
      body: declared(catalogue.update, { ...body, audience: visitors, version: made.data.version }),
    })
    await expectSeen(await app.visitor(services.read, { query: { serviceId: id } }), icon)
    expect(await statusOf(plainAddress(icon))).toBe(200)
  })

  test('are readable in a notice for its audience', async () => {
    const file = await upload('admin')
    const saved = await operator(notices.save, {
      body: {
        title: '停电',
        content: `<p><img src="${file.url}" alt="图"></p>`,
        startsAt: '2020-01-01T00:00:00Z',
        endsAt: '2099-01-01T00:00:00Z',
        audience: everybody,
      },
    })
    expect(saved.status).toBe(200)
    await expectSeen(await student(notices.list), file)
    expect(await statusOf(plainAddress(file))).toBe(404)
  })

  test('cannot be files of another member', async () => {
    const file = await upload('student')
    const told = [
      await operator(slides.create, {
        body: { title: '选课', imageUrl: file.url, audience: everybody },
      }),
      await operator(settings.update, {
        params: { key: 'logoUrl' },
        body: { value: plainAddress(file) },
      }),
      await operator(tabs.update, {
        body: { footTabs: [{ pagePath: '/pages/tab/index/index', iconPath: plainAddress(file) }] },
      }),
    ]
    expect(told.map(({ status, fields }) => [status, fields])).toEqual([
      [400, { imageUrl: expect.any(String) }],
      [400, { value: expect.any(String) }],
      [400, { 'footTabs.0.iconPath': expect.any(String) }],
    ])
    // Nor through a text written to the database directly.
    await app.platform.db
      .updateTable('notice')
      .set({ content: `<img src="${plainAddress(file)}">` })
      .execute()
    for (const address of addressesOf(await student(notices.list), file))
      expect(await statusOf(address)).toBe(404)
  })

  test('cannot be deleted while in use, and are kept when their owner leaves', async () => {
    const file = await upload('admin')
    const made = await operator(slides.create, {
      body: { title: '选课', imageUrl: file.url, audience: everybody },
    })
    expect((await operator(files.remove, { params: { id: file.id } })).error).toBe('file.in_use')
    const { db } = app.platform
    await db.deleteFrom('file_owner').where('file_id', '=', file.id).execute()
    await sql`update file set used_at = to_timestamp(0) where id = ${file.id}`.execute(db)
    await collectFiles(app.platform)
    await expectSeen(await student(launch.slides), file)
    await operator(slides.remove, { params: { id: made.data.id } })
    await collectFiles(app.platform)
    expect(await db.selectFrom('file').select('id').where('id', '=', file.id).execute()).toEqual([])
  })
})

describe('files of an article', () => {
  test.each(['article', 'announcement'] as const)(
    'of kind %s are readable only for its readers, once it is published',
    async (kind) => {
      const column = await operator(newsConsole.createColumn, {
        body: { code: `pictures-${kind}`, name: '图', audience: everybody },
      })
      const [title, inside, form] = [
        await upload('admin'),
        await upload('admin'),
        await upload('admin', 'form.txt'),
      ]
      const made = await operator(newsConsole.create, {
        body: {
          columnId: column.data.id,
          kind,
          title: '图书馆',
          text: `看图\n\n![图](${inside.url})`,
          titleImageFileId: title.id,
          attachments: [{ name: '申请表', fileId: form.id }],
        },
      })
      expect(made).toMatchObject({ status: 200, data: { text: { titleImageFileId: title.id } } })
      expect(made.data.text.text).toBe(`看图\n\n![图](${plainAddress(inside)})`)
      const all = [title, inside, form]
      // Visible to its editors only.
      for (const file of all) {
        await expectSeen(made, file)
        expect(await statusOf(plainAddress(file))).toBe(404)
      }
      const { id } = made.data
      let at = made.data
      for (const [who, step] of [
        [operator, newsConsole.submit],
        [second, newsConsole.approve],
        [second, newsConsole.publish],
      ] as const) {
        const answer = await who(step, { params: { id }, body: { revision: at.revision } })
        expect(answer.status).toBe(200)
        at = answer.data
      }
      const read = await student(news.read, { params: { id } })
      expect(read.data.attachments).toMatchObject([{ name: '申请表', mediaType: 'text/plain' }])
      for (const file of all) await expectSeen(read, file)
      await expectSeen(await student(news.list, { query: { columnId: column.data.id } }), title)
      for (const file of all) expect(await statusOf(plainAddress(file))).toBe(404)

      // Once the column is open to visitors, its files need no signature.
      const fields = { name: '图', audience: visitors }
      await operator(newsConsole.updateColumn, { params: { id: column.data.id }, body: fields })
      for (const file of all) expect(await statusOf(plainAddress(file))).toBe(200)
      for (const file of all)
        await expectSeen(await app.visitor(news.read, { params: { id } }), file)

      // A new text's picture waits for approval; a withdrawn article shows no files.
      const next = await upload('admin')
      const saved = await operator(newsConsole.save, {
        params: { id },
        body: {
          ...at.text,
          text: `![新](${next.url})`,
          titleImageFileId: null,
          attachments: [],
          revision: at.revision,
        },
      })
      expect(saved.status).toBe(200)
      expect(await statusOf(plainAddress(next))).toBe(404)
      expect(await statusOf(plainAddress(inside))).toBe(200)
      const gone = await operator(newsConsole.withdraw, {
        params: { id },
        body: { revision: saved.data.revision },
      })
      expect(gone.status).toBe(200)
      for (const file of all) expect(await statusOf(plainAddress(file))).toBe(404)

      // The older text is restored with its files.
      const restored = await second(newsConsole.restore, {
        params: { id, number: 1 },
        body: { revision: gone.data.revision },
      })
      expect(restored.data.text).toMatchObject({
        titleImageFileId: title.id,
        attachments: [{ fileId: form.id }],
      })
    },
  )

  test('are rejected by field if they belong to another member or the title file is no picture', async () => {
    const [own, other] = [await upload('admin', 'text.txt'), await upload('student')]
    const { data: columns } = await operator(newsConsole.columns)
    const wrong = await operator(newsConsole.create, {
      body: {
        columnId: columns[0]?.id,
        title: '图',
        text: `![图](${plainAddress(other)})`,
        titleImageFileId: own.id,
        attachments: [{ name: '表', fileId: '999999999' }],
      },
    })
    expect([wrong.status, Object.keys(wrong.fields ?? {}).toSorted()]).toEqual([
      400,
      ['attachments.0.fileId', 'text', 'titleImageFileId'],
    ])
  })
})
