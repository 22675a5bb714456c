// Prints the three maps as pages of the documentation: docs/maps/. `--check` only compares.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { endpoints } from '@atrium/contract'
import { type ConfigEntry, configKeys } from '@atrium/contract/config-keys'
import type { EndpointTable } from '@atrium/contract/define'
import { environmentTable } from '../apps/server/src/platform/environment.ts'

type Variable = { means: string; example?: string; read: (value: undefined) => unknown }

/** The printed part of a screen. The portal's own type cannot be imported: it belongs to a program for the browser. */
type Screen = {
  area: string
  title: (inputs: object, options: { locale: string }) => string
  access: string
  search?: Record<string, unknown>
  tab?: number
}

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'docs/maps')
const routes: string = path.join(root, 'apps/portal/src/routes.ts')
const { screens } = (await import(routes)) as { screens: Record<string, Screen> }

const pages = {
  'screens.md': page('Screens', 'apps/portal/src/routes.ts', [
    table(
      ['address', 'area', 'title', 'access', 'reads', 'tab'],
      Object.entries(screens).map(([address, screen]) => [
        code(address),
        screen.area,
        titles(screen),
        screen.access,
        Object.keys(screen.search ?? {})
          .map(code)
          .join(' '),
        String(screen.tab ?? ''),
      ]),
    ),
  ]),
  'endpoints.md': page(
    'Endpoints',
    'packages/contract/src/index.ts',
    Object.entries<EndpointTable>(endpoints).flatMap(([area, list]) => [
      `## ${area}`,
      table(
        ['name', 'request', 'access', 'what', 'errors of its own'],
        Object.entries(list).map(([name, endpoint]) => [
          code(`${area}.${name}`),
          code(`${endpoint.method} ${endpoint.path}`),
          endpoint.permission ? `operator: ${endpoint.permission}` : endpoint.access,
          [endpoint.summary, endpoint.description].filter(Boolean).join('. '),
          (endpoint.errors ?? []).map(code).join(' '),
        ]),
      ),
    ]),
  ),
  'config-keys.md': page('Configuration keys', 'packages/contract/src/config-keys.ts', [
    'Values are text. Visitors receive only the keys marked “yes”; signed-in members receive all.',
    table(
      ['key', 'value', 'default', 'visitors', 'meaning'],
      Object.entries<ConfigEntry>(configKeys).map(([key, entry]) => [
        code(key),
        (entry.choices ?? [entry.kind]).join(', '),
        entry.initial === '' ? '' : code(entry.initial),
        entry.visitor ? 'yes' : '',
        entry.means,
      ]),
    ),
  ]),
  'environment.md': page('Environment', 'apps/server/src/platform/environment.ts', [
    'An invalid value stops the start with an error that names the variable. An empty value counts as not set.',
    table(
      ['variable', 'default', 'meaning', 'example'],
      Object.entries<Variable>(environmentTable).map(([name, entry]) => [
        code(name),
        String(entry.read(undefined) ?? '').replace('false', '0'),
        entry.means,
        entry.example ? code(entry.example) : '',
      ]),
    ),
  ]),
}

await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(folder, name)
  const current = await readFile(file, 'utf8').catch(() => '')
  if (current === text) continue
  if (process.argv.includes('--check')) {
    console.error(`docs/maps/${name} does not match the code. Run: npm run maps`)
    process.exitCode = 1
  } else {
    await writeFile(file, text)
    console.log(`wrote docs/maps/${name}`)
  }
}

function page(title: string, source: string, parts: string[]) {
  const note = `Printed from [\`${source}\`](../../${source}) by \`npm run maps\`; do not edit.`
  return `${[`# ${title}`, note, ...parts].join('\n\n')}\n`
}

function table(head: string[], rows: string[][]) {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function code(text: string) {
  return `\`${text}\``
}

/** Titles are message functions, which take the language as their second argument. */
function titles({ title }: Screen) {
  const chinese = title({}, { locale: 'zh' })
  const english = title({}, { locale: 'en' })
  return chinese === english ? chinese : `${chinese} / ${english}`
}
