import { taskLevels, taskStatuses } from '@atrium/contract/work/tasks'

export type Level = (typeof taskLevels)[number]
/** What a level's list can be narrowed to; `all` is the whole list. */
export type Part = 'all' | (typeof taskStatuses)[number] | 'toMe' | 'Meto'

/** The parts of the levels that have some, in their order. The first one shows where nothing else is set. */
const partsOfLevel: Partial<Record<Level, readonly Part[]>> = {
  myRequest: ['all', ...taskStatuses],
  myReaded: ['toMe', 'Meto'],
}

export type LevelSetting = { level: Level; parts: readonly Part[]; initial: Part | undefined }

/**
 * The setting ENV_APP_TODO_MODULE_SETTING: a JSON array of levels, each its name or an object that names it as `level`,
 * `code` or `value`, and as `initial` the part of its list that shows first; a list of parts offers these alone, the first
 * one first. What names no level is left out; nothing left means all of them.
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

/** Old configurations say which of the two kinds of levels they mean. */
function initialOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined
  const { initial, initialLevel, initialLevels, circulateLevels } = item as Record<string, unknown>
  return initial ?? initialLevel ?? initialLevels ?? circulateLevels
}
