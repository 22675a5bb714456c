import { type ContainerName, detectDevice, detectEnvironment } from '@atrium/rules/user-agent'
import type { Device } from './device.ts'

/**
 * Human-readable description of a device. `program` is a browser name, or the code of a container, which is translated.
 */
export type DeviceDescription = {
  kind: 'phone' | 'tablet' | 'computer' | 'other'
  system: string
  model: string
  program: string
}

const systems: Record<string, string> = {
  ios: 'iOS',
  android: 'Android',
  harmony: 'HarmonyOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
}

/** Order matters: most user agents also contain the names of those listed after them. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/HuaweiBrowser\//i, 'Huawei Browser'],
  [/MiuiBrowser\//i, 'Mi Browser'],
  [/\b(?:UCBrowser|UCWEB)\b/i, 'UC Browser'],
  [/\bM?QQBrowser\//, 'QQ Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
]

/** Derives a description from what the device reported. Every field is a hint only. */
export function describeDevice(device: Device): DeviceDescription {
  const userAgent = device.userAgent ?? ''
  const environment = detectEnvironment(userAgent)
  const { container, isTablet, isMobile, isDesktop } = environment
  const detected = detectDevice(userAgent)
  // Browsers that hide the model report K, and then also freeze the system version.
  const isReduced = detected.model === 'K'
  const os = environment.os === 'other' ? (device.os ?? '') : environment.os
  const version = device.osVersion || detected.osVersion
  const hasVersion = ['ios', 'android', 'harmony'].includes(os) && !isReduced && version !== ''
  return {
    kind: isTablet ? 'tablet' : isMobile ? 'phone' : isDesktop ? 'computer' : 'other',
    system: [systems[os] ?? '', hasVersion ? version.split('.')[0] : ''].filter(Boolean).join(' '),
    model: isReduced ? '' : device.model || detected.model,
    program: programOf(container, userAgent),
  }
}

const programOf = (container: ContainerName, userAgent: string) =>
  container === 'browser'
    ? (browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '')
    : container
