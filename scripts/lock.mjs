// Completes package-lock.json: `node scripts/lock.mjs`, after every `npm install <package>`. `--check` only reports.
//
// npm leaves an optional package out of the lock file when the registry in use does not carry it (many mirrors hold the
// binaries of one platform only), and `npm ci` then refuses the lock file everywhere. The versions are exact in the
// parent's own entry, and the name says the platform, so the missing entries can be written without asking a registry.
import { readFile, writeFile } from 'node:fs/promises'
import { root } from './install.mjs'

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'win32',
]
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const file = `${root}/package-lock.json`
const lock = JSON.parse(await readFile(file, 'utf8'))
const added = []
for (const [place, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isResolved(place, name)) continue
    if (!/^\d+\.\d+\.\d+/.test(version))
      throw new Error(`${name} is required as ${version}, which is not an exact version.`)
    added.push(`${name}@${version}`)
    const { cpu, libc, os } = platform(name)
    // In npm's own field order, so that its next run changes nothing.
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      ...(libc && { libc: [libc] }),
      optional: true,
      ...(os && { os: [os] }),
    }
  }
}
if (added.length > 0 && process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${added.join(', ')}. Run: node scripts/lock.mjs`)
  process.exit(1)
}
if (added.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  await writeFile(
    file,
    `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
  )
}
console.log(added.length > 0 ? `added ${added.join(', ')}` : 'package-lock.json is complete')

/** Whether a package at `place` finds `name` in its own node_modules or a parent's. */
function isResolved(place, name) {
  for (
    let folder = place;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

function platform(name) {
  const words = name.split(/[/-]/).map((word) => word.replace(/^(gnu|musl)?eabi(hf)?$/, '$1'))
  const os = systems.find((system) => words.includes(system))
  const cpu = processors.find((processor) => words.includes(processor))
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return { cpu, libc: os === 'linux' ? libc : undefined, os }
}
