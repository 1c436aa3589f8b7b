import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { createTarget, openEnvironment, strictEnvironment } from '@/lib/checks/testing/target';
import { guardLiteralTarget } from '@/lib/domain/monitors/guard-target';
import { guardLiteralReceiver } from '@/lib/domain/webhooks/change-webhook';
import { sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { echo } from './icmp/icmp-echo';
import { pingWithProgram } from './icmp/ping-program';
import type { Resolver } from './resolve';
import { serveHttp, serveTcp, type TestServer } from './testing/servers';

vi.mock(import('./icmp/icmp-echo'), async (original) => ({ ...(await original()), echo: vi.fn() }));
vi.mock(import('./icmp/ping-program'), () => ({ pingWithProgram: vi.fn() }));

/** This machine, in every notation that some code might misread. */
const THIS_MACHINE = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '0',
  '[::]',
  '[::1]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
];

/** Metadata services, which give machines their secrets, and link-local addresses. */
const METADATA = [
  '169.254.169.254',
  '2852039166',
  '[::ffff:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
  '[fd00:42::42]',
  '192.0.0.192',
  '100.100.100.200',
  '168.63.129.16',
  '[fe80::1]',
];

/** Addresses that a stranger's DNS record could contain. */
const NAMES: [what: string, addresses: string[]][] = [
  ['a private record', ['10.0.0.5']],
  ['a record for this machine', ['127.0.0.1']],
  ['a record for metadata', ['169.254.169.254']],
  ['one public and one private record', ['93.184.215.14', '127.0.0.1']],
  ['one private and one public record', ['::1', '93.184.215.14']],
];

const BLOCKED = {
  outcome: 'unknown',
  error: { code: 'blocked', message: 'this target address is not allowed' },
};
const REDIRECT_BLOCKED = {
  outcome: 'failed',
  error: { code: 'blocked', message: 'redirected to a target that is not allowed' },
};

type Way = {
  name: string;
  /** Attempts to reach the host, and returns whether it was rejected; `hops` sockets to allowed hosts are opened first. */
  expectRefused(host: string, port: number, env: ProbeEnvironment): Promise<void>;
  hops: number;
};

/** Every way in which user input can open a socket of this service. */
const WAYS: Way[] = [
  probeWay('http probe', (host, port) => createTarget('http', `http://${host}:${port}/`)),
  probeWay('https probe', (host, port) => createTarget('http', `https://${host}:${port}/`)),
  probeWay('tcp probe', (host, port) => createTarget('tcp', `${host}:${port}`)),
  probeWay('ping', (host) => createTarget('ping', host)),
  probeWay('resolver of a dns probe', (host, port) =>
    createTarget('dns', `dns://${host}:${port}/a.test?type=A`),
  ),
  {
    name: 'webhook',
    hops: 0,
    expectRefused: async (host, port, { policy, resolver }) => {
      const posted = { endpointId: 'whk_1', url: `http://${host}:${port}/`, headers: {}, payload: '{}' };
      const outcome = await sendDelivery(
        { policy, ...(resolver ? { resolver } : {}), timeout: 2000 },
        posted,
      );
      expect(outcome).toMatchObject({ kind: 'failed', statusCode: null, error: BLOCKED.error.message });
    },
  },
  {
    name: 'redirect',
    hops: 1,
    expectRefused: async (host, port, env) => {
      const first = await serveHttp((_request, response) => {
        response.writeHead(302, { location: `http://${host}:${port}/` }).end();
      }, FIRST_HOP);
      const target = createTarget('http', `http://${FIRST_HOP}:${first.port}/`);
      expect(
        await probe(target, { ...env, policy: { ...env.policy, allowedCidrs: [FIRST_HOP] } }),
      ).toMatchObject(REDIRECT_BLOCKED);
    },
  },
];

/** An address of this machine that is not in the table, for the first hop of a redirect. */
const FIRST_HOP = '127.0.0.9';

function probeWay(
  name: string,
  targetOf: (host: string, port: number) => ReturnType<typeof createTarget>,
): Way {
  return {
    name,
    hops: 0,
    expectRefused: async (host, port, env) => {
      expect(await probe(targetOf(host, port), env)).toMatchObject(BLOCKED);
    },
  };
}

let opened = 0;
const count = () => {
  opened += 1;
};
let listener: TestServer;

beforeEach(async () => {
  vi.clearAllMocks();
  listener = await serveTcp(() => {}, '::');
  opened = 0;
  subscribe('net.client.socket', count);
  subscribe('udp.socket', count);
});

afterEach(() => {
  unsubscribe('net.client.socket', count);
  unsubscribe('udp.socket', count);
});

/** Rejected, without a socket created by this process or accepted by the listener. */
async function expectClosed(
  { expectRefused, hops }: Way,
  host: string,
  env: ProbeEnvironment,
): Promise<void> {
  await expectRefused(host, listener.port, env);
  expect(opened).toBe(hops);
  expect(listener.connections()).toBe(0);
  expect(vi.mocked(echo)).not.toHaveBeenCalled();
  expect(vi.mocked(pingWithProgram)).not.toHaveBeenCalled();
}

describe.each(WAYS)('under TARGET_POLICY=public, by $name', (way) => {
  it.each([...THIS_MACHINE, ...METADATA])('%s is rejected before a socket is opened', async (host) => {
    await expectClosed(way, host, strictEnvironment);
  });

  it.each(NAMES)('a name with %s is rejected before a socket is opened', async (_, addresses) => {
    const resolver: Resolver = async () => addresses.map((address) => ({ address, family: 0 }));
    await expectClosed(way, 'name.test', { ...strictEnvironment, resolver });
  });
});

/** Names that only this machine and its network know. */
const LOCAL_NAMES = ['intranet', 'INTRANET', 'localhost', 'a.localhost'];

describe.each(WAYS)('under TARGET_POLICY=public, by $name', (way) => {
  it.each(LOCAL_NAMES)(
    'the local name %s is rejected in the same way whether or not it exists',
    async (host) => {
      const resolver = vi.fn<Resolver>(async () => [{ address: '93.184.215.14', family: 4 }]);
      await expectClosed(way, host, { ...strictEnvironment, resolver });
      expect(resolver).not.toHaveBeenCalled();
    },
  );
});

describe.each(WAYS)('under TARGET_POLICY=private, by $name', (way) => {
  // The first hop of a redirect must be listed, which blocks everything else.
  it.each(METADATA)('%s is rejected before a socket is opened', async (host) => {
    await expectClosed(way, host, openEnvironment);
  });

  it('a name with a record for metadata is rejected before a socket is opened', async () => {
    const resolver: Resolver = async () => [{ address: '169.254.169.254', family: 4 }];
    await expectClosed(way, 'name.test', { ...openEnvironment, resolver });
  });
});

describe('a rebinding resolver, which returns an allowed address first and then a closed one', () => {
  const ALLOWED = '127.0.0.1';
  const policy = { mode: 'public' as const, allowedCidrs: [ALLOWED] };
  const rebind = () => {
    const lookups: string[] = [];
    const resolver: Resolver = async () => {
      lookups.push(lookups.length === 0 ? ALLOWED : '127.0.0.2');
      return [{ address: lookups.at(-1) ?? '', family: 4 }];
    };
    return { lookups, resolver };
  };

  it.each([
    ['http probe', (port: number) => createTarget('http', `http://name.test:${port}/`)],
    ['tcp probe', (port: number) => createTarget('tcp', `name.test:${port}`)],
    [
      'resolver of a dns probe',
      (port: number) => createTarget('dns', `dns://name.test:${port}/a.test`, { timeout: 1 }),
    ],
  ])('by %s is queried once: nothing reaches the closed address', async (_, targetOf) => {
    const closed = await serveTcp(() => {}, '127.0.0.2');
    const { lookups, resolver } = rebind();
    const result = await probe(targetOf(closed.port), { ...strictEnvironment, policy, resolver });
    expect(['connect', 'timeout']).toContain(result.error?.code);
    expect(lookups).toEqual([ALLOWED]);
    expect(closed.connections()).toBe(0);
  });

  it('by webhook is rejected at the next attempt', async () => {
    const receiver = await serveHttp((_request, response) => response.end(), ALLOWED);
    const { resolver } = rebind();
    const posted = {
      endpointId: 'whk_1',
      url: `http://name.test:${receiver.port}/`,
      headers: {},
      payload: '{}',
    };
    const outcomes = [];
    for (let round = 0; round < 2; round += 1)
      outcomes.push(await sendDelivery({ policy, resolver }, posted));
    expect(outcomes).toMatchObject([{ kind: 'delivered' }, { kind: 'failed', error: BLOCKED.error.message }]);
    expect(receiver.connections()).toBe(1);
  });

  it('by redirect to the same name is rejected', async () => {
    const server = await serveHttp(
      (_request, response) => response.writeHead(302, { location: '/next' }).end(),
      ALLOWED,
    );
    const { resolver } = rebind();
    const target = createTarget('http', `http://name.test:${server.port}/`);
    expect(await probe(target, { ...strictEnvironment, policy, resolver })).toMatchObject(REDIRECT_BLOCKED);
    expect(server.connections()).toBe(1);
  });
});

describe('a literal address or local name as input', () => {
  const { policy } = strictEnvironment;

  it.each([...THIS_MACHINE, ...METADATA, ...LOCAL_NAMES])(
    '%s is rejected with 400 BLOCKED_TARGET',
    (host) => {
      const rejection = expect.objectContaining({ code: 'BLOCKED_TARGET' });
      for (const [type, url] of [
        ['http', `http://${host}/`],
        ['tcp', `${host}:80`],
        ['ping', host],
        ['dns', `dns://${host}/a.test?type=A`],
      ] as const) {
        expect(
          () =>
            guardLiteralTarget(policy, { type, url, resolvers: [], connectTo: null, authentication: null }),
          url,
        ).toThrow(rejection);
      }
      expect(() => guardLiteralReceiver(policy, `https://${host}/hook`)).toThrow(rejection);
    },
  );

  it('in place of the host of a URL is rejected', () => {
    const target = {
      type: 'http',
      url: 'https://shop.test/',
      resolvers: [],
      connectTo: '10.0.0.5:443',
      authentication: null,
    } as const;
    expect(() => guardLiteralTarget(policy, { ...target, resolvers: [] })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'connectTo' })] }),
    );
  });

  it('of a token endpoint is rejected', () => {
    const tokenUrl = 'http://10.0.0.5/token';
    const authentication = {
      method: 'oauth2',
      tokenUrl,
      clientId: 'a',
      clientSecret: 'b',
      scope: null,
    } as const;
    const target = { type: 'http', url: 'https://shop.test/', connectTo: null, authentication } as const;
    expect(() => guardLiteralTarget(policy, { ...target, resolvers: [] })).toThrow(
      expect.objectContaining({
        code: 'BLOCKED_TARGET',
        details: [expect.objectContaining({ path: 'authentication.tokenUrl' })],
      }),
    );
  });

  it('of a dns monitor: a local name is rejected, unless the monitor has its own resolver', () => {
    const rejection = expect.objectContaining({ code: 'BLOCKED_TARGET' });
    for (const url of ['intranet', 'dns:intranet?type=TXT']) {
      expect(
        () =>
          guardLiteralTarget(policy, {
            type: 'dns',
            url,
            resolvers: [],
            connectTo: null,
            authentication: null,
          }),
        url,
      ).toThrow(rejection);
    }
    guardLiteralTarget(policy, {
      type: 'dns',
      url: 'dns://8.8.8.8/com?type=NS',
      connectTo: null,
      authentication: null,
      resolvers: ['9.9.9.9'],
    });
    const others = {
      type: 'dns',
      url: 'a.test',
      connectTo: null,
      authentication: null,
      resolvers: ['9.9.9.9', '10.0.0.5:53'],
    } as const;
    expect(() => guardLiteralTarget(policy, { ...others, resolvers: [...others.resolvers] })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: 'resolvers.1' })] }),
    );
  });
});
