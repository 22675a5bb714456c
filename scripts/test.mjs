// `npm test`: all tests, from a fresh clone. The last line is the total. `npm test -- --servers` then repeats the API
// tests on this machine's PostgreSQL and Redis, if they are running.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { buildPortal } from './build.mjs'
import { runChecks } from './check.mjs'
import { install, node, projectEnv, root } from './install.mjs'
import { run } from './run.mjs'
import { findTestServers } from './test-servers.mjs'

const reports = path.join(root, 'node_modules/.cache/atrium-reports')
const results = []
/** Tests whose result may depend on a server's version or build. */
const versionTests = [
  'src/platform',
  'src/main',
  'content/news',
  'work/schedule',
  'member/events',
  'failed-jobs',
]

await install()
await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const browser = await findBrowser()
await findTestServers()
await runPart('checks', runChecks)
const statements = path.join(reports, 'statements')
await runPart('unit and API tests', () =>
  unitTests('unit', { env: { ATRIUM_TEST_STATEMENTS: statements } }),
)
const built = await runPart('portal build', async () => singleCheck(await buildPortal()))
if (built && browser) await runPart('browser tests', () => browserTests(browser))
else results.push({ name: 'browser tests: not run', passed: 0, failed: 1 })
if (process.argv.includes('--servers')) await testOnServers()

console.log('\nSummary')
for (const { name, passed, failed, skipped = 0, failures = [] } of results) {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  console.log(`  ${failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${counts}`)
  for (const failure of failures) console.log(`           ${failure}`)
}
const passed = results.reduce((sum, result) => sum + result.passed, 0)
const failed = results.reduce((sum, result) => sum + result.failed, 0)
process.exitCode = failed === 0 ? 0 : 1
console.log(`${passed} passed, ${failed} failed`)

async function runPart(name, work) {
  console.log(`\n== ${name}`)
  const started = performance.now()
  const counts = await work()
  const seconds = Math.round((performance.now() - started) / 1000)
  results.push({ name: `${name} (${seconds} s)`, ...counts })
  return counts.failed === 0
}

async function unitTests(name, { args = [], env = {} } = {}) {
  const file = path.join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code } = await run('vitest', ['run', ...reporters, ...args], {
    cwd: root,
    env: { ...projectEnv, ...env },
  })
  const report = await readReport(file)
  const counts = count(report.numPassedTests, report.numFailedTests, report.numPendingTests, code)
  return { ...counts, failures: failedUnitTests(report) }
}

async function browserTests(browser) {
  const file = path.join(reports, 'browser.json')
  const { code } = await run('playwright', ['test', '--reporter=list,json'], {
    cwd: path.join(root, 'e2e'),
    env: { ...projectEnv, ...browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  })
  const report = await readReport(file)
  const { expected = 0, unexpected = 0, flaky = 0, skipped } = report.stats ?? {}
  return {
    ...count(expected + flaky, unexpected, skipped, code),
    failures: failedBrowserTests(report.suites),
  }
}

/** Location, title and first error line of each failure, so that the summary is enough to start fixing. */
function failedUnitTests({ testResults = [] }) {
  return testResults.flatMap(({ name, message, assertionResults = [] }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && message) return [`${file}: ${firstLine(message)}`]
    return failed.map(
      ({ fullName, failureMessages = [] }) =>
        `${file} › ${fullName}: ${firstLine(failureMessages[0])}`,
    )
  })
}

function failedBrowserTests(suites = []) {
  return suites.flatMap((suite) => [
    ...failedBrowserTests(suite.suites),
    ...(suite.specs ?? [])
      .filter((spec) =>
        spec.tests.some(({ status }) => status !== 'expected' && status !== 'skipped'),
      )
      .map((spec) => {
        const errors = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
        const second = spec.ok ? ' (passed on the second try)' : ''
        return `${spec.file}:${spec.line} › ${spec.title}${second}: ${reasonOf(errors[0])}`
      }),
  ])
}

/** The first line of an error, the locator or difference, and the line of the test. */
function reasonOf({ message = '', location } = {}) {
  const plain = withoutColours(message)
  const locator = /^Locator: .*/m.exec(plain)?.[0]
  // The difference between expected and received lists or texts.
  const differing =
    plain
      .match(/^([+-] {2,}\S|(Expected|Received)( \w+)?: |Error: strict).{0,200}/gm)
      ?.slice(0, 4) ?? []
  return [firstLine(message), locator, ...differing, location && `line ${location.line}`]
    .filter(Boolean)
    .join(' · ')
    .slice(0, 1000)
}

function firstLine(message = '') {
  return withoutColours(message).split('\n', 1)[0]
}

/** Strips terminal colours, which reports include. */
function withoutColours(message) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is a control character.
  return message.replaceAll(/\u001B\[[\d;]*m/g, '')
}

/**
 * Checks what may differ on other versions of PostgreSQL and Redis than the bundled ones: whether all statements of the
 * API tests are accepted, and how migrations, search, time and concurrency behave.
 */
async function testOnServers() {
  const env = {
    ...((await isListening(5432)) && {
      ATRIUM_TEST_DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/postgres',
    }),
    ...((await isListening(6379)) && { ATRIUM_TEST_REDIS_URL: 'redis://127.0.0.1:6379' }),
  }
  if (Object.keys(env).length === 0) {
    console.log(
      '\nNo PostgreSQL or Redis is running on this machine: no second run of the API tests.',
    )
    return
  }
  const names = [
    env.ATRIUM_TEST_DATABASE_URL ? 'PostgreSQL at 5432' : 'the embedded PostgreSQL',
    env.ATRIUM_TEST_REDIS_URL ? 'Redis at 6379' : 'no Redis',
  ]
  if (env.ATRIUM_TEST_DATABASE_URL)
    await runPart('statements on PostgreSQL at 5432', () =>
      preparedStatements(env.ATRIUM_TEST_DATABASE_URL),
    )
  await runPart(`API tests on ${names.join(' and ')}`, () =>
    unitTests('servers', { args: ['--project', 'server', ...versionTests], env }),
  )
}

async function preparedStatements(address) {
  const { code, text } = await run(node, ['scripts/prepare-statements.ts', statements, address], {
    cwd: root,
    env: projectEnv,
    output: 'capture',
  })
  console.log(text.trim())
  const [, prepared = 0, refused = 0] = /(\d+) prepared, (\d+) refused\s*$/.exec(text) ?? []
  // Counts as one check, regardless of the number of statements.
  return count(Number(prepared) > 0 && code === 0 ? 1 : 0, Number(refused), 0, code)
}

/** A runner that failed without a failed test, or ran none, counts as one failure. */
function count(passed = 0, failed = 0, skipped = 0, code = 1) {
  const isSilentFailure = failed === 0 && (code !== 0 || passed === 0)
  if (isSilentFailure)
    console.log(passed === 0 ? 'No test was run.' : 'The tests passed, but the run failed.')
  return { passed, failed: isSilentFailure ? 1 : failed, skipped }
}

function singleCheck(ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 }
}

async function readReport(file) {
  return JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
}

function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2000 })
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
