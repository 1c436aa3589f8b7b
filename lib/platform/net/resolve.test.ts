import { lookup } from 'node:dns/promises';
import { expect, it, vi } from 'vitest';
import { resolveAllowed } from './resolve';

// The search domains of this machine cannot be set for one test, so the query to the system is checked instead.
vi.mock('node:dns/promises', () => ({
  lookup: vi.fn(async () => [{ address: '93.184.215.14', family: 4 }]),
}));

it.each([
  ['public', 'api.acme.test', 'api.acme.test.'],
  ['public', 'api.acme.test.', 'api.acme.test.'],
  ['private', 'api.acme.test', 'api.acme.test'],
  ['private', 'api', 'api'],
] as const)(
  'under %s, %s is looked up as %s: search domains are for private targets',
  async (mode, host, asked) => {
    const { signal } = new AbortController();
    await resolveAllowed({ host, policy: { mode, allowedCidrs: [] }, signal });
    expect(lookup).toHaveBeenLastCalledWith(asked, expect.anything());
  },
);
