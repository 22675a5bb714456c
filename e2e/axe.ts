import type { Frame, Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * What axe finds on a page, or in one of its frames: a line for each rule with the elements concerned. What a page frames is
 * asked for itself. Run in the page and told in short: the packaged way carries everything back and forth, at twice the time.
 */
export async function axeViolations(page: Page | Frame): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const here = globalThis as unknown as { axe: typeof axe }
    const { violations } = await here.axe.run(document, {
      resultTypes: ['violations'],
      iframes: false,
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
}
