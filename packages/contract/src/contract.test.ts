import { describe, expect, test } from 'vitest'
import { configIssue } from './config-checks.ts'
import { type ConfigKey, configKeys } from './config-keys.ts'
import type { Endpoint } from './define.ts'
import { errorTexts, languages } from './error-texts.ts'
import { errors } from './errors.ts'
import { endpoints } from './index.ts'
import specified from './specified-calls.json' with { type: 'json' }

const all: [string, Endpoint][] = Object.entries(endpoints).flatMap(([area, table]) =>
  Object.entries(table as Record<string, Endpoint>).map(([name, endpoint]): [string, Endpoint] => [
    `${area}.${name}`,
    endpoint,
  ]),
)

describe('endpoints', () => {
  test('have unique combinations of method and path', () => {
    const addresses = all.map(([, endpoint]) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test.each(all)(
    '%s declares its path parameters, has no body if it is a GET, and is cached only if it is one',
    (_, endpoint) => {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(Object.keys(endpoint.params?.properties ?? {})).toEqual(inPath)
      if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined()
      if (endpoint.cached) expect(endpoint.method).toBe('GET')
    },
  )

  /** Compares the specification's catalogue with the contract, by method and path shape. */
  test(`include all ${specified.length} specified calls`, () => {
    const shapeOf = (method: string, path: string) =>
      `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`
    const there = new Set(all.map(([, { method, path }]) => shapeOf(method, path)))
    // Picture addresses follow thumbor and are outside the contract: domains/content/images serves and tests them.
    const missing = specified.filter(
      ({ area, method, path }) => area !== 'images' && !there.has(shapeOf(method, path)),
    )
    expect(missing).toEqual([])
  })

  test('use each schema $id for only one reply schema', () => {
    const byName = new Map<string, string>()
    const walk = (schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return
      const { $id } = schema as { $id?: string }
      const text = JSON.stringify(schema)
      if ($id) expect(byName.get($id) ?? text, $id).toBe(text)
      if ($id) byName.set($id, text)
      for (const part of Object.values(schema)) walk(part)
    }
    for (const [, endpoint] of all) walk(endpoint.reply)
    expect(byName.size).toBeGreaterThan(10)
  })
})

describe('error texts', () => {
  test.each(languages)('%s: every error code has a unique short text', (language) => {
    const texts = Object.keys(errors).map(
      (code) => errorTexts[language][code as keyof typeof errors],
    )
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(3)
      expect(text.length).toBeLessThan(120)
      if (language === 'en') expect(text).not.toMatch(/[\u4e00-\u9fff]/)
    }
    expect(new Set(texts).size).toBe(texts.length)
  })
})

describe('configuration keys', () => {
  const keys = Object.keys(configKeys) as ConfigKey[]
  test.each(keys)('%s has a description and a valid initial value', (key) => {
    expect(configKeys[key].means).toMatch(/\w/)
    expect(configIssue(key, configKeys[key].initial)).toBeUndefined()
  })

  test.each<[ConfigKey, string]>([
    ['ENV_SHOW_GUIDE', '3'],
    ['servicesNumPerRow', 'five'],
    ['servicesNumPerRow', ''],
    ['casArry', '{}'],
    ['casArry', '[1'],
    ['casArry', '[1]'],
    ['authCollects', '{"https://a.edu":["url","token"]}'],
    ['shake', '{"openShake":1}'],
    ['shake', '[]'],
    ['newsRoute', 'https://evil.example'],
    ['newsRoute', '//evil.example'],
    ['pcPortalUrl', 'javascript:alert(1)'],
    ['casUrl', '//evil.example'],
    ['eventUrl', 'mine'],
    ['imageHosts', '["https://img.example.edu"]'],
    ['imageHosts', '["*"]'],
    ['imageHosts', '[1]'],
    ['timeZone', 'Mars/Olympus'],
    ['timeZone', ''],
    ['defaultSearchWord', 'x'.repeat(30_000)],
  ])('%s rejects %s with an error that names the key', (key, value) => {
    expect(configIssue(key, value)).toContain(key)
  })

  test.each<[ConfigKey, string]>([
    ['requestTimeout', ''],
    ['requestTimeout', '10000'],
    ['eventUrl', 'own'],
    ['casUrl', '/cas/login'],
    ['mapTileUrl', 'https://tiles.example.edu/{z}/{x}/{y}.png'],
    ['imageHosts', '["img.example.edu","10.1.2.3:8080"]'],
    ['timeZone', 'Europe/Berlin'],
  ])('%s accepts %s', (key, value) => {
    expect(configIssue(key, value)).toBeUndefined()
  })
})
