import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnvironment } from '#platform/environment.ts'
import { mayReach, readOutboundAllow } from './outbound.ts'
import { followAllowFile } from './outbound-allow.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'atrium-allow-'))
  file = path.join(folder, 'allow')
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = () =>
  readEnvironment({ ATRIUM_OUTBOUND_ALLOW: '10.1.0.0/16:443', ATRIUM_OUTBOUND_ALLOW_FILE: file })

test('the file adds to the variable, and its changes apply without a restart', async () => {
  writeFileSync(file, '10.2.0.0/16:443  # the data centre\n\n[fd00::/8], 10.3.0.1\n')
  const env = read()
  const reached = (address: string, port = 443) =>
    mayReach(address, port, readOutboundAllow(env.ATRIUM_OUTBOUND_ALLOW))
  expect([reached('10.1.0.1'), reached('10.2.0.1'), reached('10.2.0.1', 80)]).toEqual([
    true,
    true,
    false,
  ])
  expect([reached('fd00::1', 8080), reached('10.3.0.1', 1), reached('10.4.0.1')]).toEqual([
    true,
    true,
    false,
  ])
  const said: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void said.push(line) })
  const stop = followAllowFile(env, '10.1.0.0/16:443', log, 50)
  try {
    writeFileSync(file, '10.4.0.0/16\n')
    await expect.poll(() => reached('10.4.0.1'), { timeout: 20_000 }).toBe(true)
    expect([reached('10.1.0.1'), reached('10.2.0.1')]).toEqual([true, false])
    // An invalid file changes nothing and is logged.
    writeFileSync(file, '10.5.0.0/16\neverything\n')
    await expect.poll(() => said.join(), { timeout: 20_000 }).toContain('everything')
    expect([reached('10.4.0.1'), reached('10.5.0.1')]).toEqual([true, false])
  } finally {
    stop()
  }
})

test('an invalid or missing file is rejected at startup with a clear error', () => {
  writeFileSync(file, 'fd00::/8\n')
  expect(read).toThrow(`${file} contains fd00::/8; it must contain ranges`)
  file = path.join(folder, 'nowhere')
  expect(read).toThrow('cannot be read: ENOENT')
})
