import type { Frame, Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Violations that axe finds on a page or in one frame: a line per rule with the elements concerned. Frames inside are
 * checked separately. Runs in the page and returns a summary: the packaged integration transfers all data back and
 * forth, at twice the time.
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
