import { describe, expect, it } from 'vitest';
import { stepTo } from './use-reading';

describe('a key', () => {
  it.each([
    ['ArrowLeft', 5, 4],
    ['ArrowRight', 5, 6],
    ['PageDown', 15, 5],
    ['PageUp', 85, 89],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 89, 89],
    ['Home', 5, 0],
    ['End', 5, 89],
    ['Escape', 5, null],
    ['Tab', 5, undefined],
  ])('%s moves from %s to %s of 90', (key, from, to) => expect(stepTo(key, from, 90)).toBe(to));

  it('starts at the newest item', () => {
    expect(stepTo('ArrowLeft', null, 90)).toBe(89);
    expect(stepTo('ArrowRight', null, 90)).toBe(89);
  });
});
