import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '@/lib/core/ids';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { waitUntil } from '@/lib/testing/wait-for';
import { errorOf, sendDelivery, statusCodeOf } from './send-delivery';
import type { SigningSecrets } from './sign';
import { deliveryHeaders, generateWebhookSecret } from './sign';

const folder = fileURLToPath(new URL('../../../docs/webhooks/', import.meta.url));
const SAMPLES = [
  { language: 'Node.js', program: process.execPath, file: 'receiver.mjs' },
  { language: 'Python', program: 'python3', file: 'receiver.py' },
  { language: 'Go', program: 'go', file: 'receiver.go', isCompiled: true },
].map((sample) => ({ ...sample, isMissing: isMissing(sample.program) }));
const sender = { policy: { mode: 'private' as const, allowedCidrs: [] } };
const payload = JSON.stringify({
  event: 'monitor.down',
  causedBy: null,
  timestamp: '2026-03-01T12:00:00.000Z',
  monitor: { id: 'mon_1', name: 'Zahlungs-Schnittstelle ✓' },
});
const MINUTE_MS = 60_000;

for (const sample of SAMPLES) {
  const { language, program } = sample;
  const name = `the receiver in ${language} of the API reference (skipped where ${program} is missing)`;
  describe.skipIf(sample.isMissing)(name, () => {
    const secret = generateWebhookSecret();
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await startReceiver(sample, secret);
    });
    afterAll(() => receiver?.stop());

    type Changes = {
      /** What is signed. */
      payload?: string;
      /** What is sent instead of it. */
      body?: string;
      id?: string;
      sentAt?: Date;
      secrets?: SigningSecrets;
      headers?(signed: Record<string, string>): Record<string, string>;
    };

    /** The headers and the body of a delivery of the service, with changes of an attacker. */
    function sign({ id = createId('delivery'), sentAt = new Date(), ...changed }: Changes = {}) {
      const { secrets = { current: secret, next: null } } = changed;
      const signed = changed.payload ?? payload;
      const about = { eventId: createId('event'), deliveryId: id, attempt: 1, kind: 'monitor.down' };
      const headers = deliveryHeaders({
        ...about,
        payload: signed,
        occurredAt: sentAt,
        sentAt,
        secrets,
        serviceName: 'Pharos',
      });
      return {
        headers: { ...headers, ...changed.headers?.(headers) },
        payload: changed.body ?? signed,
      };
    }

    /** Sends a delivery like the service; returns the status of the response. */
    async function deliver(changes?: Changes) {
      const sent = { endpointId: 'whk_sample', url: receiver.url, ...sign(changes) };
      const outcome = await sendDelivery(sender, sent);
      return statusCodeOf(outcome) ?? errorOf(outcome);
    }

    /** The lines about a delivery, once everything that was handled until now is written. */
    async function handled(id: string) {
      const last = createId('delivery');
      expect(await deliver({ id: last })).toBe(204);
      await waitUntil(() => new RegExp(`${last} .*\n`).test(receiver.output()));
      return receiver.output().match(new RegExp(`${id} monitor.*`, 'g')) ?? [];
    }

    it('handles a real delivery once, also if it arrives several times at the same moment', async () => {
      const id = createId('delivery');
      const statuses = await Promise.all(Array.from({ length: 8 }, () => deliver({ id })));
      expect([...statuses, await deliver({ id })]).toEqual(Array(9).fill(204));
      expect(await handled(id)).toHaveLength(1);
    });

    it('recognizes an event that comes after a newer one of its monitor', async () => {
      const ids: string[] = [];
      for (const second of [2, 1, 3]) {
        const id = createId('delivery');
        const timestamp = `2026-03-01T12:00:0${second}.000Z`;
        const body = JSON.stringify({ event: 'monitor.up', timestamp, monitor: { id: 'mon_late' } });
        expect(await deliver({ id, payload: body })).toBe(204);
        ids.push(id);
      }
      const lines = await Promise.all(ids.map(handled));
      expect(lines.map((line) => line.join().includes('(late, ignored)'))).toEqual([false, true, false]);
    });

    it('accepts either secret while they are rotated, wherever its signature is in the list', async () => {
      const other = generateWebhookSecret();
      expect(await deliver({ secrets: { current: other, next: secret } })).toBe(204);
      expect(await deliver({ secrets: { current: secret, next: other } })).toBe(204);
      const before = (signed: Record<string, string>) => ({
        'webhook-signature': `v1a,AAAA v1, v1,AAAA  ${signed['webhook-signature']}`,
      });
      expect(await deliver({ headers: before })).toBe(204);
    });

    it.each<[what: string, changes: Changes]>([
      ['a modified body', { body: payload.replace('down', 'up') }],
      ['a wrong secret', { secrets: { current: generateWebhookSecret(), next: null } }],
      ['another webhook-id', { headers: () => ({ 'webhook-id': createId('delivery') }) }],
      ['no webhook-id', { headers: () => ({ 'webhook-id': '' }) }],
      ['no signature but that of the body alone', { headers: () => ({ 'webhook-signature': '' }) }],
      ['a time that is not signed', { headers: () => ({ 'webhook-timestamp': String(Date.now()) }) }],
      ['a time that is none', { headers: () => ({ 'webhook-timestamp': '1e9' }) }],
      ['an attempt of 6 minutes ago', { sentAt: new Date(Date.now() - 6 * MINUTE_MS) }],
      ['an attempt of 6 minutes ahead', { sentAt: new Date(Date.now() + 6 * MINUTE_MS) }],
    ])('responds with 401 to %s', async (_, changes) => {
      const id = createId('delivery');
      expect(await deliver({ id, ...changes })).toBe(401);
      expect(await handled(id)).toEqual([]);
    });

    it('accepts an attempt of 4 minutes ago, and finds a repetition by what is signed', async () => {
      const sentAt = new Date(Date.now() - 4 * MINUTE_MS);
      const id = createId('delivery');
      expect(await deliver({ id, sentAt })).toBe(204);
      const unsigned = { 'X-Service-Delivery-Id': createId('delivery') };
      expect(await deliver({ id, sentAt, headers: () => unsigned })).toBe(204);
      expect(await handled(id)).toHaveLength(1);
      expect(await handled(unsigned['X-Service-Delivery-Id'])).toEqual([]);
    });

    it.each([
      ['text', 'not JSON'],
      ['nothing', ''],
      ['null', 'null'],
      ['a list', '[]'],
      ['an event without a name', '{"event":1}'],
      ['100,000 brackets', '['.repeat(100_000)],
    ])(
      'responds with 400 to a signed body that is no event but %s, and remembers nothing',
      async (_, text) => {
        const id = createId('delivery');
        expect(await deliver({ id, payload: text })).toBe(400);
        expect(await deliver({ id })).toBe(204);
        expect(await handled(id)).toHaveLength(1);
      },
    );

    it('survives requests that are cut off, malformed or too large', async () => {
      const head = (lines: string) => `POST / HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
      const { headers } = sign();
      const signed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const large = 'x'.repeat(1024 * 1024 + 1);
      await attack(receiver, head(`${signed.join('')}Content-Length: 99\r\n`) + payload.slice(0, 20));
      await attack(receiver, head('Transfer-Encoding: chunked\r\n').concat('5\r\nab'));
      await attack(receiver, head('Content-Length: -1\r\n').concat(payload));
      await attack(receiver, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await attack(receiver, 'nonsense\r\n\r\n');
      await attack(receiver, head(`Content-Length: ${large.length}\r\n`) + large);
      await attack(
        receiver,
        `${head('Transfer-Encoding: chunked\r\n')}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
      );
      const tooLarge = await deliver({ payload: JSON.stringify({ event: 'monitor.down', text: large }) });
      expect(tooLarge, 'unless the connection was closed before').not.toBe(204);
      const id = createId('delivery');
      expect(await deliver({ id })).toBe(204);
      expect(await handled(id)).toHaveLength(1);
    });
  });
}

/** Sends bytes, and ends the connection in the middle of what they begin, as soon as they are sent or refused. */
async function attack({ url }: Receiver, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
  socket.write(bytes, () => socket.resetAndDestroy());
  await closed;
}

function isMissing(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status !== 0;
}

type Receiver = { url: string; output(): string; stop(): Promise<void> };

/** Runs a sample as described in its first lines; resolves once it listens, and throws with its output if it exits. */
async function startReceiver(
  { program, file, isCompiled = false }: { program: string; file: string; isCompiled?: boolean },
  secret: string,
): Promise<Receiver> {
  const port = await findFreePort();
  const built = isCompiled ? await mkdtemp(join(tmpdir(), 'pharos-receiver-')) : null;
  const [command, ...args] = built === null ? [program, file] : [join(built, 'receiver')];
  if (built !== null) compileGo(join(built, 'receiver'), file);
  const env = childEnvironment({ WEBHOOK_SECRET: secret, PORT: String(port) });
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Each stream by itself: without a buffer, Python writes a line in pieces, and errors of other threads in between.
  const written = ['', ''];
  for (const [place, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      written[place] += chunk;
    });
  }
  const output = () => written.join('');
  while (!output().includes(`listening on port ${port}`)) {
    await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`${file} ended:\n${output()}`);
  }
  const stop = async () => {
    await stopChild(child);
    if (built !== null) await rm(built, { recursive: true });
  };
  return { url: `http://127.0.0.1:${port}/`, output, stop };
}

/** Compiled first: `go run` does not pass signals on. */
function compileGo(to: string, file: string): void {
  const { status, stderr } = spawnSync('go', ['build', '-o', to, file], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not compile:\n${stderr}`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
