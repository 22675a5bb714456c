import { StartError } from '#platform/environment.ts'

/** The number of an option; nothing where it was not given. @throws StartError */
export function wholeNumber(name: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new StartError(`--${name} must be a whole number from ${least} to ${most}.`)
  return value
}
