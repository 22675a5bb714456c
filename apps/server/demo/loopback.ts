import type { Environment } from '../src/platform/environment.ts'

/** Lets the portal ask a system of the demo on this machine, by whichever of its addresses `localhost` stands for. */
export function allowLoopback(env: Environment, port: number | string) {
  env.ATRIUM_OUTBOUND_ALLOW = [env.ATRIUM_OUTBOUND_ALLOW, `127.0.0.1:${port}`, `[::1]:${port}`]
    .filter(Boolean)
    .join(',')
}
