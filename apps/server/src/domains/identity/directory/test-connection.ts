import type { DirectoryTest } from '@atrium/contract/identity/directory'
import { Filter } from 'ldapts'
import {
  attributesOf,
  identityReader,
  isBinary,
  renderTemplate,
  templateAttributes,
  valuesOf,
} from './entries.ts'
import {
  type Connection,
  type Directory,
  DirectoryError,
  errorLine,
  interactiveTimeouts,
  searchOptionsFor,
  withDirectory,
} from './ldap.ts'

type StepResult = DirectoryTest['steps'][number]

/** Runs every step of querying a directory, in order, with what was found or what failed. */
export async function testDirectory(
  directory: Directory,
  allow: string | undefined,
  username: string | undefined,
): Promise<DirectoryTest> {
  const steps: StepResult[] = []
  const { members, organizations, groups } = directory.settings
  try {
    await withDirectory(
      directory,
      allow,
      { ...interactiveTimeouts, seconds: 30 },
      async (connection) => {
        const runStep = (
          step: StepResult['step'],
          work: () => Promise<{ ok: boolean; detail: string }>,
        ) => recordStep(connection, steps, step, work)
        await runStep('members', () => trySearch(connection, members, members.username))
        if (organizations)
          await runStep('organizations', () =>
            trySearch(connection, organizations, organizations.code),
          )
        if (groups) await runStep('groups', () => trySearch(connection, groups, groups.code))
        if (username) await runStep('person', () => findPerson(connection, directory, username))
      },
      (server, step, issue) =>
        steps.push({
          step,
          server,
          ok: !issue,
          detail:
            issue?.message ??
            (step === 'bind' ? `bound as ${directory.settings.bindDn}` : 'encrypted'),
        }),
    )
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
  }
  // An unreachable server does not matter if a later one answers.
  const last = new Map(steps.map((step) => [step.step, step]))
  const reached = last.get('bind')?.ok ?? false
  const ok =
    reached &&
    [...last.values()].every(
      ({ ok, step }) => ok || ['address', 'connect', 'encrypt'].includes(step),
    )
  return { ok, steps }
}

async function recordStep(
  { server }: Connection,
  steps: StepResult[],
  step: StepResult['step'],
  work: () => Promise<{ ok: boolean; detail: string }>,
) {
  try {
    steps.push({ step, server, ...(await work()) })
  } catch (error) {
    if (error instanceof DirectoryError) throw error
    steps.push({ step, server, ok: false, detail: errorLine(error as Error) })
  }
}

async function trySearch(
  { client }: Connection,
  { base, filter, key }: { base: string; filter: string; key: string },
  template: string,
) {
  const { searchEntries, searchReferences } = await client.search(
    base,
    searchOptionsFor(filter, [key, ...templateAttributes(template)], {
      sizeLimit: 10,
      timeLimit: 5,
    }),
  )
  const notes = searchReferences.length > 0 ? ' References to other servers are not followed.' : ''
  const [first] = searchEntries
  if (!first)
    return {
      ok: false,
      detail: `Nothing matches ${filter} below ${base}, or bindDn may not read it.${notes}`,
    }
  const attributes = attributesOf(first)
  if (valuesOf(attributes, key).length === 0)
    return {
      ok: false,
      detail: `${first.dn} has no ${key}: check key, and what bindDn may read.`,
    }
  const value = renderTemplate(template, attributes)
  if (value === '')
    return { ok: false, detail: `${first.dn} gives no value for ${template}: check the template.` }
  return { ok: true, detail: `For example ${first.dn}: ${value}.${notes}` }
}

async function findPerson({ client }: Connection, { settings }: Directory, username: string) {
  const { members } = settings
  const [attribute] = templateAttributes(members.username)
  if (!attribute) return { ok: false, detail: 'members.username does not name an attribute.' }
  const filter = `(&${members.filter}(${attribute}=${Filter.escape(username)}))`
  const attributes = [members.key, ...templateAttributes(members.name, members.identity)]
  const { searchEntries } = await client.search(
    members.base,
    searchOptionsFor(filter, attributes, { sizeLimit: 2 }),
  )
  const [entry] = searchEntries
  if (!entry) return { ok: false, detail: `No entry has ${attribute} ${username}.` }
  if (searchEntries.length > 1)
    return { ok: false, detail: `More than one entry has ${attribute} ${username}.` }
  const values = attributesOf(entry)
  const identity = identityReader(members)(values)
  if (identity === undefined)
    return {
      ok: false,
      detail: `${entry.dn}: ${renderTemplate(members.identity, values)} has no code in members.identities.`,
    }
  return {
    ok: true,
    detail: `${entry.dn}: ${renderTemplate(members.name, values)}, identity ${identity || 'none'}, key ${valuesOf(values, members.key)[0] ?? 'none'}${isBinary(members.key) ? ' (hexadecimal)' : ''}`,
  }
}
