import type { Page } from '@playwright/test';

/** Between the two presses: long enough for an answer to come, and short enough for a double click. */
const GAP_MS = 100;

/**
 * Presses twice at a place. The presses say themselves when they were made: on a machine with much other work the second one would arrive so late
 * that it were a new press.
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
