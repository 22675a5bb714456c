import { afterAll, afterEach } from 'vitest'
import { cleanUp } from './server-process.ts'
import { stopSlapd } from './slapd.ts'
import { writeStatements } from './statements.ts'
import { closeTestApp } from './test-app.ts'

// Here and not in those modules: files share what their worker has loaded, and only this one is run for each of them.
afterEach(cleanUp)
afterAll(async () => {
  await closeTestApp()
  stopSlapd()
  writeStatements()
})
