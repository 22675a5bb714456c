import type { FastifyRequest } from 'fastify'

/** Device information reported by the client. */
export type Device = {
  deviceId?: string
  os?: string
  osVersion?: string
  model?: string
  appVersion?: string
  terminal?: string
  userAgent?: string
}

/** Reads the device information reported by the client: a hint for the device list, never trusted for anything else. */
export function deviceOf(request: FastifyRequest): Device {
  const device: Device = { userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300) }
  const terminal = request.headers['x-terminal-info']
  if (terminal === 'wechat' || terminal === 'app' || terminal === 'h5') device.terminal = terminal
  const header = request.headers['x-device-info']
  if (typeof header !== 'string' || header.length > 1400) return device
  try {
    const reported = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    for (const key of ['deviceId', 'os', 'osVersion', 'model', 'appVersion'] as const) {
      const value = reported[key]
      if (typeof value === 'string') device[key] = value.slice(0, 100)
    }
  } catch {
    // a malformed hint is ignored
  }
  return device
}
