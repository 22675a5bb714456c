import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { outboundAllowForm, readOutboundAllow } from './outbound.ts'

type Allow = {
  ATRIUM_OUTBOUND_ALLOW: string | undefined
  ATRIUM_OUTBOUND_ALLOW_FILE: string | undefined
}

/**
 * Combines the variable and the file. The file has ranges separated by line breaks or commas; # starts a comment.
 * @throws Error that describes the problem with the file
 */
export function readAllowFile(variable: string | undefined, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(
      `${file} (ATRIUM_OUTBOUND_ALLOW_FILE) cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    )
  }
  const ranges = text
    .split('\n')
    .flatMap((line) => line.replace(/#.*/, '').split(','))
    .map((range) => range.trim())
    .filter(Boolean)
  const wrong = ranges.find((range) => !isRange(range))
  if (wrong !== undefined)
    throw new Error(`${file} contains ${wrong}; it must contain ${outboundAllowForm}.`)
  return [variable, ...ranges].filter(Boolean).join()
}

function isRange(text: string) {
  try {
    return readOutboundAllow(text).length === 1
  } catch {
    return false
  }
}

/**
 * Re-reads the file within seconds of a change, so that networks are opened or closed without a restart. An invalid or
 * missing file changes nothing.
 * @param env updated in place; all outgoing requests read it
 * @param variable ATRIUM_OUTBOUND_ALLOW itself
 * @returns a function that stops watching
 */
export function followAllowFile(
  env: Allow,
  variable: string | undefined,
  log: Logger,
  interval = 2000,
): () => void {
  const file = env.ATRIUM_OUTBOUND_ALLOW_FILE
  if (!file) return () => {}
  let complaint = ''
  const timer = setInterval(() => {
    try {
      const allow = readAllowFile(variable, file)
      complaint = ''
      if (allow === env.ATRIUM_OUTBOUND_ALLOW) return
      env.ATRIUM_OUTBOUND_ALLOW = allow
      log.info({ allow }, 'ATRIUM_OUTBOUND_ALLOW_FILE has changed and was reloaded')
    } catch (error) {
      const { message } = error as Error
      if (message !== complaint) log.error(`${message} The previous ranges stay in effect.`)
      complaint = message
    }
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}
