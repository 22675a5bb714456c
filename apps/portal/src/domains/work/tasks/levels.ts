import { taskLevels, taskStatuses } from '@atrium/contract/work/tasks'

export type Level = (typeof taskLevels)[number]
/** The parts that a level's list can be filtered by; `all` is the whole list. */
export type Part = 'all' | (typeof taskStatuses)[number] | 'toMe' | 'Meto'

/** The parts of the levels that have any, in order. The first one is the default. */
const partsOfLevel: Partial<Record<Level, readonly Part[]>> = {
  myRequest: ['all', ...taskStatuses],
  myReaded: ['toMe', 'Meto'],
}

export type LevelSetting = { level: Level; parts: readonly Part[]; initial: Part | undefined }

/**
 * The setting ENV_APP_TODO_MODULE_SETTING: a JSON array of levels. Each is a name, or an object with the name as
 * `level`, `code` or `value` and the initial part of its list as `initial`; an array of parts restricts the list to
 * these, the first one being the default. Unknown levels are dropped; if none is left, all levels are shown.
 */
export function levelsOf(setting: string | undefined): readonly LevelSetting[] {
  const chosen = new Map<Level, LevelSetting>()
  for (const item of parse(setting ?? '')) {
    const level = taskLevels.find((one) => one === nameOf(item))
    if (level && !chosen.has(level)) chosen.set(level, withParts(level, initialOf(item)))
  }
  if (chosen.size > 0) return [...chosen.values()]
  return taskLevels.map((level) => withParts(level, undefined))
}

function withParts(level: Level, initial: unknown): LevelSetting {
  const parts = partsOfLevel[level] ?? []
  const named = [initial].flat().flatMap((name) => parts.find((part) => part === name) ?? [])
  const offered = Array.isArray(initial) && named.length > 0 ? [...new Set(named)] : parts
  return { level, parts: offered, initial: named[0] ?? offered[0] }
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

/** Older configurations use a separate field for each of the two kinds of levels. */
function initialOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined
  const { initial, initialLevel, initialLevels, circulateLevels } = item as Record<string, unknown>
  return initial ?? initialLevel ?? initialLevels ?? circulateLevels
}
