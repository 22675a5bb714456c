import type { Locator, Page } from '@playwright/test'

/** Swipes with a finger from the middle of an element, or from `x` on the screen, by this distance. */
export async function swipe(
  page: Page,
  target: Locator,
  { dx = 0, dy = 0, x }: { dx?: number; dy?: number; x?: number },
) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing is there to be swiped')
  const from = { x: x ?? box.x + box.width * 0.7, y: box.y + box.height / 2 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + dx * part, y: from.y + dy * part }],
    })
  await touch('touchStart')
  for (let step = 1; step <= 10; step++) await touch('touchMove', step / 10)
  await touch('touchEnd')
  await session.detach()
}
