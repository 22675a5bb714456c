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
  supportsClearing?: boolean
}

/** The portal's files as its previous version: the same code with other file names, as a build of other sources has. */
async function buildPreviousFiles(first: boolean) {
  const hashed = /^(.+-)[\w-]{4}([\w-]{4}\.\w+)$/
  const names = (await readdir(path.join(dist, 'assets'))).filter((name) => hashed.test(name))
  const previousNames = new Map(names.map((name) => [name, name.replace(hashed, '$1prev$2')]))
  async function previousFile(name: string) {
    const content = await readFile(path.join(dist, name))
    if (!/\.(js|css|html)$/.test(name)) return content
    let text = content.toString()
    for (const [now, before] of previousNames) text = text.replaceAll(now, before)
    return first ? text.replaceAll('X-Page', 'X-None') : text
  }
  const page = await previousFile('index.html')
  const files = new Map<string, { body: Buffer | string; currentPath: string }>()
  for (const address of ['/', ...Object.keys(screens)])
    files.set(address, { body: page, currentPath: address })
  for (const [now, before] of previousNames)
    files.set(`/assets/${before}`, {
      body: await previousFile(`assets/${now}`),
      currentPath: `/assets/${now}`,
    })
  const workerNow = `${await previousFile('service-worker.js')}`
  const changedWorker = replaceOnce(workerNow, /(revision:.)[0-9a-f]{16}/, '$1f00df00df00df00d')
  const noCacheRequest = /new Request\((\w+),\{cache:[`'"]no-cache[`'"]\}\)/
  files.set(worker, {
    body: first ? replaceOnce(changedWorker, noCacheRequest, '$1') : changedWorker,
    currentPath: worker,
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
  { first = false, supportsClearing = true }: Options = {},
) {
  const previous = await buildPreviousFiles(first)
  let upgraded = false
  let workerRequests = 0

  function answer(incoming: IncomingMessage, reply: ServerResponse) {
    const address = incoming.url ?? '/'
    const [pathname = '/'] = address.split('?', 1)
    if (pathname === worker) workerRequests++
    const before = upgraded ? undefined : previous.get(pathname)
    const headers = { ...incoming.headers, host: new URL(server).host }
    if (before) delete headers['if-none-match']
    const forwarded = request(new URL(before?.currentPath ?? address, server), {
      method: incoming.method,
      headers,
    })
    forwarded.once('response', (response) => {
      const replyHeaders = { ...response.headers }
      // The previous version did not send it.
      if (!supportsClearing || !upgraded) delete replyHeaders['clear-site-data']
      if (!before) {
        reply.writeHead(response.statusCode ?? 502, replyHeaders)
        response.pipe(reply)
        return
      }
      response.resume()
      for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified'])
        delete replyHeaders[name]
      if (first && replyHeaders['content-type']?.startsWith('text/html'))
        replyHeaders['cache-control'] = 'public, max-age=31536000, immutable'
      reply.writeHead(200, replyHeaders).end(before.body)
    })
    forwarded.once('error', () => reply.destroy())
    incoming.pipe(forwarded)
  }
  const proxy = createServer(answer)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    upgrade: () => {
      upgraded = true
    },
    /** Number of requests for the worker's script. */
    workerRequests: () => workerRequests,
    async stop() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
