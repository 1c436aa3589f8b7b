import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { IcmpUnavailableError } from './icmp-echo';
import { pingWithProgram } from './ping-program';

function writeProgram(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ping-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ping');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const forever = new AbortController().signal;

it('returns the time of a ping that gets a reply', async () => {
  const program = writeProgram('echo "64 bytes from 10.0.0.5: icmp_seq=1 ttl=64 time=0.045 ms"');
  expect(await pingWithProgram('10.0.0.5', forever, program)).toBe(0.045);
});

it('repeats until the signal aborts', async () => {
  const program = writeProgram('sleep 0.05; echo "1 packets transmitted, 0 received"; exit 1');
  const signal = AbortSignal.timeout(300);
  await expect(pingWithProgram('10.0.0.5', signal, program)).rejects.toThrow('timeout');
});

it('is unavailable if the program is not permitted to ping', async () => {
  const program = writeProgram('echo "ping: socket: Operation not permitted" >&2; exit 2');

  await expect(pingWithProgram('10.0.0.5', forever, program)).rejects.toThrow(IcmpUnavailableError);
});

it('is unavailable without the program', async () => {
  await expect(pingWithProgram('10.0.0.5', forever, '/nowhere/ping')).rejects.toThrow(
    'no ping program is installed',
  );
});
