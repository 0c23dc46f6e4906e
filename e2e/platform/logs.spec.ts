import type { Page } from '@playwright/test';
import { printingAgent } from './agents.ts';
import { ask, deploy, newPerson, newProject, type Person, reaches, served } from './api.ts';
import { test as base, enter, expect, logLines, stateOf } from './console.ts';

interface Printer {
  person: Person;
  /** The path of the deployment's page. */
  path: string;
  print: (lines: readonly string[]) => Promise<void>;
}
const ticks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `tick ${from + index}`);

/** All of these tests share one agent; each reads the end of its log. */
const test = base.extend<object, { printer: Printer }>({
  printer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
    async ({}, use) => {
      const person = await newPerson();
      const { id, url } = await newProject(person, 'printer');
      const made = await deploy(person, id, printingAgent);
      await reaches(person, made.id, 'active');
      await served(url);
      const print = async (lines: readonly string[]) => expect((await ask(url, '/', JSON.stringify(lines))).text).toBe('printed');
      await use({ person, path: `/deployments/${made.id}`, print });
    },
    { scope: 'worker' },
  ],
  storageState: ({ printer }, use) => use(stateOf(printer.person)),
});

test('the log follows, lets go when the reader scrolls up, counts what came, and takes hold again', async ({ page, printer }) => {
  await printer.print(ticks(1, 150));
  await open(page, printer);
  await expect(logLines(page).getByText('tick 150', { exact: true })).toBeInViewport();
  await printer.print(['one more']);
  await expect(logLines(page).getByText('one more', { exact: true })).toBeInViewport();

  await logLines(page).hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const top = () => logLines(page).evaluate((box) => box.scrollTop);
  const seen = (await logLines(page).locator('[data-line]').nth(25).textContent()) ?? '';
  const place = async () => (await logLines(page).locator(`[data-line="${seen}"]`).boundingBox())?.y;
  const [before, placeBefore] = [await top(), await place()];
  await printer.print(ticks(151, 155));
  const button = page.getByRole('button', { name: '5 new lines' });
  await expect(button).toBeVisible();
  expect([await top(), await place()]).toEqual([before, placeBefore]);
  await button.click();
  await expect(page.getByText('Following')).toBeVisible();
  await expect(logLines(page).getByText('tick 155', { exact: true })).toBeInViewport();
});

test('the log is searched forwards and backwards', async ({ page, printer }) => {
  const needles = ['first needle', ...ticks(1, 60), 'second Needle', ...ticks(1, 60), 'third NEEDLE', ...ticks(1, 10)];
  await printer.print(needles);
  await open(page, printer);
  await expect(logLines(page).getByText('tick 10', { exact: true }).last()).toBeVisible();
  await page.getByRole('button', { name: 'Load earlier lines' }).click();
  await page.keyboard.press('/');
  const box = page.getByRole('searchbox', { name: 'Search the log' });
  await expect(box).toBeFocused();
  await page.keyboard.type('needle');
  const found = page.getByRole('search').getByRole('status');
  await expect(found).toHaveText('3');
  for (const [key, at, text] of [
    ['Enter', '1 of 3', 'first needle'],
    ['Enter', '2 of 3', 'second Needle'],
    ['Enter', '3 of 3', 'third NEEDLE'],
    ['Shift+Enter', '2 of 3', 'second Needle'],
  ] as const) {
    await box.press(key);
    await expect(found).toHaveText(at);
    await expect(logLines(page).getByText(text)).toBeInViewport();
  }
  await page.getByRole('button', { name: 'Next match' }).click();
  await expect(found).toHaveText('3 of 3');
  await page.getByRole('button', { name: 'Previous match' }).click();
  await expect(found).toHaveText('2 of 3');
  await box.fill('nothing says this');
  await expect(found).toHaveText('None');
});

test('the levels filter, and the log is downloaded as text and as JSON lines', async ({ page, printer }) => {
  await printer.print(['ERROR: it broke', 'WARN: it may break', 'DEBUG: a detail', 'INFO: all is well']);
  await open(page, printer);
  const rows = (text: string) => logLines(page).getByText(text, { exact: true });
  await expect(rows('INFO: all is well').last()).toBeVisible();
  const chip = page.getByRole('group', { name: 'Levels' }).getByRole('button', { name: /^Error \d+$/ });
  await chip.click();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(rows('ERROR: it broke').last()).toBeVisible();
  for (const word of ['INFO', 'WARN', 'DEBUG']) await expect(rows(word)).toHaveCount(0);
  await chip.click();
  await expect(rows('INFO: all is well').last()).toBeVisible();

  for (const [item, ending] of [
    ['Text', '.log'],
    ['JSON lines', '.jsonl'],
  ] as const) {
    await page.getByRole('button', { name: 'Download the log' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
    expect(download.suggestedFilename()).toBe(`${printer.path.split('/').at(-1)}${ending}`);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain('printer listens');
    expect(text).toContain('ERROR: it broke');
  }
});

test('what a hostile agent writes is text: no markup, no script, no request, no control of the page', async ({ page, printer }) => {
  const hostile = [
    '<img src="/api/v1/hostile" onerror="alert(1)">',
    '<script>alert(2)</script><svg onload=alert(3)>',
    '"><iframe srcdoc="<script>parent.alert(4)</script>"></iframe>',
    '[click](javascript:alert(5)) {{constructor.constructor("alert(6)")()}}',
  ];
  const dialogs: string[] = [];
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => asked.push(request.url()));
  await open(page, printer);
  await printer.print([
    ...hostile,
    '\u001b[31;1mred and bold\u001b[0m then plain',
    '\u001b]8;;javascript:alert(7)\u0007a link\u001b]8;;\u0007 that is none',
    '\u001b[2J\u001b[H\u001b]0;title\u0007cleared nothing',
    'before\u202eafter',
    'the last of them',
  ]);
  const lines = logLines(page);
  await expect(lines.getByText('the last of them', { exact: true })).toBeVisible();
  for (const text of hostile) await expect(lines.getByText(text, { exact: true })).toBeVisible();
  await expect(lines.getByText('a link that is none', { exact: true })).toBeVisible();
  await expect(lines.getByText('cleared nothing', { exact: true })).toBeVisible();
  const red = lines.getByText('red and bold', { exact: true });
  await expect(red).toHaveCSS('font-weight', '640');
  expect(await red.evaluate((span) => getComputedStyle(span).color)).not.toBe(await lines.evaluate((box) => getComputedStyle(box).color));
  await expect(lines.locator('img, script, iframe, svg, a')).toHaveCount(0);
  expect(await lines.evaluate((box) => /[\u001b\u0007]/.test(box.textContent))).toBe(false);
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('<img src');
  await expect(lines.locator('mark')).toHaveText('<img src');
  expect(dialogs).toEqual([]);
  expect(asked.filter((url) => url.includes('hostile') || !url.startsWith(new URL(page.url()).origin))).toEqual([]);
  await expect(page).toHaveTitle(/ · Paddock$/);
});

test('a broken connection is told, and made good: each line is there, once', async ({ page, printer, line, tolerated }) => {
  tolerated.push(/net::ERR_|WebSocket connection to/);
  await enter(page, printer.person, line.origin);
  await printer.print(ticks(1, 40));
  await open(page, printer, line.origin);
  line.cut();
  await expect(page.getByText(/^Reconnecting/)).toBeVisible();
  await printer.print(ticks(41, 80));
  line.mend();
  await expect(page.getByText('Following')).toBeVisible();
  await printer.print(ticks(81, 120));
  await expect(logLines(page).getByText('tick 120', { exact: true })).toBeInViewport();
  const read = await readAll(page);
  const numbers = read.map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  expect(read.slice(-120).map(({ text }) => text)).toEqual(ticks(1, 120));
  await expect(page.getByText(/lines are missing here/)).toHaveCount(0);
});

async function open(page: Page, { path }: Printer, origin = '') {
  await page.goto(origin + path);
  await expect(page.getByText('Following')).toBeVisible();
  await logLines(page).scrollIntoViewIfNeeded();
}

/** Every line of the viewer, in the order of display. Lines that occur twice in one view remain twice. */
async function readAll(page: Page) {
  return logLines(page).evaluate(async (box) => {
    const rows = () =>
      [...box.querySelectorAll('[data-line]')].map((mark) => ({
        number: Number(mark.getAttribute('data-line')),
        text: mark.closest('[data-index]')?.querySelector(':scope > div > span:last-child')?.textContent ?? '',
      }));
    const all: { number: number; text: string }[] = [];
    // A busy browser draws the rows of a view late.
    const isDrawn = () => {
      const { top, bottom } = box.getBoundingClientRect();
      const drawn = [...box.querySelectorAll('[data-index]')].map((row) => row.getBoundingClientRect());
      const end = Math.min(bottom, top + box.scrollHeight - box.scrollTop);
      return drawn.some((row) => row.top <= top + 1) && drawn.some((row) => row.bottom >= end - 2);
    };
    box.scrollTop = 0;
    for (let view = 0; view < 200; view += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      for (let tries = 0; tries < 100 && !isDrawn(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
      const last = all.at(-1)?.number ?? 0;
      all.push(...rows().filter(({ number }) => number > last));
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) break;
      box.scrollTop += box.clientHeight / 2;
    }
    return all;
  });
}
