import { type ContainerName, detectDevice, detectEnvironment } from '@atrium/rules/user-agent'
import type { Device } from './device.ts'

/** A device in the terms people know it by. `program`: a name, or the code of a container that has one in each language. */
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

/** In this order: most of them also carry the names of those after them. */
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

/** What a device said of itself, read for people. All of it is a hint. */
export function describeDevice(device: Device): DeviceDescription {
  const userAgent = device.userAgent ?? ''
  const environment = detectEnvironment(userAgent)
  const { container, isTablet, isMobile, isDesktop } = environment
  const said = detectDevice(userAgent)
  // Browsers that tell no model call it K, and freeze the version of the system at the same time.
  const frozen = said.model === 'K'
  const os = environment.os === 'other' ? (device.os ?? '') : environment.os
  const version = device.osVersion || said.osVersion
  const tellsVersion = ['ios', 'android', 'harmony'].includes(os) && !frozen && version !== ''
  return {
    kind: isTablet ? 'tablet' : isMobile ? 'phone' : isDesktop ? 'computer' : 'other',
    system: [systems[os] ?? '', tellsVersion ? version.split('.')[0] : '']
      .filter(Boolean)
      .join(' '),
    model: frozen ? '' : device.model || said.model,
    program: programOf(container, userAgent),
  }
}

const programOf = (container: ContainerName, userAgent: string) =>
  container === 'browser'
    ? (browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '')
    : container
