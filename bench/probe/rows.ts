import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { probe } from '@/lib/checks/probe';
import type { ProbeEnvironment } from '@/lib/checks/probe-environment';
import { monitorDefaults, PROBED_FIELDS, type ProbeTarget, pickFields } from '@/lib/schemas/monitor/fields';

export type Ports = { http: number; https: number; dns: number; hanging: number };

export type Side = 'floor' | 'pharos';

/** A kind of check, and the least that any Node.js program does for it. */
export type CheckRow = {
  name: string;
  floor(): Promise<void>;
  pharos(): Promise<void>;
  /** The part of the rate that one core can take; 1 by default. */
  share?: number;
  /** The highest ratio of their CPU time that counts as cheap. */
  atMost?: number;
};

/** Checks that wait for their timeout of 30 s: 1 % of 833 checks per second. */
export const HANGING = 250;
const TIMEOUT_MS = 30_000;
const NAME = 'target.test';
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const AGENT = 'Pharos-Monitor/1.0';

const secureContext = createSecureContext({
  ca: readFileSync(join('lib', 'platform', 'net', 'testing', 'ca.pem')),
});
const environment: ProbeEnvironment = {
  policy: { mode: 'private', allowedCidrs: [] },
  userAgent: AGENT,
  resolver: async () => [LOOPBACK],
  secureContext,
  signal: new AbortController().signal,
};

/** The rows of the benchmark, against the targets at these ports. */
export function createRows(ports: Ports): CheckRow[] {
  const plain = floorOfHttp({ host: '127.0.0.1', port: ports.http, path: '/' });
  const moved = floorOfHttp({ host: '127.0.0.1', port: ports.http, path: '/moved' });
  const lookup: LookupFunction = (_name, { all }, done) =>
    all ? done(null, [LOOPBACK]) : done(null, LOOPBACK.address, LOOPBACK.family);
  const url = `http://127.0.0.1:${ports.http}/`;
  return [
    { name: 'http', floor: plain, pharos: check('http', url), atMost: 1.2 },
    { name: 'http, keyword', floor: plain, pharos: check('http', url, { keyword: 'well' }) },
    {
      name: 'http, redirect',
      floor: () => moved().then(plain),
      pharos: check('http', `${url}moved`),
    },
    {
      name: 'http, name',
      floor: floorOfHttp({ host: NAME, port: ports.http, path: '/', lookup }),
      pharos: check('http', `http://${NAME}:${ports.http}/`),
    },
    {
      name: 'https',
      share: 0.25,
      floor: floorOfHttp({ host: '127.0.0.1', port: ports.https, path: '/' }, requestTls),
      pharos: check('http', `https://127.0.0.1:${ports.https}/`),
    },
    {
      name: 'tcp',
      floor: floorOfTcp(ports.http),
      pharos: check('tcp', `127.0.0.1:${ports.http}`),
      atMost: 1.5,
    },
    {
      name: 'dns',
      floor: floorOfDns(ports.dns),
      pharos: check('dns', `dns://127.0.0.1:${ports.dns}/${NAME}?type=A`),
      atMost: 2,
    },
  ];
}

/** Starts checks of the hanging target, which end with this process. */
export function startHanging(port: number): void {
  const run = check('http', `http://127.0.0.1:${port}/`, { timeout: 3600 });
  for (let count = 0; count < HANGING; count += 1) void run();
}

/** A check of one target, as a worker repeats it. */
function check(type: ProbeTarget['type'], url: string, changes: Partial<ProbeTarget> = {}) {
  const target = { ...pickFields({ ...monitorDefaults, type, url }, PROBED_FIELDS), ...changes };
  return async () => {
    const { outcome, error } = await probe(target, environment);
    if (outcome !== 'ok') throw new Error(`the check of ${url} failed: ${error?.message}`);
  };
}

/** A request over a fresh connection, whose body is read, with one timer. */
function floorOfHttp(target: RequestOptions, send: typeof request = request) {
  const options = {
    ...target,
    agent: false,
    secureContext,
    headers: { 'user-agent': AGENT, accept: '*/*', 'accept-encoding': 'identity' },
  };
  return () =>
    new Promise<void>((resolve, reject) => {
      const sent = send(options, (response) => {
        response.resume();
        response.on('end', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      const timer = setTimeout(() => sent.destroy(), TIMEOUT_MS);
      sent.on('error', reject).end();
    });
}

function floorOfTcp(port: number) {
  return () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port }, () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
    });
}

function floorOfDns(port: number) {
  const labels = NAME.split('.').map((label) => `${String.fromCharCode(label.length)}${label}`);
  const query = Buffer.concat([
    Buffer.from('000101000001000000000000', 'hex'),
    Buffer.from(`${labels.join('')}\0`, 'latin1'),
    Buffer.from('00010001', 'hex'),
  ]);
  return () =>
    new Promise<void>((resolve, reject) => {
      const socket = createSocket('udp4');
      socket.on('error', reject).on('message', () => {
        socket.close();
        resolve();
      });
      socket.send(query, port, '127.0.0.1');
    });
}
