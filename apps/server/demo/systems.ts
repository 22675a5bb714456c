import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invalidate } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { answerPortal, noActions, openCardLibrary } from './card-library.ts'
import { allowLoopback } from './loopback.ts'

/**
 * The demo's card system and library if `examples/campus` does not run: a small server on the loopback address that
 * implements the described endpoints. It ends with the process, and members' actions are lost then.
 */
export async function openDemoSystems(platform: Platform) {
  const system = openCardLibrary(structuredClone(noActions), () => {})
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '/', 'http://systems.demo')
    const told = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : undefined
    const { status, body } = answerPortal(system, url, told)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  allowLoopback(platform.env, port)
  await describeSystems(platform, `http://127.0.0.1:${port}`, 'secret-of-the-demo')
}

/**
 * Configures the card system and the library at an address (`answerPortal`).
 * @param shared secret that authenticates the portal's requests and signs members' actions
 */
export async function describeSystems({ db, secret }: Platform, origin: string, shared: string) {
  const same = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `/${name}`]))
  const ask = (path: string) => ({
    address: `${origin}${path}`,
    query: { person: '{/number}' },
    authentication: { kind: 'bearer' },
  })
  const tell = (path: string) => ({ address: `${origin}${path}` })
  const connectors = {
    ecard: {
      ...ask('/api/card'),
      owner: '/person',
      fields: same(['balance', 'cardNo', 'status', 'paymentLimit', 'dayLimit']),
      lists: {
        transactions: {
          items: '/transactions',
          fields: same(['at', 'place', 'placeEn', 'amount']),
        },
      },
      actions: { freeze: tell('/api/card/freeze'), unfreeze: tell('/api/card/unfreeze') },
    },
    books: {
      ...ask('/api/loans'),
      owner: '/reader',
      lists: {
        list: {
          items: '/loans',
          fields: same(['id', 'title', 'author', 'place', 'placeEn', 'dueOn']),
        },
        history: { items: '/returned', fields: same(['title', 'returnedOn']) },
      },
      actions: { renew: tell('/api/loans/renew') },
    },
    // seats and rooms, by the codes on them
    scan: {
      address: `${origin}/api/code`,
      query: { code: '{/code}' },
      authentication: { kind: 'bearer' },
      // a code belongs to nobody
      owner: '/none',
      fields: same(['title', 'titleEn', 'note', 'url']),
      lists: { facts: { items: '/facts', fields: same(['label', 'value']) } },
    },
  }
  await db.transaction().execute(async (db) => {
    for (const [kind, http] of Object.entries(connectors)) {
      const columns = {
        connector: JSON.stringify({ keepMinutes: 60, way: 'http', http }),
        sealed_secret: secret.encrypt(shared),
      }
      await db
        .insertInto('personal_source')
        .values({ kind, ...columns })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(columns))
        .execute()
    }
    await invalidate(db, 'config')
  })
}

async function bodyOf(request: IncomingMessage) {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}
