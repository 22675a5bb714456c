import { createInterface } from 'node:readline'
// Importing all areas registers the extensions a delivery needs.
import '../src/domains.ts'
import { processDueMessage } from '#domains/work/sending/worker.ts'
import { openDatabase, openPool } from '#platform/database/db.ts'

// A separate node that sends what is due on each command; the test kills it in between.
const [url = ''] = process.argv.slice(2)
const db = openDatabase(openPool(url, 1))
await db.selectFrom('sending').select('id').limit(1).execute()
console.log('ready')
for await (const batch of createInterface({ input: process.stdin })) {
  while ((await db.transaction().execute((db) => processDueMessage(db, Number(batch)))) > 0) {
    // repeat until nothing is due
  }
  console.log('done')
}
