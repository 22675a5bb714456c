import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invalidate } from '#platform/database/topics.ts'
import type { Platform } from '#platform/platform.ts'
import { addDays } from './dates.ts'
import { allowLoopback } from './loopback.ts'
import { cardsAt } from './personal.ts'

/**
 * The card system and the library of the demo institution: a small server on the loopback address that speaks what real
 * ones are described by, and ends with the process. What members do there holds until then.
 */
export async function openDemoSystems(platform: Platform) {
  const known = new Map(cardsAt(new Date()).map((one) => [one.number, one]))
  const frozen = new Set<string>()
  const renewed = new Set<string>()
  const server = createServer(async (request, reply) => {
    const url = new URL(request.url ?? '/', 'http://systems.demo')
    const told = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : undefined
    const person = known.get(told?.number ?? url.searchParams.get('person') ?? '')
    if (!person) return answer(reply, 404, {})
    const { number, ecard, books } = person
    switch (url.pathname) {
      case '/card':
        return answer(reply, 200, {
          person: number,
          ...ecard,
          status: frozen.has(number) ? 'frozen' : ecard.status,
        })
      case '/loans':
        return answer(reply, 200, {
          reader: number,
          loans: books.list.map((loan) => ({
            ...loan,
            dueOn: renewed.has(loan.id) ? addDays(loan.dueOn, 30) : loan.dueOn,
          })),
          returned: books.history,
        })
      case '/card/freeze':
        frozen.add(number)
        return answer(reply, 200, { ok: true })
      case '/card/unfreeze':
        frozen.delete(number)
        return answer(reply, 200, { ok: true })
      case '/loans/renew': {
        // Once each.
        const ok = books.list.some(({ id }) => id === told.loan) && !renewed.has(told.loan)
        renewed.add(told.loan)
        return answer(reply, 200, { ok })
      }
      default:
        return answer(reply, 404, {})
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  allowLoopback(platform.env, port)
  await describe(platform, `http://127.0.0.1:${port}`)
}

async function describe({ db, secret }: Platform, origin: string) {
  const same = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `/${name}`]))
  const ask = (path: string) => ({ address: `${origin}${path}`, query: { person: '{/number}' } })
  const tell = (path: string) => ({ address: `${origin}${path}` })
  const connectors = {
    ecard: {
      ...ask('/card'),
      owner: '/person',
      fields: same(['balance', 'cardNo', 'status', 'paymentLimit', 'dayLimit']),
      lists: {
        transactions: { items: '/transactions', fields: same(['at', 'place', 'amount']) },
      },
      actions: { freeze: tell('/card/freeze'), unfreeze: tell('/card/unfreeze') },
    },
    books: {
      ...ask('/loans'),
      owner: '/reader',
      lists: {
        list: { items: '/loans', fields: same(['id', 'title', 'author', 'place', 'dueOn']) },
        history: { items: '/returned', fields: same(['title', 'returnedOn']) },
      },
      actions: { renew: tell('/loans/renew') },
    },
  }
  await db.transaction().execute(async (db) => {
    for (const [kind, http] of Object.entries(connectors)) {
      const columns = {
        connector: JSON.stringify({ keepMinutes: 60, way: 'http', http }),
        sealed_secret: secret.encrypt('the demo’s own systems'),
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

const answer = (reply: ServerResponse, status: number, body: object) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function bodyOf(request: IncomingMessage) {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}
