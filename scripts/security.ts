// `node scripts/security.ts`: checks that every test named in docs/security.md exists under that name.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const list = await readFile(path.join(root, 'docs/security.md'), 'utf8')
const testFile = /\.(test|spec)\.tsx?$/
const found = await Promise.all(
  ['apps', 'packages', 'e2e'].map(async (folder) =>
    (await readdir(path.join(root, folder), { recursive: true }))
      .filter((file) => testFile.test(file) && !file.includes('node_modules'))
      .map((file) => path.join(folder, file)),
  ),
)
const files = found.flat()

const issues: string[] = []
let names = 0
for (const [index, line] of list.split('\n').entries()) {
  let source = ''
  // A file in backticks, or a test title in italics, which belongs to the file before it.
  for (const [, file, name] of line.matchAll(/`([^`\s]+)`|(?<!\*)\*([^*|]+)\*(?!\*)/g)) {
    const issue = (what: string) => issues.push(`docs/security.md:${index + 1}: ${what}`)
    if (file && testFile.test(file)) {
      const candidates = files.filter((known) => `/${known}`.endsWith(`/${file}`))
      if (candidates.length === 0) issue(`there is no ${file}`)
      const sources = candidates.map((known) => readFile(path.join(root, known), 'utf8'))
      source = (await Promise.all(sources)).join('\n')
    } else if (name && source) {
      names += 1
      if (!source.includes(name)) issue(`no test in that file is named “${name}”`)
    }
  }
}
if (names === 0) issues.push('docs/security.md names no test')
for (const issue of issues) console.error(issue)
process.exitCode = issues.length > 0 ? 1 : 0
