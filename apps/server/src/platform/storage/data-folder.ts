import { accessSync, constants, mkdirSync } from 'node:fs'
import { StartError } from '#platform/environment.ts'

/** @throws StartError if the folder cannot be created or written */
export function makeDataFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Give this user write permission, or choose another one with ATRIUM_DATA_DIR.`,
    )
  }
}
