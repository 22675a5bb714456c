import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { map } from '@atrium/contract/shell/map'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateSetting } from '#platform/settings/settings.ts'
import { freePort } from '../../../../test/free-port.ts'
import { openNode, type TestApp, testApp } from '../../../../test/test-app.ts'
import { isOnMap, tileAddress } from './tiles.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

describe('places', () => {
  test('are available to visitors', async () => {
    const { data } = await app.visitor(map.places)
    expect(data.length).toBeGreaterThan(20)
    expect(data[0]).toMatchObject({ kind: 'gate', name: '南门', nameEn: 'South Gate' })
  })

  test.each([
    ['食堂', '第一食堂'],
    ['main library', '图书馆主馆'],
    ['滨江大道', '江北校区正门'],
    [' 校医院 ', '校医院'],
  ])('are found by %s', async (keyWords, name) => {
    const { data } = await app.visitor(map.places, { query: { keyWords } })
    expect(data.map((place) => place.name)).toContain(name)
    expect(data.length).toBeLessThan(20)
  })

  test.each(['%', '_', "' or 1=1", '\\', '“'])(
    'are found by %j only if they contain it',
    async (keyWords) => {
      const { db } = app.platform
      const name = `咖啡${keyWords}馆`
      const place = { code: 'special', kind: 'gate', name, latitude: 30, longitude: 120 }
      await db.insertInto('place').values(place).execute()
      const { data } = await app.visitor(map.places, { query: { keyWords } })
      await db.deleteFrom('place').where('code', '=', place.code).execute()
      expect(data.map(({ name }) => name)).toEqual([name])
    },
  )

  test('searched with a NUL character return 400', async () => {
    expect((await app.visitor(map.places, { query: { keyWords: '\u0000' } })).status).toBe(400)
  })
})

describe('tile addresses', () => {
  test.each([
    ['https://t.example/{z}/{x}/{y}.png', 'https://t.example/3/4/5.png'],
    ['https://{s}.t.example/{x}-{y}-{z}?k=1', 'https://a.t.example/4-5-3?k=1'],
    ['https://t.example/{z}/{x}/{y}{r}.png', 'https://t.example/3/4/5.png'],
  ])('are built from %s', (template, address) =>
    expect(tileAddress(template, 3, 4, 5)).toBe(address),
  )

  test('exist only within the range of their zoom level', () => {
    expect(isOnMap(0, 0, 0)).toBe(true)
    expect(isOnMap(0, 1, 0)).toBe(false)
    expect(isOnMap(3, 7, 7)).toBe(true)
    expect(isOnMap(3, 7, 8)).toBe(false)
  })
})

describe('tiles', () => {
  const picture = Buffer.from('89504e470d0a1a0a', 'hex')
  const asked: string[] = []
  let tiles: Server
  let template = ''
  let node: Awaited<ReturnType<typeof openNode>>

  beforeAll(async () => {
    tiles = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/5/1/1.png') return response.writeHead(404).end()
      if (request.url === '/5/2/2.png') return response.writeHead(500).end()
      const page = request.url === '/5/3/3.png'
      response.setHeader('content-type', page ? 'text/html' : 'image/png')
      response.end(page ? '<script>alert(1)</script>' : picture)
    })
    await new Promise<void>((ready) => void tiles.listen(0, '127.0.0.1', ready))
    const { port } = tiles.address() as AddressInfo
    template = `http://127.0.0.1:${port}/{z}/{x}/{y}.png`
    node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}` })
  })
  afterAll(async () => {
    await node.app.close()
    await node.platform.close()
    tiles.close()
  })

  async function setTemplate(value: string) {
    const { db, topics } = node.platform
    await db.transaction().execute((db) => updateSetting(db, 'mapTileUrl', value))
    await topics.flushed()
  }
  const tile = (address: string) => node.app.inject(`/portal-api/v1/map/tiles/${address}`)

  test('return 404 while no tile server is set', async () => {
    const answer = await tile('1/1/1')
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error).toBe('map.tile_not_found')
  })

  test('are fetched once from the tile server', async () => {
    await setTemplate(template)
    const answers = await Promise.all([tile('5/4/4'), tile('5/4/4'), tile('5/4/4')])
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('image/png')
      expect(answer.headers['cache-control']).toContain('max-age')
      expect(answer.rawPayload).toEqual(picture)
    }
    expect(asked.filter((path) => path === '/5/4/4.png')).toHaveLength(1)
  })

  test.each([
    ['5/1/1', 404],
    ['5/2/2', 503],
    // Anything but an image is not forwarded.
    ['5/3/3', 503],
    ['2/4/0', 404],
    ['21/0/0', 400],
    ['-1/0/0', 400],
    ['1/0/0.png', 400],
    ['1/0/..%2f..%2fsecret', 400],
  ])('%s return %i', async (address, status) => {
    expect((await tile(address)).statusCode).toBe(status)
  })

  test('are not requested again right after a failure', async () => {
    await tile('5/2/2')
    await tile('5/2/2')
    expect(asked.filter((path) => path === '/5/2/2.png')).toHaveLength(1)
  })

  test('are unavailable if the tile server is in a network that is not allowed', async () => {
    await setTemplate(template)
    await app.platform.topics.flushed()
    // This node lacks ATRIUM_OUTBOUND_ALLOW.
    expect((await app.app.inject('/portal-api/v1/map/tiles/5/6/6')).statusCode).toBe(503)
    expect(asked).not.toContain('/5/6/6.png')
    expect((await tile('5/7/7')).statusCode).toBe(200)
  })

  test('are unavailable if the tile server refuses the connection', async () => {
    const port = await freePort()
    const refusing = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}` })
    await setTemplate(`http://127.0.0.1:${port}/{z}/{x}/{y}.png`)
    await refusing.platform.topics.flushed()
    const answer = await refusing.app.inject('/portal-api/v1/map/tiles/5/4/4')
    expect(answer.json()).toMatchObject({ code: 503, error: 'map.tiles_unavailable' })
    await refusing.app.close()
    await refusing.platform.close()
    await setTemplate('')
  })
})
