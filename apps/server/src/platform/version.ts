import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Atrium's version, from its package.json. */
export const version: string = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'),
).version
