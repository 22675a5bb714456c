import { StartError } from '#platform/environment.ts'

/** Parses a number option; undefined if it was not given. @throws StartError */
export function wholeNumber(name: string, text: string | undefined, min: number, max: number) {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new StartError(`--${name} must be a whole number from ${min} to ${max}.`)
  return value
}
