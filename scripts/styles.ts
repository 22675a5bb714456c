// Checks that styles stay within their area: every selector of an area names a class of that area. An area thus cannot
// restyle another one, and can restyle components of `ui` only inside its own elements.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { type Selector, transform } from 'lightningcss'

const source = path.join(path.dirname(import.meta.dirname), 'apps/portal/src')
type Rule = { area: string; file: string; classes: string[]; line: number }
const rules: Rule[] = []
for await (const file of glob('**/*.css', { cwd: source })) {
  const area = /^domains\/[^/]+\/[^/]+/.exec(file)?.[0] ?? file.split('/')[0] ?? ''
  transform({
    filename: file,
    code: readFileSync(path.join(source, file)),
    visitor: {
      Rule: {
        style({ value: { selectors, loc } }) {
          for (const selector of selectors)
            rules.push({ area, file, classes: classesOf(selector), line: loc.line + 1 })
        },
      },
    },
  })
}

/** The owning areas of each class. Selectors tied to a class of their own area do not claim their other classes. */
let owners = ownersOf(rules)
owners = ownersOf(rules.filter((rule) => !isTied(rule) || rule.classes.length === 1))
const issues = rules
  .filter((rule) => rule.area.startsWith('domains/') && !isTied(rule))
  .map(({ area, file, line, classes }) => {
    const [name = ''] = classes
    const others = [...(owners.get(name) ?? [])].filter((other) => other !== area)
    return `${file}:${line} ${name ? `.${name} belongs to ${others.join(', ')}` : 'names no class'}`
  })
for (const issue of new Set(issues)) console.error(issue)
if (issues.length > 0) process.exit(1)
console.log(`${owners.size} classes; every selector of an area contains a class of that area.`)

function ownersOf(selected: readonly Rule[]) {
  const found = new Map<string, Set<string>>()
  for (const { area, classes } of selected)
    for (const name of classes) found.set(name, (found.get(name) ?? new Set()).add(area))
  return found
}

function isTied({ area, classes }: Rule) {
  return classes.some((name) => {
    const owning = owners.get(name)
    return owning === undefined || (owning.size === 1 && owning.has(area))
  })
}

function classesOf(selector: Selector): string[] {
  return selector.flatMap((part) => {
    if (part.type === 'class') return part.name
    // A state attribute set by a script.
    if (part.type === 'attribute' && part.name.startsWith('data-'))
      return `${part.name}=${part.operation?.value ?? ''}`
    if (part.type === 'pseudo-class' && 'selectors' in part && part.selectors)
      // A negated class claims nothing.
      return part.kind === 'not' ? [] : (part.selectors as Selector[]).flatMap(classesOf)
    return []
  })
}
