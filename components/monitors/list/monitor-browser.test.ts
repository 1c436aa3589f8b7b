import { describe, expect, it } from 'vitest';
import { NOTHING_SELECTED, selectOnly, toggle, toggleTo } from './monitor-browser';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

describe('selecting rows', () => {
  it('toggles one row', () => {
    const one = toggle(NOTHING_SELECTED, 'b');
    expect([...one.ids]).toEqual(['b']);
    expect([...toggle(one, 'b').ids]).toEqual([]);
  });

  it('with shift, sets everything between the anchor and this row, in either direction', () => {
    const down = toggleTo(toggle(NOTHING_SELECTED, 'b'), 'd', ORDER);
    expect([...down.ids]).toEqual(['b', 'c', 'd']);
    const up = toggleTo(toggle(down, 'e'), 'c', ORDER);
    expect([...up.ids]).toEqual(['b']);
  });

  it('with shift but no anchor in the list, toggles this row only', () => {
    expect([...toggleTo(NOTHING_SELECTED, 'd', ORDER).ids]).toEqual(['d']);
    const elsewhere = toggle(NOTHING_SELECTED, 'filtered out');
    expect([...toggleTo(elsewhere, 'd', ORDER).ids]).toEqual(['filtered out', 'd']);
  });

  it('replaces the selection when all are selected', () => {
    expect([...selectOnly(['a', 'b']).ids]).toEqual(['a', 'b']);
  });
});
