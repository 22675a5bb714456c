import { sql } from 'kysely'
import type { Database } from '#platform/database/db.ts'
import { type Environment, StartError } from '#platform/environment.ts'
import type { Platform } from '#platform/platform.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { openFiles } from '#platform/storage/files.ts'

/**
 * Keeps demo and real data apart, and fills an empty database with the demo institution. Its dates are relative to the
 * day of the fill, so it is filled again on another day.
 * @returns lines to print for the person who started it; undefined outside a demo
 * @throws StartError if the database does not match the mode
 */
export async function prepareDemo(platform: Platform): Promise<string[] | undefined> {
  const { db, env } = platform
  const state = await db
    .selectFrom('installation')
    .select(['demo', 'demo_filled_at'])
    .select(sql<boolean>`exists (select 1 from account)`.as('inhabited'))
    .executeTakeFirstOrThrow()
  if (!env.ATRIUM_DEMO) {
    if (!state.demo) return undefined
    throw new StartError(
      'This database holds the demo institution, whose passwords are public. Choose another database or ATRIUM_DATA_DIR, or start the demo with npm start.',
    )
  }
  if (!state.demo && state.inhabited) {
    throw new StartError(
      'This database holds real members, so the demo institution is not added to it. Start with npm run serve, or choose another database or ATRIUM_DATA_DIR for the demo.',
    )
  }
  const [{ demoAccounts, fillDemo }, { openCampus }, { openDemoSystems }] = await Promise.all([
    import('#demo/fill.ts'),
    import('#demo/campus.ts'),
    import('#demo/systems.ts'),
  ])
  if (!state.inhabited || isAnotherDay(state.demo_filled_at))
    await fillDemo(db, { today: new Date(), files: platform.files })
  if (!(await openCampus(platform))) await openDemoSystems(platform)
  return [
    '',
    `  Atrium demo   ${platform.origin()}`,
    ...demoAccounts.map(
      ({ username, name, password }) => `  ${username.padEnd(10)} ${password}   ${name}`,
    ),
    '',
  ]
}

/**
 * Resets the demo institution to its initial state.
 * @throws StartError for any other database
 */
export async function resetDemo(db: Database, env: Environment) {
  const { demo } = await db.selectFrom('installation').select('demo').executeTakeFirstOrThrow()
  if (!demo) {
    throw new StartError(
      'This database does not hold the demo institution, so there is nothing to reset. npm start creates it in an empty database.',
    )
  }
  const demoFill = await import('#demo/fill.ts')
  const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
  await demoFill.resetDemo(db, {
    today: new Date(),
    files: await openFiles(env, secret),
  })
}

const dayOf = (time: string | Date) =>
  new Date(time).toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' })
const isAnotherDay = (filledAt: string | null) =>
  filledAt === null || dayOf(filledAt) !== dayOf(new Date())
