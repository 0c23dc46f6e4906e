import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardPresses } from './press-guard.ts';

let stop = () => undefined as void;
let heard: string[] = [];

beforeEach(() => {
  heard = [];
  stop = guardPresses();
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

function addButton(name: string, left: number) {
  const button = document.createElement('button');
  button.style.cssText = `position: fixed; top: 0; left: ${left}px; width: 40px; height: 40px`;
  for (const type of ['click', 'dblclick']) button.addEventListener(type, () => heard.push(`${type} ${name}`));
  document.body.append(button);
  const tell = (type: string, detail: number, laterMs = 0) => {
    const given = { bubbles: true, cancelable: true, detail, clientX: left + 20, clientY: 20 };
    const event = type.startsWith('pointer') ? new PointerEvent(type, given) : new MouseEvent(type, given);
    Object.defineProperty(event, 'timeStamp', { value: performance.now() + laterMs });
    button.dispatchEvent(event);
  };
  return {
    tell,
    /** Sends all events of a press except the final click. */
    hold: (detail: number) => ['pointerdown', 'mousedown', 'pointerup', 'mouseup'].forEach((type) => tell(type, detail)),
  };
}

/** The second press of a double click hits another button, which has moved under the pointer: it is refused. */
function refusePress() {
  const [first, second] = [addButton('first', 100), addButton('second', 105)];
  first.hold(1);
  first.tell('click', 1);
  second.hold(2);
  return second;
}

test('a refused press is refused to the end, and a click that no pointer made reaches its control right after', () => {
  const second = refusePress();
  second.tell('click', 2);
  second.tell('dblclick', 2);
  expect(heard).toEqual(['click first']);
  second.tell('click', 1);
  expect(heard).toEqual(['click first', 'click second']);
});

test('a refused press that ends without a click refuses no other click a moment later', () => {
  const second = refusePress();
  second.tell('click', 1, 2000);
  expect(heard).toEqual(['click first', 'click second']);
});

/** A cover above a button goes away 900 ms after `key` was pressed, as on a busy machine; then the button is pressed. */
async function pressUncovered(key: string) {
  const button = addButton('covered', 100);
  const cover = document.createElement('div');
  document.body.append(cover);
  document.elementFromPoint = () => (cover.isConnected ? cover : document.querySelector('button'));
  cover.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: 120, clientY: 20 }));
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const later = performance.now() + 900;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  cover.remove();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  button.hold(1);
  button.tell('click', 1);
}

test('what Escape uncovers may be pressed at once, however late the overlay goes away', async () => {
  await pressUncovered('Escape');
  expect(heard).toEqual(['click covered']);
});

test('what is uncovered by itself may not be pressed at once', async () => {
  await pressUncovered('a');
  expect(heard).toEqual([]);
});
