import { afterAll, afterEach } from 'vitest'
import { cleanUp } from './server-process.ts'
import { stopSlapd } from './slapd.ts'
import { writeStatements } from './statements.ts'
import { closeTestApp } from './test-app.ts'

// Registered here, not in those modules: files share a worker's modules, and only this one runs for each of them.
afterEach(cleanUp)
afterAll(async () => {
  await closeTestApp()
  stopSlapd()
  writeStatements()
})
