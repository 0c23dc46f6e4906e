import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeFrame, FrameFollower } from './frames.ts';

/** A frame whose payload looks like heads of frames. */
function frame(payload: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = [0x82];
  if (payload < 126) head.push(mask | payload);
  else if (payload < 65_536) head.push(mask | 126, payload >> 8, payload & 0xff);
  else head.push(mask | 127, 0, 0, 0, 0, 0, payload >> 16, (payload >> 8) & 0xff, payload & 0xff);
  if (isMasked) head.push(0x81, 0x02, 0x03, 0x04);
  return Buffer.concat([Buffer.from(head), Buffer.alloc(payload, 0x81)]);
}

for (const isMasked of [false, true]) {
  for (const payload of [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]) {
    test(`the end of a ${isMasked ? 'masked' : 'plain'} frame of ${payload} bytes is found wherever the reads are cut`, () => {
      const bytes = Buffer.concat([frame(payload, isMasked), frame(3, isMasked)]);
      const end = frame(payload, isMasked).length;
      // All cuts within the heads and near the end; cuts within a long payload are equivalent.
      for (let cut = 1; cut < bytes.length; cut = cut > 200 && cut < end - 200 ? cut + 997 : cut + 1) {
        const follower = new FrameFollower();
        assert.equal(follower.isBetweenFrames, true);
        follower.read(bytes, 0, cut);
        assert.equal(follower.isBetweenFrames, cut === end, `cut at ${cut}`);
        follower.read(bytes, cut, bytes.length);
        assert.equal(follower.isBetweenFrames, true, `cut at ${cut}`);
      }
    });
  }
}

test('frames of all lengths are followed byte by byte', () => {
  const frames = [0, 200, 5, 126, 0, 125, 1].map((payload, at) => frame(payload, at % 2 === 0));
  const bytes = Buffer.concat(frames);
  const ends = new Set<number>();
  let end = 0;
  for (const one of frames) ends.add((end += one.length));
  const follower = new FrameFollower();
  for (let at = 0; at < bytes.length; at++) {
    follower.read(bytes, at, at + 1);
    assert.equal(follower.isBetweenFrames, ends.has(at + 1), `after byte ${at}`);
  }
});

test('small frames are followed wherever the reads are cut', () => {
  const frames = [0, 1, 125, 126, 0, 3, 127, 2].map((payload, at) => frame(payload, at % 3 === 0));
  const bytes = Buffer.concat(frames);
  const ends = new Set([0]);
  let end = 0;
  for (const one of frames) ends.add((end += one.length));
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second += 7) {
      const follower = new FrameFollower();
      follower.read(bytes, 0, first);
      assert.equal(follower.isBetweenFrames, ends.has(first), `cut at ${first}`);
      follower.read(bytes, first, second);
      assert.equal(follower.isBetweenFrames, ends.has(second), `cut at ${first} and ${second}`);
    }
  }
});

test('a close frame is one whole frame with its code, masked for those to whom clients speak', () => {
  assert.deepEqual([...closeFrame(1012, false)], [0x88, 0x02, 0x03, 0xf4]);
  assert.deepEqual([...closeFrame(1001, true)], [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9]);
  for (const isMasked of [false, true]) {
    const follower = new FrameFollower();
    const bytes = closeFrame(1012, isMasked);
    follower.read(bytes, 0, bytes.length);
    assert.equal(follower.isBetweenFrames, true);
  }
});
