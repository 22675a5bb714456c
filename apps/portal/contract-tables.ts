import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/**
 * The client needs only the address and access of each endpoint from the contract; schemas and the schema library stay
 * on the server. Replaces every contract module by its values as data: endpoints without schemas, constants unchanged,
 * schemas dropped.
 */
export function contractTables(): Plugin {
  return {
    name: 'contract-tables',
    enforce: 'pre',
    async load(id) {
      if (!/packages\/contract\/src\/[\w./-]+\.ts$/.test(id)) return null
      const exported: Record<string, unknown> = await import(
        `${pathToFileURL(id)}?at=${Date.now()}`
      )
      const lines = Object.entries(exported).flatMap(([name, value]) => {
        const data = asData(value)
        return data === undefined ? [] : `export const ${name} = ${JSON.stringify(data)}`
      })
      return { code: `${lines.join('\n')}\n//# sourceURL=${basename(id)}`, moduleType: 'js' }
    },
  }
}

function asData(value: unknown): unknown {
  if (['number', 'string', 'boolean'].includes(typeof value)) return value
  if (typeof value !== 'object' || value === null || '~kind' in value || '~unsafe' in value)
    return undefined
  if (!isEndpointTable(value)) return JSON.stringify(value).length < 2000 ? value : undefined
  const pairs = Object.entries(value).map(([name, { method, path, access }]) => [
    name,
    { method, path, access },
  ])
  return Object.fromEntries(pairs)
}

type EndpointRef = { method: string; path: string; access: string }
function isEndpointTable(value: object): value is Record<string, EndpointRef> {
  const entries = Object.values(value)
  return (
    entries.length > 0 &&
    entries.every((entry) => typeof entry?.method === 'string' && 'access' in entry)
  )
}
