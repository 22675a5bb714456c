import type { Environment } from '../src/platform/environment.ts'

/** Allows outgoing requests to a demo system on this machine, on both loopback addresses. */
export function allowLoopback(env: Environment, port: number | string) {
  env.ATRIUM_OUTBOUND_ALLOW = [env.ATRIUM_OUTBOUND_ALLOW, `127.0.0.1:${port}`, `[::1]:${port}`]
    .filter(Boolean)
    .join(',')
}
