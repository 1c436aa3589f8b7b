import { createSocket } from 'node:dgram';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { decode, encode, type Packet } from 'dns-packet';
import { type MonitorPlan, modeAt, REGIONS, type Region, type TargetMode } from './plan';
import type { VirtualTime } from './virtual-time';

/** How long a slow response takes, in virtual milliseconds: longer than `degradedThreshold`, shorter than any timeout. */
export const SLOW_MS = 7000;

/** One request that a target saw. `region` is null where the type does not show it. */
export type Seen = { monitor: number; region: Region | null; source: string; at: number; mode: TargetMode };

export type Targets = {
  seen: Seen[];
  /** The URL of a monitor's target. */
  urlOf(monitor: MonitorPlan): string;
  /** host:port of the resolver that knows the names of the targets. */
  resolver: string;
  /** While dead, the resolver does not respond. */
  setResolverDead(isDead: boolean): void;
  /** host:port of what always responds: if it cannot be reached, the network has failed. */
  canary: string;
  close(): Promise<void>;
};

/** The loopback address that a worker of a region connects from: 127.0.<region>.<number>. */
export function sourceOf(region: Region, number: number): string {
  return `127.0.${REGIONS.indexOf(region) + 1}.${number}`;
}

function regionOf(source: string): Region | null {
  const [, , place] = source.split('.').map(Number);
  return REGIONS[(place ?? 0) - 1] ?? null;
}

/** Starts the targets of all monitors in this process. They follow the plan's script and keep what they saw. */
export async function startTargets(monitors: MonitorPlan[], time: VirtualTime): Promise<Targets> {
  const seen: Seen[] = [];
  /** What the target of a monitor does now, which is noted. */
  const meet = (monitor: MonitorPlan, source: string): TargetMode => {
    const at = time.now();
    const region = regionOf(source);
    const mode = modeAt(monitor.spells[region ?? 'us-east'], time.elapsed());
    seen.push({ monitor: monitor.number, region, source, at, mode });
    return mode;
  };
  const http = await startHttp(monitors, { meet, time });
  const dns = await startDns(monitors, meet);
  const tcp = await startTcp(monitors, { meet, time });
  const urls: Record<MonitorPlan['type'], (number: number) => string> = {
    http: (number) => `http://127.0.0.1:${http.port}/${number}`,
    tcp: (number) => `127.0.0.1:${tcp.ports[number]}`,
    dns: (number) => `m${number}.test`,
    ping: () => '127.0.0.1',
  };
  return {
    seen,
    resolver: `127.0.0.1:${dns.port}`,
    setResolverDead: dns.setDead,
    canary: `127.0.0.1:${http.port}`,
    urlOf: ({ type, number }) => urls[type](number),
    close: async () => {
      await Promise.all([http.close(), dns.close(), tcp.close()]);
    },
  };
}

type Meet = (monitor: MonitorPlan, source: string) => TargetMode;
type Door = { meet: Meet; time: VirtualTime };

async function startHttp(monitors: MonitorPlan[], { meet, time }: Door) {
  const server = createServer((request, response) => {
    const monitor = monitors[Number(request.url?.slice(1))];
    if (!monitor) return response.writeHead(404).end();
    respond(response, meet(monitor, request.socket.remoteAddress ?? ''), time);
  });
  server.keepAliveTimeout = 100;
  return { port: await listen(server), close: () => close(server) };
}

function respond(response: ServerResponse, mode: TargetMode, { factor }: VirtualTime): void {
  if (mode === 'ok') response.end('ok');
  else if (mode === 'error') response.writeHead(503).end('unavailable');
  else if (mode === 'slow') setTimeout(() => response.end('ok, late'), SLOW_MS / factor).unref();
}

/** One port per monitor, of whatever type, that is closed while its script says `error`. */
async function startTcp(monitors: MonitorPlan[], door: Door) {
  const doors = await Promise.all(monitors.map((monitor) => startPort(monitor, door)));
  return {
    ports: doors.map(({ port }) => port),
    close: () => Promise.all(doors.map((each) => each.close())),
  };
}

async function startPort(monitor: MonitorPlan, { meet, time }: Door) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    meet(monitor, socket.remoteAddress ?? '');
    socket.end();
  });
  const port = await listen(server);
  const isOpen = () => modeAt(monitor.spells['us-east'], time.elapsed()) !== 'error';
  const follow = setInterval(() => {
    if (isOpen() === server.listening) return;
    if (server.listening) server.close();
    else server.listen(port, '127.0.0.1').on('error', () => undefined);
  }, 10);
  return {
    port,
    close: async () => {
      clearInterval(follow);
      for (const socket of sockets) socket.destroy();
      if (server.listening) await close(server);
    },
  };
}

async function startDns(monitors: MonitorPlan[], meet: Meet) {
  const socket = createSocket('udp4');
  let isDead = false;
  socket.on('message', (message, { address, port }) => {
    if (isDead) return;
    const query = decode(message);
    const [question] = query.questions ?? [];
    const monitor = monitors[Number(/^m(\d+)\.test$/.exec(question?.name ?? '')?.[1])];
    if (!question || !monitor) return;
    const mode = meet(monitor, address);
    if (mode === 'hang') return;
    const response: Packet = { type: 'response', id: query.id, questions: [question] };
    if (mode === 'error') response.flags = 3;
    else response.answers = [{ type: 'A', name: question.name, ttl: 0, data: '192.0.2.1' }];
    socket.send(encode(response), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    setDead: (value: boolean) => {
      isDead = value;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export async function close(server: Server): Promise<void> {
  if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
