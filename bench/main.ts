import { parseArgs } from 'node:util'

const usage = `npm run bench -- server|burst|messages|sending|tasks|schedule|identity|sso|services|news|search|people|personal|study|web|images|files|import [options]

  server   requests per second and CPU of the API against baseline servers, memory, start, five million messages
  burst    2,000 members behind one address open the portal within a minute, on a fresh node
  messages a broadcast to 100,000 members, 6,000 open streams, push notifications
  sending  a message from a sender to 100,000 members: accepted, delivered, its result during delivery
  tasks    to-dos while the table grows to ten million, tasks sent by a system, several handled in one request
  schedule months and days while the table of events grows, the cached day, feeds, a timetable of 3,000 courses imported
  identity token checks, sign-ins against Argon2id alone, their effect on other requests, a million sessions
  sso      tickets of the central login, issued and validated, against a baseline; 2,000 members through it
  services the catalogue of a large institution against a baseline, its search, a change on every node
  news     columns, lists and articles against a baseline, search, other nodes, 200,000 articles
  search   all kinds among 500,000 documents: sequential, concurrent, suggestions, a change on two nodes
  people   the address book of 50,000 people: search, tree, long lists
  personal home and Me while five systems with data of the member take two seconds each
  study    the page of a course against a baseline that sends the same queries
  web      bytes and requests of the first screen, Lighthouse on a simulated phone
  images   resizing pictures against sharp alone, cached ones against a plain file server
  files    a file of 100 MB sent and fetched: time, and memory of the server
  import   time of a members file of 50,000 rows

  --rounds <n>      rounds of each measurement, medians are reported (server, identity, sso, services, news, search, people, study, images: 5; web, files, import: 3)
  --seconds <n>     length of a round of the server, identity, sso, services, news and image bench (3)
  --only <words>    parts of the server bench (load, messages, memory), of the messages bench (broadcast, streams, push), or of the
                    schedule bench (reads, spread, import), comma-separated; partial results are not saved
  --endpoints <w>   only endpoints of the part load whose name contains one of these words, comma-separated
  --messages <n>    rows of the large table of the server bench (5000000)
  --sessions <n>    rows of the large table of the identity bench (1000000)
  --tasks <n>       rows of the large table of the tasks bench (10000000)
  --members <n>     members of the large table of the schedule bench (50000)
  --articles <n>    articles of the news and search bench (200000); a tenth of them in the small table
  --database <url>  a PostgreSQL server for the messages, sending, tasks, schedule, services, news, search, people, personal and study
                    bench, e.g. postgres://postgres@127.0.0.1/postgres; databases are created there and dropped again; default: the
                    embedded database
  --no-save         print only, save nothing under bench/results

Compare numbers of the same run only, not of two machines or of two hours with different load: read the ratios.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'load,messages,memory' },
    endpoints: { type: 'string', default: '' },
    messages: { type: 'string', default: '5000000' },
    sessions: { type: 'string', default: '1000000' },
    tasks: { type: 'string', default: '10000000' },
    members: { type: 'string', default: '50000' },
    articles: { type: 'string', default: '200000' },
    database: { type: 'string', default: '' },
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
  tasks: Number(values.tasks),
  members: Number(values.members),
  articles: Number(values.articles),
  database: values.database,
  // A partial run must not replace the results of a complete one.
  save: !values['no-save'] && values.only === 'load,messages,memory',
})
export type Settings = ReturnType<typeof settings>

switch (positionals[0]) {
  case 'server':
    await (await import('./server.ts')).benchServer(settings(5))
    break
  case 'messages':
    await (await import('./messages.ts')).benchMessages(settings(5))
    break
  case 'sending':
    await (await import('./sending.ts')).benchSending(settings(5))
    break
  case 'tasks':
    await (await import('./tasks.ts')).benchTasks(settings(5))
    break
  case 'schedule':
    await (await import('./schedule.ts')).benchSchedule(settings(5))
    break
  case 'burst':
    await (await import('./burst.ts')).benchBurst(settings(1))
    break
  case 'identity':
    await (await import('./identity.ts')).benchIdentity(settings(5))
    break
  case 'sso':
    await (await import('./sso.ts')).benchSso(settings(5))
    break
  case 'services':
    await (await import('./services.ts')).benchServices(settings(5))
    break
  case 'news':
    await (await import('./news.ts')).benchNews(settings(5))
    break
  case 'search':
    await (await import('./search.ts')).benchSearch(settings(5))
    break
  case 'people':
    await (await import('./people.ts')).benchPeople(settings(5))
    break
  case 'personal':
    await (await import('./personal.ts')).benchPersonal(settings(1))
    break
  case 'study':
    await (await import('./study.ts')).benchStudy(settings(5))
    break
  case 'web':
    await (await import('./web.ts')).benchWeb(settings(3))
    break
  case 'images':
    await (await import('./images.ts')).benchImages(settings(5))
    break
  case 'files':
    await (await import('./files.ts')).benchFiles(settings(3))
    break
  case 'import':
    await (await import('./import.ts')).benchImport(settings(3))
    break
  default:
    console.log(usage)
    process.exitCode = positionals.length === 0 ? 0 : 1
}
