import { accessSync, constants, mkdirSync } from 'node:fs'
import { StartError } from '#platform/environment.ts'

/** @throws StartError when it is not there and cannot be made, or cannot be written */
export function makeDataFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Give this user the right to, or choose another one with ATRIUM_DATA_DIR.`,
    )
  }
}
