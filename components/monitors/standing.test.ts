import { describe, expect, it } from 'vitest';
import { type Standing, sortByTrouble, summarize } from './standing';

const monitor = (name: string, standing: Standing) => ({
  name,
  status: standing === 'paused' || standing === 'maintenance' ? ('down' as const) : standing,
  enabled: standing !== 'paused',
  maintenance: standing === 'maintenance',
});

describe('the list of monitors', () => {
  it('has trouble first, then the order of names', () => {
    const list = [
      monitor('Paused while down', 'paused'),
      monitor('Shop 10', 'operational'),
      monitor('Shop 9', 'operational'),
      monitor('New', 'pending'),
      monitor('Down within a window', 'maintenance'),
      monitor('Slow', 'degraded'),
      monitor('Broken', 'down'),
    ];
    const names = sortByTrouble(list).map(({ name }) => name);
    const quiet = ['Down within a window', 'Shop 9', 'Shop 10', 'Paused while down'];
    expect(names).toEqual(['Broken', 'Slow', 'New', ...quiet]);
  });
});

describe('the summary', () => {
  it('counts what is not operational', () => {
    const list = (['down', 'paused', 'maintenance', 'operational'] as const).map((each) =>
      monitor('a', each),
    );
    expect(summarize(list)).toBe('4 monitors · 1 down · 1 in maintenance · 1 paused');
  });

  it('says when all is well', () => {
    expect(summarize([monitor('a', 'operational')])).toBe('1 monitor · all operational');
  });
});
