import { describe, expect, it } from 'vitest';
import { NOTHING_SELECTED, selectOnly, toggle, toggleTo } from './monitor-browser';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('ticking rows', () => {
  it('one by one, on and off', () => {
    const one = toggle(NOTHING_SELECTED, 'b');
    expect([...one.ids]).toEqual(['b']);
    expect([...toggle(one, 'b').ids]).toEqual([]);
  });

  it('with shift, everything from the last one on becomes what this one becomes, up or down the list', () => {
    const down = toggleTo(toggle(NOTHING_SELECTED, 'b'), 'd', ORDER);
    expect([...down.ids]).toEqual(['b', 'c', 'd']);
    const up = toggleTo(toggle(down, 'e'), 'c', ORDER);
    expect([...up.ids]).toEqual(['b']);
  });

  it('with shift and nothing to begin from, this one alone', () => {
    expect([...toggleTo(NOTHING_SELECTED, 'd', ORDER).ids]).toEqual(['d']);
    const elsewhere = toggle(NOTHING_SELECTED, 'filtered out');
    expect([...toggleTo(elsewhere, 'd', ORDER).ids]).toEqual(['filtered out', 'd']);
  });

  it('all at once drops what was ticked before', () => {
    expect([...selectOnly(['a', 'b']).ids]).toEqual(['a', 'b']);
  });
});
