import { describe, expect, it } from 'vitest';
import { type Standing, summarize } from './standing';

const monitor = (name: string, standing: Standing) => ({
  name,
  status: standing === 'paused' || standing === 'maintenance' ? ('down' as const) : standing,
  enabled: standing !== 'paused',
  maintenance: standing === 'maintenance',
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
