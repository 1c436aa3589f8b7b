import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { HealthBody } from '@/lib/schemas/health';
import { listenLocally } from '@/lib/testing/http-listener';
import { waitForHealth } from './wait-for-health';

type Part = HealthBody['parts'][number];

const part = (name: string, status: Part['status']): Part => ({
  name,
  status,
  since: '2026-03-01T12:00:00.000Z',
  message: `${name} is ${status}`,
});

/** A service that responds with these parts in order, and records the requested hosts. */
async function serve(responses: Part[][]) {
  const hosts: (string | undefined)[] = [];
  const listener = await listenLocally(
    createServer(({ headers }, response) => {
      const parts = responses[Math.min(hosts.length, responses.length - 1)] ?? [];
      hosts.push(headers.host);
      const status = parts.some((one) => one.status === 'down') ? 'down' : 'ok';
      response
        .writeHead(status === 'ok' ? 200 : 503)
        .end(JSON.stringify({ status, parts } satisfies HealthBody));
    }),
  );
  return { ...listener, hosts };
}

describe('a start waits for health', () => {
  it('with the host of APP_URL, the only one to which the application responds', async () => {
    const { hosts, port, close } = await serve([[part('web', 'down')], [part('database', 'ok')]]);
    const warn = vi.fn();
    await waitForHealth({ HOST: '127.0.0.1', PORT: port, APP_URL: 'https://pharos.test:8443' }, { warn });
    await waitForHealth({ HOST: '127.0.0.1', PORT: port, APP_URL: undefined }, { warn });
    await close();
    expect(hosts).toEqual(['pharos.test:8443', 'pharos.test:8443', `127.0.0.1:${port}`]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('for web and database; it logs other problems and does not wait for them', async () => {
    const region = part('region:eu-west', 'down');
    const { hosts, port, close } = await serve([
      [part('web', 'down')],
      [part('database', 'down')],
      [part('database', 'ok'), region, part('inngest', 'degraded')],
    ]);
    const warn = vi.fn();
    await waitForHealth({ HOST: '127.0.0.1', PORT: port, APP_URL: undefined }, { warn });
    await close();
    expect(hosts).toHaveLength(3);
    expect(warn.mock.calls).toEqual([
      [{ part: 'region:eu-west', status: 'down' }, region.message],
      [{ part: 'inngest', status: 'degraded' }, 'inngest is degraded'],
    ]);
  });
});
