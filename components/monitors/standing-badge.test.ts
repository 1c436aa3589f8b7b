import { describe, expect, it } from 'vitest';
import { type Standing, summarize } from './standing-badge';

const monitor = (name: string, standing: Standing) => ({
  name,
  status:
    standing === 'paused' || standing === 'maintenance' || standing === 'noData'
      ? ('down' as const)
      : standing,
  enabled: standing !== 'paused',
  maintenance: standing === 'maintenance',
  noDataSince: standing === 'noData' ? '2026-03-01T12:00:00.000Z' : null,
});

describe('summarize', () => {
  it('counts monitors that are not operational', () => {
    const list = (['down', 'paused', 'noData', 'maintenance', 'operational'] as const).map((each) =>
      monitor('a', each),
    );
    expect(summarize(list)).toBe('5 monitors · 1 down · 1 without data · 1 in maintenance · 1 paused');
  });

  it('notes when all are operational', () => {
    expect(summarize([monitor('a', 'operational')])).toBe('1 monitor · all operational');
  });
});
