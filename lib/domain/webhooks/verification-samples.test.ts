import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { sendDelivery } from './send-delivery';
import type { SigningSecrets } from './sign';
import { deliveryHeaders, generateWebhookSecret } from './sign';

const folder = fileURLToPath(new URL('../../../docs/webhooks/', import.meta.url));
const SAMPLES = [
  { language: 'Node.js', program: process.execPath, file: 'receiver.mjs' },
  { language: 'Python', program: 'python3', file: 'receiver.py' },
];
const sender = { policy: { mode: 'private' as const, allowedCidrs: [] } };
const payload = JSON.stringify({
  event: 'monitor.down',
  causedBy: null,
  timestamp: '2026-03-01T12:00:00.000Z',
  monitor: { id: 'mon_1', name: 'Zahlungs-Schnittstelle ✓' },
});

describe.each(SAMPLES)('the receiver in $language of the API reference', ({ program, file }) => {
  const isMissing = spawnSync(program, ['--version']).status !== 0;
  const secret = generateWebhookSecret();
  let receiver: Receiver;

  beforeAll(async () => {
    if (!isMissing) receiver = await startReceiver(program, file, secret);
  });
  afterAll(() => receiver?.stop());

  /** Sends a delivery like the service, optionally with another body or ID; returns the status of the response. */
  async function deliver(
    secrets: SigningSecrets,
    changed: { body?: string; payload?: string; id?: string } = {},
  ) {
    const now = new Date();
    const signed = changed.payload ?? payload;
    const headers = deliveryHeaders({
      eventId: createId('event'),
      deliveryId: changed.id ?? createId('delivery'),
      attempt: 1,
      kind: 'monitor.down',
      payload: signed,
      occurredAt: now,
      sentAt: now,
      secrets,
      serviceName: 'Pharos',
    });
    const sent = { endpointId: 'whk_sample', url: receiver.url, headers, payload: changed.body ?? signed };
    const { statusCode, error } = await sendDelivery(sender, sent);
    return statusCode ?? error;
  }

  it.skipIf(isMissing)(`accepts a real delivery once (skipped where ${program} is missing)`, async () => {
    const id = createId('delivery');
    expect(await deliver({ current: secret, next: null }, { id })).toBe(204);
    expect(await deliver({ current: secret, next: null }, { id })).toBe(204);
    expect(receiver.output().match(new RegExp(`${id} monitor.down`, 'g'))).toHaveLength(1);
  });

  it.skipIf(isMissing)('tells an event that comes after a newer one of its monitor', async () => {
    const at = (second: number) => `2026-03-01T12:00:0${second}.000Z`;
    const emitted = [2, 1, 3].map((second) => ({
      id: createId('delivery'),
      body: JSON.stringify({ event: 'monitor.up', timestamp: at(second), monitor: { id: 'mon_late' } }),
    }));
    for (const { id, body } of emitted) {
      expect(await deliver({ current: secret, next: null }, { id, payload: body })).toBe(204);
    }
    const late = emitted.map(({ id }) =>
      new RegExp(`${id} monitor.up \\(late, ignored\\)`).test(receiver.output()),
    );
    expect(late).toEqual([false, true, false]);
  });

  it.skipIf(isMissing)('accepts both secrets while they are rotated', async () => {
    const other = generateWebhookSecret();
    expect(await deliver({ current: other, next: secret })).toBe(204);
    expect(await deliver({ current: secret, next: other })).toBe(204);
  });

  it.skipIf(isMissing)('responds with 401 to a modified body', async () => {
    const body = payload.replace('down', 'up');
    expect(await deliver({ current: secret, next: null }, { body })).toBe(401);
  });

  it.skipIf(isMissing)('responds with 401 to a wrong secret', async () => {
    expect(await deliver({ current: generateWebhookSecret(), next: null })).toBe(401);
  });

  it.skipIf(isMissing)('responds with 401 to an unsigned request', async () => {
    const response = await fetch(receiver.url, { method: 'POST', body: payload });
    expect(response.status).toBe(401);
  });
});

type Receiver = { url: string; output(): string; stop(): Promise<void> };

/** Runs a sample as described in its first lines; resolves once it listens, and throws with its output if it exits. */
async function startReceiver(program: string, file: string, secret: string): Promise<Receiver> {
  const port = await findFreePort();
  const env = childEnvironment({ WEBHOOK_SECRET: secret, PORT: String(port) });
  const child = spawn(program, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  while (!output.includes(`listening on port ${port}`)) {
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`${file} ended:\n${output}`);
  }
  return { url: `http://127.0.0.1:${port}/`, output: () => output, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
