// `npm run check:upgrade`: runs the API tests of the previous release, with its own code, on the schema of this
// version's migrations. During a rolling update, nodes of the previous release work on that schema. `npm run
// check:upgrade -- work/todos content/news` runs only matching tests; `--commit <commit>` selects another release.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { install, isInstalled, node, npmCi, projectEnv, root } from './install.mjs'
import { run, stopWith } from './run.mjs'

const migrations = 'apps/server/migrations'
/**
 * Titles of tests about the schema itself: a release cannot know tables that were added after it. One test of
 * personal-data.test.ts, under its title in the last release and now: whoever renames it adds the new title.
 */
const schemaTests = [
  'every table that names a person or an account is listed, so that it is told and taken away',
  'every column that references a person or an account is listed as personal data',
]

const { values, positionals } = parseArgs({
  options: { commit: { type: 'string' } },
  allowPositionals: true,
})
const release = previousRelease()
const added = addedMigrations(release.commit)
if (added.length === 0) {
  console.log(`No migration is newer than ${release.name}: the schema is the same.`)
  process.exit()
}
await install()
console.log(`API tests of ${release.name} on a schema with ${added.length} newer migrations:`)
console.log(added.map((name) => `  ${name}`).join('\n'))
const folder = checkOut(release.commit)
for (const name of added)
  copyFileSync(path.join(root, migrations, name), path.join(folder, migrations, name))
await addPackages()
process.exitCode = await runTests()

/** The newest tag in the history before this version; without one, the release named in package.json. */
function previousRelease() {
  if (!git('rev-parse', '--git-dir')) skip('This is no clone of the repository.')
  const [tag] = (
    git('tag', '--list', 'v*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname') ??
    ''
  ).split('\n')
  const recorded = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).previousRelease
  const name = values.commit ?? (tag || recorded)
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
  if (commit) return { name: name.replace(/^([0-9a-f]{8})[0-9a-f]{32}$/, '$1'), commit }
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    skip(`This clone is shallow and does not contain ${name}. Try: git fetch --unshallow --tags`)
  return stopWith(`There is no ${name} in this repository.`)
}

function skip(reason) {
  console.log(`SKIPPED: the upgrade from the previous release was not checked. ${reason}`)
  process.exit()
}

/** @returns the migrations the release does not have, oldest first */
function addedMigrations(commit) {
  const releaseMigrations = (git('ls-tree', '--name-only', commit, `${migrations}/`) ?? '')
    .split('\n')
    .map((file) => path.basename(file))
  const ownMigrations = readdirSync(path.join(root, migrations)).sort()
  const removed = releaseMigrations.filter((name) => !ownMigrations.includes(name))
  if (removed.length > 0)
    stopWith(`Migrations of ${release.name} have been removed: ${removed.join(', ')}.`)
  const newMigrations = ownMigrations.filter((name) => !releaseMigrations.includes(name))
  const outOfOrder = newMigrations.filter((name) => name < releaseMigrations.sort().at(-1))
  if (outOfOrder.length > 0)
    stopWith(
      `Migrations cannot be run before those that ${release.name} has: ${outOfOrder.join(', ')}.`,
    )
  return newMigrations
}

/** Checks the release out into a temporary folder, which is removed with this process. */
function checkOut(commit) {
  const worktree = mkdtempSync(path.join(os.tmpdir(), 'atrium-previous-'))
  process.on('exit', () => {
    rmSync(worktree, { recursive: true, force: true })
    git('worktree', 'prune')
  })
  // Tests start servers as other users, who need to enter the folder.
  chmodSync(worktree, 0o755)
  // Not below node_modules: files there count as packages, which the tests' compiler does not transform.
  if (git('worktree', 'add', '--detach', worktree, commit) === undefined)
    stopWith(`git could not check out ${commit} at ${worktree}.`)
  return worktree
}

/** Links the packages of this checkout; if the release needs others, npm installs them, if possible. */
async function addPackages() {
  if (!(await isInstalled(path.join(folder, 'package-lock.json')))) {
    console.log(`Installing the packages of ${release.name} …`)
    if ((await npmCi(folder)).code === 0) return
    console.log(
      `The packages of ${release.name} could not be installed: its tests run with those of this version.`,
    )
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true })
  }
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const places = Object.keys(packages).map((place) => /^(.*?)\/?node_modules\//.exec(place)?.[1])
  for (const place of new Set(places)) {
    if (place === undefined || place === '') continue
    mkdirSync(path.join(folder, place), { recursive: true })
    link(path.join(root, place, 'node_modules'), path.join(folder, place, 'node_modules'))
  }
  const [from, to] = [path.join(root, 'node_modules'), path.join(folder, 'node_modules')]
  mkdirSync(path.join(to, '@atrium'), { recursive: true })
  for (const name of readdirSync(from))
    if (!['@atrium', '.cache', '.vite', '.package-lock.json'].includes(name))
      link(path.join(from, name), path.join(to, name))
  // Workspace packages must resolve to the release's own.
  for (const name of readdirSync(path.join(from, '@atrium')))
    link(
      path.resolve(to, '@atrium', readlinkSync(path.join(from, '@atrium', name))),
      path.join(to, '@atrium', name),
    )
}

function link(target, place) {
  symlinkSync(target, place, 'junction')
}

/** @returns the exit code: 1 if a test failed or none was run */
async function runTests() {
  const report = path.join(folder, 'report.json')
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code, seconds } = await run(
    node,
    [vitest, 'run', '--project', 'server', ...reporters, ...positionals],
    { cwd: folder, env: projectEnv },
  )
  const { numPassedTests = 0, testResults = [] } = readReport(report)
  const failed = testResults.flatMap(failuresIn)
  const expected = failed.filter(({ title }) => schemaTests.includes(title))
  const broken = failed.filter((failure) => !expected.includes(failure))
  console.log(`\n${release.name} on the schema of this version (${Math.round(seconds)} s)`)
  for (const { file, title } of expected)
    console.log(`  fails as expected (lists the tables of its own version): ${file} › ${title}`)
  for (const { file, title } of broken) console.log(`  FAILED ${file} › ${title}`)
  console.log(`${numPassedTests} passed, ${broken.length} failed`)
  const completed = code === 0 || failed.length > 0
  if (!completed) console.log('The run failed without a failed test.')
  return completed && broken.length === 0 && numPassedTests > 0 ? 0 : 1
}

/** A file that could not be run counts as one failure. */
function failuresIn({ name, status, message, assertionResults = [] }) {
  const file = path.relative(folder, name)
  const failed = assertionResults.filter((result) => result.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [{ file, title: message }]
  return failed.map(({ title }) => ({ file, title }))
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** The trimmed output of git; undefined if it fails or is not installed. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
