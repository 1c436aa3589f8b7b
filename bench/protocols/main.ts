import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { probe } from '@/lib/checks/probe';
import type { ProbeResult } from '@/lib/checks/result';
import { monitorDefaults, PROBED_FIELDS, pickFields } from '@/lib/schemas/monitor/fields';
import { markdownTable, readOptions } from '../playground';
import { CASES, type Case, type Held } from './cases';
import { DAEMONS } from './daemons';
import { findPorts, versionOf } from './servers';

const USAGE = `usage: npm run test:protocols -- [options]
Checks the protocols of tcp monitors against the servers of Debian that are installed
  --only TEXT    only cases whose name contains it
  --record       writes what servers said for the tests of this repository
`;

const RECORDED = 'lib/checks/tcp/testing/recorded.json';
const CERTIFICATES = 'lib/platform/net/testing';
const START_MS = 30_000;
/** Within which a server that refuses a connection closes it. */
const REFUSED_MS = 200;

/** Runs the cases; returns the exit code: 1 if one is not as it must be. */
export async function main(words: string[]): Promise<number> {
  const given = readOptions(words, USAGE, { only: { type: 'string' }, record: { type: 'boolean' } });
  const chosen = CASES.filter(({ name }) => name.includes(given.only ?? ''));
  const rows: string[][] = [];
  const recorded: Record<string, unknown> = {};
  let wrong = 0;
  for (const one of chosen) {
    if (!existsSync(DAEMONS[one.daemon].program)) {
      rows.push([one.name, one.daemon, 'skipped: not installed', '']);
      continue;
    }
    const { problem, seen } = await runCase(one);
    if (problem !== null) wrong += 1;
    process.stderr.write(`${problem === null ? 'ok   ' : 'WRONG'} ${one.name}\n`);
    const [program = '', ...flags] = DAEMONS[one.daemon].version;
    const version = versionOf(program, flags);
    rows.push([one.name, version, seen.result.outcome, problem ?? formatResult(seen.result)]);
    if (one.isRecorded) recorded[one.name] = { server: version, ...one.check, ...toRecording(seen) };
  }
  process.stdout.write(`${markdownTable(['case', 'server', 'outcome', 'sentence'], rows)}\n`);
  if (given.record) {
    mkdirSync(dirname(RECORDED), { recursive: true });
    writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
  }
  return wrong === 0 ? 0 : 1;
}

type Seen = { result: ProbeResult; dialog: string[]; chunks: Chunk[] };
/** What passed through the relay. */
type Chunk = { from: 'client' | 'server'; bytes: Buffer };

/** Starts the server of a case, checks it through a relay, and stops it. */
async function runCase({ daemon, settings, hold, source, check, expected, repeat, prepare }: Case) {
  const directory = mkdtempSync(join(tmpdir(), 'pharos-protocol-'));
  // Most servers drop their privileges.
  chmodSync(directory, 0o755);
  const ports = await findPorts(3);
  const certificate = join(process.cwd(), CERTIFICATES, `${check.certificate ?? 'good'}.pem`);
  const server = DAEMONS[daemon].start({ directory, ports, certificate }, settings);
  const port = ports[check.port ?? 0] ?? 0;
  const relay = await startRelay(port, source);
  const held: Socket[] = [];
  try {
    await awaitListener(port);
    await prepare?.(directory, port);
    for (const each of hold ?? []) held.push(await holdConnection(port, each));
    let seen = await checkOnce(relay, check);
    for (let count = 1; count < (repeat ?? 1); count += 1) seen = await checkOnce(relay, check);
    return { seen, problem: judge(seen.result, expected) };
  } finally {
    for (const socket of held) socket.destroy();
    relay.close();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Relay = { port: number; chunks: Chunk[]; close(): void };

async function checkOnce(
  relay: Relay,
  { protocol, tlsVerify = true, timeout = 10 }: Case['check'],
): Promise<Seen> {
  relay.chunks.length = 0;
  const defaults = pickFields(
    { ...monitorDefaults, type: 'tcp', url: `localhost:${relay.port}` },
    PROBED_FIELDS,
  );
  const target = { ...defaults, protocol, tlsVerify, timeout };
  const result = await probe(target, {
    policy: { mode: 'private', allowedCidrs: [] },
    userAgent: 'Pharos-Monitor/1.0',
    secureContext: createSecureContext({ ca: readFileSync(join(CERTIFICATES, 'authorities.pem')) }),
    evidenceOf: 'any',
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  return { result, dialog: result.evidence?.().dialog ?? [], chunks: [...relay.chunks] };
}

function judge({ outcome, error }: ProbeResult, expected: Case['expected']): string | null {
  const said = error === null ? null : (error.detail ?? error.message);
  if (expected === 'ok') return outcome === 'ok' ? null : `failed: ${said}`;
  return outcome === 'failed' && said?.includes(expected) ? null : `${outcome}: ${said ?? ''}`;
}

function formatResult({ error, responseTime }: ProbeResult): string {
  return error === null ? `${responseTime} ms` : (error.detail ?? error.message);
}

/** Passes everything on, from an address of loopback of its own where the server treats others differently. */
function startRelay(port: number, localAddress = '127.0.0.1'): Promise<Relay> {
  const chunks: Chunk[] = [];
  const server = createServer((client) => {
    const target = connect({ port, host: '127.0.0.1', localAddress });
    client.on('data', (bytes) => {
      chunks.push({ from: 'client', bytes });
      target.write(bytes);
    });
    target.on('data', (bytes) => {
      chunks.push({ from: 'server', bytes });
      client.write(bytes);
    });
    client
      .on('error', () => target.destroy())
      .on('end', () => target.end())
      .on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('end', () => client.end());
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const own = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ port: own, chunks, close: () => server.close() });
    }),
  );
}

async function awaitListener(port: number): Promise<void> {
  const end = Date.now() + START_MS;
  while (Date.now() < end) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => socket.destroy() && resolve(true)).once('error', () => resolve(false));
    });
    if (isOpen) return;
    await pause(100);
  }
  throw new Error(`the server did not listen on ${port} within 30 seconds`);
}

/** Keeps a connection open, once the server has replied to what it sends; again if it is refused because another one has not ended yet. */
async function holdConnection(port: number, held: Held): Promise<Socket> {
  const { send, localAddress = '127.0.0.1' } = held;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  if (send !== undefined) socket.write(send);
  await new Promise<void>((resolve) => socket.once('data', () => resolve()).once('close', () => resolve()));
  await pause(REFUSED_MS);
  return socket.destroyed ? holdConnection(port, held) : socket;
}

/** Only the dialog if TLS encrypts what follows. */
function toRecording({ dialog, chunks }: Seen) {
  const isText = !dialog.some((line) => line.startsWith('< TLS'));
  return {
    dialog,
    ...(isText
      ? { chunks: chunks.map(({ from, bytes }) => ({ from, base64: bytes.toString('base64') })) }
      : {}),
  };
}
