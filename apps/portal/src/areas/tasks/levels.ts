import { taskLevels } from '@atrium/contract/tasks'

export type Level = (typeof taskLevels)[number]

/**
 * The setting ENV_APP_TODO_MODULE_SETTING: a JSON array of levels, each its name or an object that names it as `level`,
 * `code` or `value`. What names no level is left out; nothing left means all of them.
 */
export function levelsOf(setting: string | undefined): readonly Level[] {
  const chosen = parse(setting ?? '').map(nameOf)
  const levels = [...new Set(chosen)].flatMap((name) => taskLevels.find((l) => l === name) ?? [])
  return levels.length > 0 ? levels : taskLevels
}

function parse(setting: string): unknown[] {
  try {
    const value: unknown = JSON.parse(setting || '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function nameOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { level, code, value } = item as Record<string, unknown>
  return level ?? code ?? value
}
