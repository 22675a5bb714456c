import { parseArgs } from 'node:util'

const usage = `npm run bench -- server|identity|web|images|import [options]

  server   requests per second and CPU of the API against bare servers, memory, start, five million messages
  identity token checks, sign-ins against Argon2id alone, what others feel of them, a million sessions
  web      bytes and requests of the first screen, Lighthouse on a simulated phone
  images   pictures made smaller against sharp alone, kept ones against a bare server of files
  import   time of a members file of 50,000 rows

  --rounds <n>      rounds of each measurement, medians are reported (server, identity, images: 5, web: 3, import: 3)
  --seconds <n>     length of a round of the server, identity and image bench (3)
  --only <words>    parts of the server bench, comma-separated: load, messages, memory
  --endpoints <w>   of the part load, those whose name holds one of these words, comma-separated
  --messages <n>    rows of the large table of the server bench (5000000)
  --sessions <n>    rows of the large table of the identity bench (1000000)
  --no-save         print only, keep nothing under bench/results

Numbers of one run can be compared with each other, numbers of two machines or two busy hours cannot: read the ratios.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'load,messages,memory' },
    endpoints: { type: 'string', default: '' },
    messages: { type: 'string', default: '5000000' },
    sessions: { type: 'string', default: '1000000' },
    'no-save': { type: 'boolean', default: false },
  },
})
const settings = (rounds: number) => ({
  rounds: Number(values.rounds ?? rounds),
  seconds: Number(values.seconds),
  only: values.only.split(','),
  endpoints: values.endpoints.split(','),
  messages: Number(values.messages),
  sessions: Number(values.sessions),
  save: !values['no-save'],
})
export type Settings = ReturnType<typeof settings>

switch (positionals[0]) {
  case 'server':
    await (await import('./server.ts')).benchServer(settings(5))
    break
  case 'identity':
    await (await import('./identity.ts')).benchIdentity(settings(5))
    break
  case 'web':
    await (await import('./web.ts')).benchWeb(settings(3))
    break
  case 'images':
    await (await import('./images.ts')).benchImages(settings(5))
    break
  case 'import':
    await (await import('./import.ts')).benchImport(settings(3))
    break
  default:
    console.log(usage)
    process.exitCode = positionals.length === 0 ? 0 : 1
}
