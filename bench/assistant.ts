import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { assistantConsole } from '@atrium/contract/discovery/assistant.operator'
import { robot } from '@atrium/contract/discovery/robot'
import { openPool } from '../apps/server/src/platform/database/db.ts'
import { openModelServer } from '../apps/server/test/model-server.ts'
import { type Server, startAtrium } from './processes.ts'
import { fixed, type Table, type Target } from './report.ts'
import { signIn } from './request.ts'

const questions = [
  '忘记密码了怎么办',
  '图书馆几点关门',
  '校园卡丢了怎么补办',
  '怎么查成绩',
  'how do i get my transcript',
  '宿舍报修找谁',
]
/** Delay of the model before its first word, in ms. */
const modelDelayMs = 200
/** Delay in ms between a node being ready and the first question. */
const settleMs = 4000

/** Milliseconds from a question to the first words of its answer. */
async function firstWords(server: Server, idToken: string, question: string, assistant: boolean) {
  const started = performance.now()
  const clientRequest = request({
    port: server.port,
    host: '127.0.0.1',
    path: robot.chat.path,
    method: 'POST',
    headers: {
      'x-id-token': idToken,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
  })
  clientRequest.end(JSON.stringify({ question, assistant }))
  const [answer] = await once(clientRequest, 'response')
  let first: number | undefined
  let text = ''
  for await (const chunk of answer) {
    text += chunk
    if (/^event: (part|text)$/m.test(text)) first ??= performance.now() - started
  }
  if (first === undefined) throw new Error(`${question} was not answered: ${text.slice(0, 300)}`)
  return first
}

/** Waiting time after a question, without and with a model. */
export async function benchAssistant(
  url: string,
  variables: Record<string, string>,
  rounds: number,
): Promise<{ table: Table; targets: Target[]; raw: object }> {
  console.log('asking the robot')
  const model = await openModelServer()
  model.does(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await wait(modelDelayMs)
    const piece = { choices: [{ index: 0, delta: { content: '可以这样做[1]。' } }] }
    response.end(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`)
  })
  const pool = openPool(url, 1)
  const server = await startAtrium({
    ...variables,
    DATABASE_URL: url,
    ATRIUM_OUTBOUND_ALLOW: model.allow,
  })
  try {
    await wait(settleMs)
    const idToken = await signIn(server)
    // Resets the rate limit: members do not ask this often.
    const timeQuestions = async (assistant: boolean) => {
      const times: number[] = []
      for (const question of questions) {
        await pool.query(`update dialog_line set created_at = created_at - interval '2 minutes'`)
        times.push(await firstWords(server, idToken, question, assistant))
      }
      return times
    }
    const alone: number[] = []
    for (let round = 0; round < rounds; round++) alone.push(...(await timeQuestions(false)))
    await setModel(server, model.address)
    const withModel: number[] = []
    for (let round = 0; round < rounds; round++)
      withModel.push(...(await timeQuestions(true)).map((time) => time - modelDelayMs))
    const first = alone[0] ?? Number.NaN
    const [later, added] = [alone.slice(1), withModel].map(spread)
    return {
      table: {
        title: 'Time until the first words of an answer',
        head: ['', 'median ms', 'p95 ms'],
        rows: [
          [
            `the first question to a node, ${settleMs / 1000} s after it was ready`,
            fixed(first, 1),
            '',
          ],
          [
            'without a model',
            fixed(later?.median ?? Number.NaN, 1),
            fixed(later?.p95 ?? Number.NaN, 1),
          ],
          [
            'with a model, in addition to the time of the model',
            fixed(added?.median ?? Number.NaN, 1),
            fixed(added?.p95 ?? Number.NaN, 1),
          ],
        ],
      },
      targets: [
        {
          what: 'first words of an answer without a model, slowest',
          wanted: '≤ 300 ms',
          measured: `${fixed(Math.max(...alone))} ms`,
          ok: Math.max(...alone) <= 300,
        },
        {
          what: 'first words with a model, in addition to its time, p95',
          wanted: '≤ 50 ms',
          measured: `${fixed(added?.p95 ?? Number.NaN, 1)} ms`,
          ok: (added?.p95 ?? Number.NaN) <= 50,
        },
      ],
      raw: { alone, beside: withModel },
    }
  } finally {
    await server.stop()
    await pool.end()
    await model.close()
  }
}

function spread(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other)
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { median: quantile(0.5), p95: quantile(0.95) }
}

async function setModel(server: Server, address: string) {
  const idToken = await signIn(server, 'admin')
  const answer = await fetch(`http://127.0.0.1:${server.port}${assistantConsole.update.path}`, {
    method: assistantConsole.update.method,
    headers: { 'x-id-token': idToken, 'content-type': 'application/json' },
    body: JSON.stringify({
      address,
      model: 'bench',
      enabled: true,
      sends: ['question', 'guide', 'service', 'place', 'news'],
      dailyPerMember: 10_000,
      dailyTokens: 1_000_000_000,
      seconds: 10,
    }),
  })
  if (!answer.ok) throw new Error(`the model was refused: ${await answer.text()}`)
}
