// `node scripts/libraries.ts`: checks that decision 1 has a line for every dependency of the repository, and for nothing else.
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const decision = 'docs/decisions/0001-libraries.md'
const read = (file: string) => readFile(path.join(root, file), 'utf8')

/** Every dependency, and the first manifest that names it. */
const used = new Map<string, string>()
const { workspaces } = JSON.parse(await read('package.json')) as { workspaces: string[] }
const manifests = ['.', ...workspaces].map((folder) => `${folder}/package.json`)
for await (const file of glob(manifests, { cwd: root })) {
  const { dependencies, devDependencies } = JSON.parse(await read(file))
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    if (!name.startsWith('@atrium/') && !used.has(name)) used.set(name, file)
}

/** The names in the first column, without its header. `@scope/*` stands for a whole scope. */
const rows = [...(await read(decision)).matchAll(/^\| ([^|]+) \| [^|\s]/gm)].slice(1)
const listed = rows.flatMap(([, names = '']) => names.split(', '))
const issues = [
  ...[...used]
    .filter(([name]) => !listed.some((pattern) => path.matchesGlob(name, pattern)))
    .map(([name, file]) => `${decision} gives no reason for ${name} (${file})`),
  ...listed
    .filter((pattern) => ![...used.keys()].some((name) => path.matchesGlob(name, pattern)))
    .map((pattern) => `${decision} lists ${pattern}, which no package.json has`),
]
if (used.size === 0) issues.push('no dependency was found')
for (const issue of issues) console.error(issue)
process.exitCode = issues.length > 0 ? 1 : 0
