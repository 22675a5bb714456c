import { type ConfigEntry, type ConfigKey, configKeys } from '@atrium/contract/config-keys'
import { openDirectory } from '#domains/identity/directory/check-password.ts'
import { listDirectories } from '#domains/identity/directory/queries.ts'
import { testDirectory } from '#domains/identity/directory/test-connection.ts'
import { listOffered } from '#domains/identity/federation/queries.ts'
import { centralProvider } from '#domains/identity/federation/rules.ts'
import { fetchExternal } from '#platform/outbound/outbound.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { readSettings } from '#platform/settings/settings.ts'
import type { Installation } from '../installation.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

/** Warns if casUrl belongs to no enabled provider: members are then sent to our own login. */
export async function checkCentralLogin({ db }: Installation): Promise<Finding[]> {
  const settings = await readSettings(db)
  const { casUrl } = settings
  if (!casUrl || casUrl === '/cas/login') return [ok('members sign in at our own central login')]
  const provider = centralProvider(settings, await listOffered(db))
  return provider
    ? [ok(`members sign in at ${provider.code} (${provider.kind})`)]
    : [
        warning(
          `casUrl ${casUrl} belongs to no enabled external login, so members are sent to our own central login. See npx atrium provider list`,
        ),
      ]
}

/** Tests every directory with the server's own queries. */
export async function checkDirectories({ db, env }: Installation): Promise<Finding[]> {
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  const rows = await listDirectories(db)
  if (rows.length === 0) return [ok('no directory is configured')]
  return Promise.all(
    rows.map(async (row) => {
      const tried = await testDirectory(
        openDirectory({ secret }, row),
        env.ATRIUM_OUTBOUND_ALLOW,
        undefined,
      )
      if (tried.ok)
        return ok(
          `${row.code} answers, and has members, organisations and groups where the settings look for them`,
        )
      const wrong = tried.steps.filter((step) => !step.ok).at(-1)
      return failed(`${row.code}: ${wrong?.step} at ${wrong?.server}: ${wrong?.detail}`)
    }),
  )
}

/** Whether this machine can reach every address in the configuration. */
export async function checkBases({ db, env }: Installation): Promise<Finding[]> {
  const settings = await readSettings(db)
  const keys = (Object.entries(configKeys) as [ConfigKey, ConfigEntry][]).filter(
    ([key, { kind }]) =>
      (kind === 'address' || kind === 'eventAddress') && /^https?:/.test(settings[key]),
  )
  if (keys.length === 0) return [ok('no outside address is configured')]
  return Promise.all(
    keys.map(async ([key]) => {
      try {
        const { status } = await fetchExternal(settings[key], {
          allow: env.ATRIUM_OUTBOUND_ALLOW,
          method: 'HEAD',
          seconds: 8,
        })
        return status >= 500
          ? warning(`${key} ${settings[key]} answers with status ${status}`)
          : ok(`${key} ${settings[key]} answers`)
      } catch (error) {
        // Sign-in needs these two; the others are links that members open.
        const needed = key === 'casUrl' || key === 'oriCasUrl'
        return (needed ? failed : warning)(`${key}: ${(error as Error).message}`)
      }
    }),
  )
}
