import type { Page } from '@playwright/test';

/** Time between the two presses: long enough for a response, and short enough for a double click. */
const GAP_MS = 100;

/**
 * Presses twice at a point. The events carry their own timestamps: on a busy machine the second one could arrive so late that it would count
 * as a new press.
 */
export async function pressTwice(page: Page, [x, y]: readonly [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const begun = Date.now();
  await page.mouse.move(x, y);
  for (const clickCount of [1, 2]) {
    const timestamp = (begun + (clickCount - 1) * GAP_MS) / 1000;
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await session.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount, timestamp });
    await page.waitForTimeout(GAP_MS);
  }
  await session.detach();
}
