import { type HomeBlock, homeBlocks } from '@atrium/contract/shell/home'

type Block = HomeBlock['block']
export type DefaultBlock = { block: Block; fixed: boolean }
export type MemberArrangement = { blocks: readonly string[]; hidden: readonly string[] }

const isBlock = (value: unknown): value is Block => homeBlocks.some((block) => block === value)

/** The operator's blocks, ignoring invalid entries; all blocks if none remain. */
export function parseDefaultBlocks(setting: string): DefaultBlock[] {
  const list: unknown = JSON.parse(setting || '[]')
  const known = new Map<Block, DefaultBlock>()
  for (const one of Array.isArray(list) ? list : []) {
    const { block, fixed } = (one ?? {}) as { block?: unknown; fixed?: unknown }
    if (isBlock(block) && !known.has(block)) known.set(block, { block, fixed: fixed === true })
  }
  return known.size > 0 ? [...known.values()] : homeBlocks.map((block) => ({ block, fixed: false }))
}

/**
 * The blocks in the member's order. Blocks the operator removed are dropped, new ones are inserted after their
 * predecessor in the operator's order, and fixed ones are always shown.
 */
export function arrangeBlocks(
  proposed: readonly DefaultBlock[],
  own: MemberArrangement | undefined,
): HomeBlock[] {
  const order = own?.blocks.filter((block) => proposed.some((one) => one.block === block)) ?? []
  const names: string[] = [...order]
  for (const [at, { block }] of proposed.entries()) {
    if (names.includes(block)) continue
    const before = proposed[at - 1]?.block
    names.splice(before === undefined ? 0 : names.indexOf(before) + 1, 0, block)
  }
  return names.flatMap((name) => {
    const one = proposed.find(({ block }) => block === name)
    return one ? [{ ...one, shown: one.fixed || !own?.hidden.includes(name) }] : []
  })
}
