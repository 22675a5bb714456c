import { expect, test } from 'vitest'
import { configKeys } from '../config-keys.ts'
import { endpoints } from '../index.ts'
import { baseNames, baseOf, bases, pathBelow } from './upstreams.ts'

test('endpoints for identity, sessions, privacy and operators have no upstream base', () => {
  const { consent, sessions, privacy, account, identity, catalogue, settings, ownedServices } =
    endpoints
  for (const table of [consent, sessions, privacy, account, identity, catalogue, settings])
    for (const endpoint of Object.values(table))
      expect(baseOf(endpoint), endpoint.path).toBe(undefined)
  for (const endpoint of Object.values(ownedServices)) expect(baseOf(endpoint)).toBe(undefined)
})

test('each base has endpoints and its own configuration key, visible to operators only', () => {
  const all = Object.values(endpoints).flatMap((table) => Object.values(table))
  for (const name of baseNames) {
    const own = all.filter((endpoint) => baseOf(endpoint) === name)
    expect(own.length, name).toBeGreaterThan(0)
    for (const { path } of own) expect(pathBelow(name, path)).toMatch(/^\/[^/]/)
    expect(configKeys[bases[name].key]).toMatchObject({ kind: 'base', operatorsOnly: true })
  }
  expect(new Set(baseNames.map((name) => bases[name].key)).size).toBe(baseNames.length)
})
