import { lookup } from 'node:dns/promises';
import { expect, it, vi } from 'vitest';
import { resolveAllowed } from './resolve';
import { serveDns, type TestReply } from './testing/dns-server';

// The search domains of this machine cannot be set for one test, so the query to the system is checked instead.
vi.mock('node:dns/promises', () => ({
  lookup: vi.fn(async () => [{ address: '93.184.215.14', family: 4 }]),
}));

const system = vi.hoisted(() => ({ servers: [] as string[] }));
vi.mock(import('node:dns'), async (original) => ({
  ...(await original()),
  getServers: () => system.servers,
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

const REPLIES: Record<string, TestReply | null> = {
  'missing.test': { rcode: 'NXDOMAIN' },
  'empty.test': {},
  'servfail.test': { rcode: 'SERVFAIL' },
  'refused.test': { rcode: 'REFUSED' },
  'xn--mnchen-3ya.test': {},
  'silent.test': null,
};

it('a failed lookup is explained by what the resolvers of this machine respond', async () => {
  const { server } = await serveDns(({ name }) => REPLIES[name] ?? null);
  system.servers = [server];
  const explain = async (host: string, code: string) => {
    vi.mocked(lookup).mockRejectedValueOnce(Object.assign(new Error(code), { code }));
    const { signal } = new AbortController();
    const policy = { mode: 'private', allowedCidrs: [] } as const;
    return resolveAllowed({ host, policy, signal }).catch((error: unknown) => String(error));
  };
  expect(await explain('missing.test', 'ENOTFOUND')).toBe('NetError: host name missing.test does not exist');
  expect(await explain('empty.test', 'ENOTFOUND')).toBe('NetError: host name empty.test has no address');
  expect(await explain('münchen.test', 'ENOTFOUND')).toBe('NetError: host name münchen.test has no address');
  expect(await explain('servfail.test', 'EAI_AGAIN')).toBe(
    `NetError: host name servfail.test could not be resolved: resolver ${server} returned SERVFAIL`,
  );
  expect(await explain('refused.test', 'EAI_AGAIN')).toBe(
    `NetError: host name refused.test could not be resolved: resolver ${server} returned REFUSED`,
  );
  expect(await explain('silent.test', 'EAI_AGAIN')).toBe(
    'NetError: the resolver did not respond for host name silent.test',
  );
  expect(await explain('silent.test', 'EMFILE')).toBe(
    'NetError: host name silent.test could not be resolved (EMFILE)',
  );
});
