import { readFile } from 'node:fs/promises'
import { configIssue } from '@atrium/contract/config-checks'
import {
  type ConfigEntry,
  type ConfigKey,
  configKeys,
  isConfigKey,
} from '@atrium/contract/config-keys'
import type { Command } from 'commander'
import { invalidTabFields } from '#domains/shell/config/tabs.ts'
import { StartError } from '#platform/environment.ts'
import { fileIssue } from '#platform/ingest/text-file.ts'
import { outboundIssue } from '#platform/outbound/outbound.ts'
import { findClosedAddress } from '#platform/settings/closed-addresses.ts'
import { readSettings, updateSetting } from '#platform/settings/settings.ts'
import { withInstallation } from './installation.ts'

export function addConfigCommands(program: Command) {
  const group = program
    .command('config')
    .description('read and change the configuration of the portal')
  group
    .command('get [key]')
    .description('show one value, or all with their descriptions')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium config get
  npx atrium config get timeZone`,
    )
    .action((key?: string) =>
      withInstallation('current', async ({ db }) => {
        const settings = await readSettings(db)
        if (key !== undefined) return console.log(settings[known(key)])
        for (const [name, entry] of Object.entries(configKeys) as [ConfigKey, ConfigEntry][]) {
          const mark = settings[name] === entry.initial ? ' ' : '*'
          const value =
            settings[name].length > 100 ? `${settings[name].slice(0, 97)}…` : settings[name]
          console.log(
            `${mark} ${name} = ${value.replaceAll(/\s+/g, ' ')}\n    ${entry.means}${entry.choices ? ` (${entry.choices.join(', ')})` : ''}`,
          )
        }
        console.log('\n* differs from the default')
      }),
    )
  group
    .command('set <key> [value]')
    .description('change one value; open portals get it at their next poll')
    .option('--file <file>', 'read the value from a file, for texts such as the privacy statement')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium config set schoolName 江岚大学
  npx atrium config set ENV_APP_MOURNING_MODE 1
  npx atrium config set userPrivacy --file privacy.html`,
    )
    .action(async (name: string, given: string | undefined, options: { file?: string }) => {
      const key = known(name)
      if ((given === undefined) === (options.file === undefined))
        throw new StartError('Give either a value or --file.')
      const value =
        options.file === undefined
          ? (given as string)
          : await readFile(options.file, 'utf8').catch((error) => {
              throw new StartError(fileIssue(options.file as string, error))
            })
      const issue = configIssue(key, value) ?? (key === 'footTabs' ? tabsIssue(value) : undefined)
      if (issue) throw new StartError(`${issue}. Nothing was changed.`)
      await withInstallation('current', async ({ env, db }) => {
        const inside = findClosedAddress(key, value, env.ATRIUM_OUTBOUND_ALLOW)
        if (inside)
          throw new StartError(
            `${inside} is inside the institution’s network, and ATRIUM_OUTBOUND_ALLOW does not allow it. Nothing was changed.`,
          )
        if (configKeys[key].kind === 'base' && value !== '') {
          const closed = await outboundIssue(value, env.ATRIUM_OUTBOUND_ALLOW)
          if (closed) throw new StartError(`${closed.message} Nothing was changed.`)
        }
        await db.transaction().execute((db) => updateSetting(db, key, value))
      })
      console.log(`${key} was set.`)
    })
}

function tabsIssue(value: string) {
  const [misfit] = invalidTabFields(JSON.parse(value))
  return misfit === undefined ? undefined : `footTabs.${misfit} has the wrong type or format`
}

function known(key: string): ConfigKey {
  if (isConfigKey(key)) return key
  const near = Object.keys(configKeys).filter((name) =>
    name.toLowerCase().includes(key.toLowerCase()),
  )
  throw new StartError(
    `There is no configuration key ${key}. ${near.length > 0 ? `Did you mean ${near.slice(0, 5).join(', ')}?` : 'npx atrium config get lists all.'}`,
  )
}
