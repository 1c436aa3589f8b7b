import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

/** The addresses of the two links, on the side of the watcher and on the other. */
export const UPLINK = { name: 'w0', own: '10.77.0.2/24', other: '10.77.0.1/24', gateway: '10.77.0.1' };
export const LAN = { name: 'l0', own: '10.78.0.2/24', other: '10.78.0.1/24', neighbor: '10.78.0.1' };
/** A neighbor on the link that is cut. */
export const CUT_NEIGHBOR = '10.77.0.9';
/** Targets that stay up, and those that go down. */
export const UP_NETWORK = '198.51.100';
export const DOWN_NETWORK = '203.0.113';
export const PORTS = { http: 8080, dns: 5301 };
/** Canaries that retire, and flap. */
export const RETIRED = '192.0.2.9';
export const FLAPPING = '192.0.2.7';
const CANARIES = [RETIRED, FLAPPING].map((address) => `${address}/32`);
/** A name that the resolver with a cache knows by heart. */
export const CACHED_NAME = 'cached.test';

/** Responds on every address that is given to this network namespace, and runs `ip` with the words of each line of its input. */
export async function runWorld(): Promise<never> {
  const http = createServer((_request, response) => response.end('ok'));
  http.keepAliveTimeout = 100;
  http.listen(PORTS.http, '0.0.0.0', 4096);
  await once(http, 'listening');
  const dns = createSocket('udp4');
  dns.on('message', (bytes, peer) => {
    const { id, questions } = decode(bytes);
    const flags = AUTHORITATIVE_ANSWER | NXDOMAIN;
    dns.send(encode({ type: 'response', id, flags, questions }), peer.port, peer.address);
  });
  dns.bind(PORTS.dns, '0.0.0.0');
  await once(dns, 'listening');
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    ip(...line.split(' '));
    process.stdout.write('done\n');
  }
  process.exit(0);
}

const NXDOMAIN = 3;

/** Runs `ip`, synchronously: what follows has to find it done. */
export function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The network beyond the links, in a namespace of its own. */
export type World = { ip(...words: string[]): Promise<void>; end(): void };

/** Starts the world and connects it to the namespace of this process with two links. */
export async function startWorld(command: readonly string[]): Promise<World> {
  const child = spawn('unshare', ['-n', ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await replies.next();
  let last: Promise<unknown> = Promise.resolve();
  const world: World = {
    ip: async (...words) => {
      child.stdin.write(`${words.join(' ')}\n`);
      last = last.then(() => replies.next());
      await last;
    },
    end: () => child.kill('SIGKILL'),
  };
  await connect(world, child);
  return world;
}

async function connect(world: World, { pid }: ChildProcess): Promise<void> {
  ip('link', 'set', 'lo', 'up');
  await world.ip('link', 'set', 'lo', 'up');
  for (const { name, own, other } of [UPLINK, LAN]) {
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}-peer`, 'netns', String(pid));
    ip('address', 'add', own, 'dev', name);
    ip('link', 'set', name, 'up');
    await world.ip('address', 'add', other, 'dev', `${name}-peer`);
    await world.ip('link', 'set', `${name}-peer`, 'up');
  }
  await world.ip('address', 'add', `${CUT_NEIGHBOR}/24`, 'dev', `${UPLINK.name}-peer`);
  // All of these addresses are its own.
  for (const network of [`${UP_NETWORK}.0/24`, `${DOWN_NETWORK}.0/24`, ...CANARIES])
    await world.ip('route', 'add', 'local', network, 'dev', 'lo');
  routeOut();
}

function routeOut(): void {
  ip('route', 'add', 'default', 'via', UPLINK.gateway, 'dev', UPLINK.name);
}

/** Cuts the uplink, as by pulling its cable; or plugs it in again. */
export function setUplink(isUp: boolean): void {
  ip('link', 'set', UPLINK.name, isUp ? 'up' : 'down');
  if (isUp) routeOut();
}

/** A resolver on this machine that has one name in its cache, forwards all others, and returns SERVFAIL without a response. */
export async function startCachingResolver(): Promise<string> {
  const [socket, upstream] = [createSocket('udp4'), createSocket('udp4')];
  const waiting = new Map<number, (bytes: Buffer) => void>();
  upstream.on('error', () => undefined);
  upstream.on('message', (bytes) => waiting.get(bytes.readUInt16BE(0))?.(bytes));
  let nextId = 0;
  socket.on('message', (bytes, peer) => {
    const { id = 0, questions } = decode(bytes);
    const name = questions?.[0]?.name ?? '';
    const reply = (packet: Buffer) => socket.send(packet, peer.port, peer.address);
    const answers = [{ type: 'A' as const, name, ttl: 60, data: `${UP_NETWORK}.1` }];
    if (name === CACHED_NAME) return reply(encode({ type: 'response', id, questions, answers }));
    nextId = (nextId + 1) & 0xffff;
    const own = nextId;
    const finish = (packet: Buffer) => {
      waiting.delete(own);
      packet.writeUInt16BE(id, 0);
      reply(packet);
    };
    waiting.set(own, finish);
    const query = Buffer.from(bytes);
    query.writeUInt16BE(own, 0);
    upstream.send(query, PORTS.dns, UPLINK.gateway, () => undefined);
    setTimeout(() => {
      if (waiting.has(own)) finish(encode({ type: 'response', id, flags: SERVFAIL, questions }));
    }, 1000);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const SERVFAIL = 2;
