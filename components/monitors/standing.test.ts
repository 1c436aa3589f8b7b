import { describe, expect, it } from 'vitest';
import { type Standing, sortByTrouble, summarize } from './standing';

const monitor = (name: string, standing: Standing) => ({
  name,
  status: standing === 'paused' ? ('down' as const) : standing,
  enabled: standing !== 'paused',
});

describe('the list of monitors', () => {
  it('has trouble first, then the order of names', () => {
    const list = [
      monitor('Paused while down', 'paused'),
      monitor('Shop 10', 'operational'),
      monitor('Shop 9', 'operational'),
      monitor('New', 'pending'),
      monitor('Slow', 'degraded'),
      monitor('Broken', 'down'),
    ];
    const names = sortByTrouble(list).map(({ name }) => name);
    expect(names).toEqual(['Broken', 'Slow', 'New', 'Shop 9', 'Shop 10', 'Paused while down']);
  });
});

describe('the summary', () => {
  it('counts what is not operational', () => {
    expect(summarize([monitor('a', 'down'), monitor('b', 'paused'), monitor('c', 'operational')])).toBe(
      '3 monitors · 1 down · 1 paused',
    );
  });

  it('says when all is well', () => {
    expect(summarize([monitor('a', 'operational')])).toBe('1 monitor · all operational');
  });
});
