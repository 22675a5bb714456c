// Checks the areas of the apps: edges sort topologically and are used, SQL stays on an area's own tables and those of
// listed areas, areas, folders and files stay small, and an area has the same name and domain on every side.
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { edges, tables } from './area-edges.ts'

const root = path.dirname(import.meta.dirname)
const apps = ['server', 'portal'] as const
/** Maximum files per area, without tests, and per other folder. */
const maxFiles = { area: 20, folder: 25 }
/**
 * Maximum lines per file, unless it begins with a reason: `// Over 400 lines: …`. Tests, data and generated files are
 * exempt.
 */
const maxLines = 400
type Area = { app: (typeof apps)[number]; domain: string; name: string; files: string[] }
const issues: string[] = []
const areas = (await Promise.all(apps.map(listAreas))).flat()

checkNames()
for (const app of apps) {
  checkOrder(app)
  await checkUse(app)
}
checkSizes()
await checkFolders()
await checkLengths()
for (const issue of issues) console.error(issue)
if (issues.length > 0) process.exit(1)
console.log(`${areas.length} areas, their edges and tables are in order.`)

async function listAreas(app: Area['app']): Promise<Area[]> {
  const folder = path.join(root, 'apps', app, 'src/domains')
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const areas = new Map<string, Area>()
  for (const entry of found) {
    const [domain = '', name] = path.relative(folder, entry.parentPath).split(path.sep)
    if (!entry.isFile() || !name) continue
    const area = areas.get(`${domain}/${name}`) ?? { app, domain, name, files: [] }
    area.files.push(path.join(entry.parentPath, entry.name))
    areas.set(`${domain}/${name}`, area)
  }
  return [...areas.values()]
}

function checkNames() {
  const domainOf = new Map<string, string>()
  for (const { name, domain, app } of areas) {
    const otherDomain = domainOf.get(name)
    if (otherDomain && otherDomain !== domain)
      issues.push(
        `${name} is in ${domain} in the ${app} but in ${otherDomain} elsewhere: choose one`,
      )
    domainOf.set(name, domain)
  }
  for (const { app, name, files } of areas) {
    const areaFile = files.find((file) => app === 'server' && path.basename(file) === 'area.ts')
    const declaredName =
      areaFile && /^ {2}name: '([\w-]+)'/m.exec(readFileSync(areaFile, 'utf8'))?.[1]
    if (areaFile && declaredName !== name)
      issues.push(
        `${path.relative(root, areaFile)} declares the name ${declaredName}, but its folder is ${name}`,
      )
  }
  for (const app of apps)
    for (const name of Object.keys(edges[app]))
      if (!areas.some((area) => area.app === app && area.name === name))
        issues.push(`scripts/area-edges.ts lists ${name}, which is not an area of the ${app}`)
}

/** Removes areas that use no other, or that no other uses, until none is left; the remaining ones form cycles. */
function checkOrder(app: Area['app']) {
  const remaining = new Map(Object.entries(edges[app]))
  for (;;) {
    const dependencies = new Set([...remaining.values()].flat())
    const removable = [...remaining].filter(
      ([name, uses]) => !dependencies.has(name) || !uses.some((one) => remaining.has(one)),
    )
    if (removable.length === 0) break
    for (const [name] of removable) remaining.delete(name)
  }
  if (remaining.size > 0)
    issues.push(
      `The areas ${[...remaining.keys()].join(', ')} of the ${app} depend on each other. Let the lower one declare an extension.`,
    )
}

async function checkUse(app: Area['app']) {
  const ownerOf = app === 'server' ? await tableOwners() : new Map<string, string>()
  for (const { name, files } of areas.filter((area) => area.app === app)) {
    const used = new Set<string>()
    for (const file of files) {
      if (/\.test\.tsx?$/.test(file)) continue
      const text = await readFile(file, 'utf8')
      for (const area of importedAreas(file, text)) used.add(area)
      // An export of personal data is one statement, which joins the names of what it references.
      if (app === 'portal' || file.endsWith('personal-data.ts')) continue
      for (const table of tablesIn(text)) {
        const owner = ownerOf.get(table)
        if (!owner || owner === 'platform' || owner === name) continue
        used.add(owner)
        if (!edges.server[name]?.includes(owner))
          issues.push(
            `${path.relative(root, file)} uses the table ${table} of ${owner}: add the edge, or call that area`,
          )
      }
    }
    for (const listed of edges[app][name] ?? [])
      if (!used.has(listed)) issues.push(`The edge ${name} → ${listed} of the ${app} is not used.`)
  }
}

function importedAreas(file: string, text: string): string[] {
  const app = file.split(path.sep).includes('portal') ? 'portal' : 'server'
  const base = path.join(root, 'apps', app, 'src/domains')
  const ownArea = path.relative(base, file).split(path.sep)[1]
  return [...text.matchAll(/(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].flatMap(([, target]) => {
    if (!target) return []
    const relative = target.startsWith('#domains/')
      ? target.slice('#domains/'.length)
      : target.startsWith('.')
        ? path.relative(base, path.resolve(path.dirname(file), target))
        : '..'
    const [domain, name] = relative.split(path.sep)
    return domain === '..' || !name || name === ownArea ? [] : [name]
  })
}

/** Tables named in query builder calls and in SQL. */
function tablesIn(text: string): Set<string> {
  const code = text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
  const names = new Set<string>()
  const builder =
    /(?:selectFrom|innerJoin|leftJoin|insertInto|updateTable|deleteFrom)\(\s*'([a-z_]+)(?: as \w+)?'/g
  for (const [, name] of code.matchAll(builder)) if (name) names.add(name)
  for (const [, sql = ''] of code.matchAll(/sql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/gs))
    for (const [, name] of sql.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)\b/g))
      if (name) names.add(name)
  return names
}

async function tableOwners() {
  const owners = new Map(
    Object.entries(tables).flatMap(([area, names]) =>
      names.split(' ').map((name) => [name, area] as const),
    ),
  )
  const folder = path.join(root, 'apps/server/migrations')
  const names = areas.filter(({ app }) => app === 'server').map(({ name }) => name)
  for (const file of await readdir(folder)) {
    const rest = /^\d{12}-(.+)\.ts$/.exec(file)?.[1]
    const area = names
      .filter((name) => rest?.startsWith(`${name}-`))
      .sort((a, b) => b.length - a.length)[0]
    if (rest && !area && !rest.startsWith('platform-'))
      issues.push(`migrations/${file} names no area; name it YYYYMMDDHHMM-area-what.ts`)
    const text = await readFile(path.join(folder, file), 'utf8')
    for (const [, table] of text.matchAll(
      /create (?:unlogged )?table (?:if not exists )?([a-z_]+)/g,
    )) {
      if (!table) continue
      if (rest) owners.set(table, area ?? 'platform')
      else if (!owners.has(table))
        issues.push(`The table ${table} of migrations/${file} belongs to no area.`)
    }
  }
  return owners
}

function checkSizes() {
  for (const { app, name, files } of areas) {
    const count = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)).length
    if (count > maxFiles.area)
      issues.push(`${name} of the ${app} has ${count} files, ${maxFiles.area} at most: split it`)
  }
}

async function checkFolders() {
  for (const folder of ['apps/server/src', 'apps/portal/src', 'packages']) {
    const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
    const counts = new Map<string, number>()
    for (const entry of found) {
      const place = path.relative(root, entry.parentPath)
      if (!entry.isFile() || /node_modules|paraglide|\/domains\/|\/dist/.test(place)) continue
      if (/\.test\.tsx?$|\.css$/.test(entry.name)) continue
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    for (const [place, count] of counts) {
      if (count > maxFiles.folder)
        issues.push(`${place} has ${count} files, ${maxFiles.folder} at most: group them`)
    }
  }
}

async function checkLengths() {
  const long = /\.test\.tsx?$|\.gen\.ts$|\.d\.ts$/
  for (const folder of [
    'apps/server/src',
    'apps/portal/src',
    'packages',
    'bench',
    'scripts',
    'e2e',
  ]) {
    const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of found) {
      const file = path.join(entry.parentPath, entry.name)
      if (!entry.isFile() || !/\.(tsx?|mjs)$/.test(file) || long.test(file)) continue
      if (/node_modules|paraglide|\/dist\/|\/results\/|\.spec\.ts$/.test(file)) continue
      const text = await readFile(file, 'utf8')
      const lines = text.split('\n').length - 1
      if (lines > maxLines && !text.startsWith('// Over 400 lines: '))
        issues.push(
          `${path.relative(root, file)} has ${lines} lines, ${maxLines} at most: split it, or start it with the reason`,
        )
    }
  }
}
