import { execFile, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { serveDns } from '@/lib/platform/net/testing/dns-server';
import { probe } from '../probe';
import { ODD_DNS_SERVERS, type OddDnsServer } from '../testing/odd-dns-servers';
import { createTarget, openEnvironment } from '../testing/target';

const hasDig = spawnSync('dig', ['-v']).status === 0;

async function judgeByProbe({ type = 'A' }: OddDnsServer, server: string) {
  const target = createTarget('dns', type === null ? 'a.test' : `dns:a.test?type=${type}`);
  const { outcome, error } = await probe(target, { ...openEnvironment, dnsServers: [server] });
  return { outcome, error: error?.message.replace(` ${server}`, '') ?? null };
}

/** Whether `dig` gets a response without an error code that has a record of the type. */
function judgeByDig({ type }: OddDnsServer, port: number): Promise<boolean> {
  const asked = type ?? 'A';
  const words = ['@127.0.0.1', '-p', String(port), 'a.test', asked, '+tries=1', '+time=2', '+noall'];
  const record = new RegExp(`\\sIN\\s+${asked}\\s`);
  return new Promise((resolve) => {
    execFile('dig', [...words, '+comments', '+answer'], (error, stdout) => {
      resolve(error === null && stdout.includes('status: NOERROR') && record.test(stdout));
    });
  });
}

describe('a dns check of a server that sends', () => {
  it.each(ODD_DNS_SERVERS)('$name', async (row) => {
    const { server, port } = await serveDns(({ type }) => row.replies(type));
    const outcome = row.error === null || row.degraded ? 'ok' : 'failed';
    expect(await judgeByProbe(row, server)).toEqual({ outcome, error: row.error });
    if (hasDig && !row.digAcceptsMore) expect(await judgeByDig(row, port)).toBe(outcome === 'ok');
  });
});
