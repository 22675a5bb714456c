import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atrium } from './command-line.ts'
import { startServer } from './server.ts'
import { password } from './session.ts'

/** The contents of the files to import, by what `atrium import` calls them. */
type Imports = { identities: string; organisations: string; members: string }

/**
 * A separate institution, set up as by operators, for what a demo does not do, such as sending mail.
 *
 * @param usernames the members who can sign in, with the usual password
 */
export async function startInstitution(
  allowedPorts: number[],
  variables: Record<string, string>,
  imports: Imports,
  usernames: readonly string[],
) {
  const server = await startServer(allowedPorts, { ATRIUM_DEMO: '0', ...variables })
  const operate = (args: string[], input = '') =>
    atrium(args, input, { ATRIUM_DEMO: '0', ATRIUM_DATA_DIR: server.dataDir })
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-institution-'))
  for (const [what, text] of Object.entries(imports)) {
    const file = path.join(folder, `${what}.csv`)
    await writeFile(file, text)
    await operate(['import', what, file])
  }
  await rm(folder, { recursive: true })
  for (const username of usernames)
    await operate(['user', 'password', username, '--stdin', '--keep'], `${password}\n`)
  return { ...server, operate }
}
