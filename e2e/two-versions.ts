import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { screens } from './screens.ts'

const dist = path.join(import.meta.dirname, '../apps/portal/dist')

const worker = '/service-worker.js'

type Options = {
  /**
   * The very first release: browsers may cache its pages for a year, its worker uses the browser's cached copies, and
   * its pages send no mark.
   */
  first?: boolean
  /** False: a browser that does not support clearing its cache on the server's request. */
  clears?: boolean
}

/** The portal's files as its previous version: the same code with other file names, as a build of other sources has. */
async function makePrevious(first: boolean) {
  const hashed = /^(.+-)[\w-]{4}([\w-]{4}\.\w+)$/
  const names = (await readdir(path.join(dist, 'assets'))).filter((name) => hashed.test(name))
  const nameBefore = new Map(names.map((name) => [name, name.replace(hashed, '$1prev$2')]))
  async function fileBefore(name: string) {
    const content = await readFile(path.join(dist, name))
    if (!/\.(js|css|html)$/.test(name)) return content
    let text = content.toString()
    for (const [now, before] of nameBefore) text = text.replaceAll(now, before)
    return first ? text.replaceAll('X-Page', 'X-None') : text
  }
  const page = await fileBefore('index.html')
  const files = new Map<string, { body: Buffer | string; today: string }>()
  for (const address of ['/', ...Object.keys(screens)])
    files.set(address, { body: page, today: address })
  for (const [now, before] of nameBefore)
    files.set(`/assets/${before}`, {
      body: await fileBefore(`assets/${now}`),
      today: `/assets/${now}`,
    })
  const workerNow = `${await fileBefore('service-worker.js')}`
  const other = replaceOnce(workerNow, /(revision:.)[0-9a-f]{16}/, '$1f00df00df00df00d')
  const asBrowsersKeep = /new Request\((\w+),\{cache:[`'"]no-cache[`'"]\}\)/
  files.set(worker, {
    body: first ? replaceOnce(other, asBrowsersKeep, '$1') : other,
    today: worker,
  })
  return files
}

function replaceOnce(text: string, part: RegExp, by: string) {
  const changed = text.replace(part, by)
  if (changed === text) throw new Error(`The built service worker holds no ${part}`)
  return changed
}

/**
 * A proxy to the server that first serves the portal of the previous version; `upgrade` switches to the current one,
 * unmodified. The previous version's files have today's headers, except for the first release.
 */
export async function startPrevious(
  server: string,
  { first = false, clears = true }: Options = {},
) {
  const previous = await makePrevious(first)
  let upgraded = false
  let workerAsked = 0

  function answer(asked: IncomingMessage, reply: ServerResponse) {
    const address = asked.url ?? '/'
    const [pathname = '/'] = address.split('?', 1)
    if (pathname === worker) workerAsked++
    const before = upgraded ? undefined : previous.get(pathname)
    const headers = { ...asked.headers, host: new URL(server).host }
    if (before) delete headers['if-none-match']
    const passed = request(new URL(before?.today ?? address, server), {
      method: asked.method,
      headers,
    })
    passed.once('response', (response) => {
      const sent = { ...response.headers }
      // The previous version did not send it.
      if (!clears || !upgraded) delete sent['clear-site-data']
      if (!before) {
        reply.writeHead(response.statusCode ?? 502, sent)
        response.pipe(reply)
        return
      }
      response.resume()
      for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified'])
        delete sent[name]
      if (first && sent['content-type']?.startsWith('text/html'))
        sent['cache-control'] = 'public, max-age=31536000, immutable'
      reply.writeHead(200, sent).end(before.body)
    })
    passed.once('error', () => reply.destroy())
    asked.pipe(passed)
  }
  const front = createServer(answer)
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    upgrade: () => {
      upgraded = true
    },
    /** Number of requests for the worker's script. */
    workerAsked: () => workerAsked,
    async stop() {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}
