import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * A data directory and the environment of the nodes that use it: with one secret, so that tokens are valid on all
 * nodes, and without rate limits, as all callers share one address.
 * @param more further settings
 */
export function openBenchFolder<More extends Record<string, string>>(more?: More) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
  // As root, the embedded database runs as another user, who needs access.
  chmodSync(dataDir, 0o711)
  const variables = {
    ATRIUM_DEMO: '1',
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_SECRET: randomBytes(24).toString('hex'),
    ATRIUM_PUBLIC_URL: 'http://localhost:8080',
    ATRIUM_RATE_LIMIT: '0',
    ...(more as More),
  }
  return { dataDir, variables }
}
