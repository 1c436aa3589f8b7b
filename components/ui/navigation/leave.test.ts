import { expect, it } from 'vitest';
import { holdBack, leave } from './leave';

it('commands leave at once, unless somebody has to be asked first', () => {
  const left: string[] = [];
  const stop = new AbortController();
  let resume = () => {};
  leave(() => left.push('first'));
  holdBack((go) => {
    resume = go;
  }, stop.signal);
  leave(() => left.push('second'));
  expect(left).toEqual(['first']);
  resume();
  expect(left).toEqual(['first', 'second']);
  stop.abort();
  leave(() => left.push('third'));
  expect(left).toEqual(['first', 'second', 'third']);
});
