// What the monitors check: HTTP, HTTPS, TCP and DNS servers, and one that accepts connections and never responds. Below
// /moved/ redirects to the rest of the path, /changed/ has a status of its own, and /alert/ fails once its parent sends
// `fail`; `failures` returns when each of these paths failed first. `outage` lets every path below /service/ fail, `half` those with odd
// numbers, and `recovery` none. Reports its ports to its parent.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { decode, encode } from 'dns-packet';
import { listen } from '../../script.mjs';

/** Several ports, so that connections in TIME_WAIT do not exhaust local ports. */
const PORTS = 8;
const certificate = readFileSync(
  new URL('../../../lib/platform/net/testing/good.pem', import.meta.url),
  'utf8',
);

/** @type {Map<string, number>} */
const failedAt = new Map();
let isFailing = false;
/** @type {'outage' | 'half' | 'recovery'} */
let services = 'recovery';

/** @param {string} url */
function fails(url) {
  if (services === 'recovery' || !url.startsWith('/service/')) return false;
  return services === 'outage' || Number(url.slice('/service/'.length)) % 2 === 1;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function respond({ url = '' }, response) {
  if (url.startsWith('/moved/'))
    return void response.writeHead(301, { location: url.slice('/moved'.length) }).end();
  if (url.startsWith('/changed/')) return void response.writeHead(204).end();
  if (fails(url)) return void response.writeHead(503).end('it failed\n');
  if (!isFailing || !url.startsWith('/alert/')) return void response.end('everything is well\n');
  response.writeHead(503).end('it failed\n', () => {
    if (!failedAt.has(url)) failedAt.set(url, performance.timeOrigin + performance.now());
  });
}

/** @param {() => import('node:net').Server} create */
const listenOnAll = (create) => Promise.all(Array.from({ length: PORTS }, () => listen(create())));

const names = createSocket('udp4');
names.on('message', (message, { address, port }) => {
  const { id, questions: [question] = [] } = decode(message);
  if (!question) return;
  const record = { type: /** @type {const} */ ('A'), name: question.name, ttl: 0, data: '127.0.0.1' };
  const answers = question.type === 'A' ? [record] : [];
  names.send(encode({ type: 'response', id, questions: [question], answers }), port, address);
});
names.bind(0, '127.0.0.1');
await once(names, 'listening');

const http = await listenOnAll(() => createHttpServer(respond));
const https = await listenOnAll(() => createHttpsServer({ key: certificate, cert: certificate }, respond));
const tcp = await listenOnAll(() => createServer((socket) => socket.on('error', () => undefined).end()));
const hanging = await listen(createServer((socket) => socket.on('error', () => undefined).resume()));

process.on('message', (/** @type {'fail' | 'failures' | 'outage' | 'half' | 'recovery'} */ command) => {
  if (command === 'fail') isFailing = true;
  else if (command !== 'failures') services = command;
  process.send?.(Object.fromEntries(failedAt));
});
process.send?.({ http, https, tcp, hanging, dns: names.address().port });
