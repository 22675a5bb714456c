import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * What axe finds on a page, a line for each rule with the elements at fault. In the page itself rather than frame by frame, and
 * without the long list of what is in order: it would cost several times as much and say the same.
 * @param without a selector of what is not ours to judge
 */
export async function axeFaults(page: Page, without?: string) {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  if (without) axe.exclude(without)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
