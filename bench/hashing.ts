import { openHashing } from '../apps/server/src/domains/identity/identity/password.ts'

export type HashJob = { threads: number; seconds: number }

/** Verifies a password repeatedly, `threads` at a time: the upper bound set by the Argon2 parameters. */
process.on('message', async ({ threads, seconds }: HashJob) => {
  const hashing = openHashing(threads)
  const hash = await hashing.hash('Atrium-demo-2026')
  const end = performance.now() + seconds * 1000
  let checked = 0
  const worker = async () => {
    while (performance.now() < end) {
      await hashing.matches(hash, 'Atrium-demo-2026')
      if (performance.now() < end) checked++
    }
  }
  await Promise.all(Array.from({ length: threads }, worker))
  process.send?.({ perSecond: checked / seconds })
})
process.on('disconnect', () => process.exit())
