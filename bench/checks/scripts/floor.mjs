// What a check costs at least: bare exchanges of Node.js, each over a connection of its own and with one timer, at a given
// rate. Reports how many were started and the CPU of this process. `node floor.mjs 127.0.0.1:5353` resolves names below
// bench.test with that server.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { encode, RECURSION_DESIRED } from 'dns-packet';
import '../../script.mjs';

const [, , nameServer = ''] = process.argv;
await import(`./names.mjs?server=${nameServer}`);

/** @typedef {'http' | 'tcp' | 'dns'} Type */
/** @typedef {{ type: Type, targets: string[], perSecond: number, seconds: number, timeoutMs: number }} Work */
/**
 * Starts an exchange, which calls `end` with whether it succeeded; returns what cancels it.
 * @typedef {(end: (ok: boolean) => void) => () => void} Exchange
 */

/** Exchanges that are due within this time start together. */
const TICK_MS = 5;
const authority = new URL('../../../lib/platform/net/testing/ca.pem', import.meta.url);
const secureContext = createSecureContext({ ca: readFileSync(authority) });

/** @type {Record<Type, (target: string) => Exchange>} */
const PREPARE = {
  http: (target) => {
    const { protocol, hostname: host, port, pathname, search } = new URL(target);
    const isSecure = protocol === 'https:';
    const request = isSecure ? requestHttps : requestHttp;
    const options = { host, port, agent: /** @type {const} */ (false), ...(isSecure && { secureContext }) };
    return (end) => {
      /** @param {string} path */
      const send = (path) =>
        request({ ...options, path }, (response) => {
          response.resume().on('end', () => {
            const { location } = response.headers;
            if (location === undefined) end(response.statusCode === 200);
            else sent = send(location);
          });
        })
          .on('error', () => end(false))
          .end();
      let sent = send(pathname + search);
      return () => sent.destroy();
    };
  },
  tcp: (target) => {
    const [host = '', port] = target.split(':');
    return (end) => {
      const socket = connect({ host, port: Number(port) }, () => {
        socket.destroy();
        end(true);
      });
      socket.on('error', () => end(false));
      return () => socket.destroy();
    };
  },
  dns: (name) => {
    const [host = '', port] = nameServer.split(':');
    const query = encode({
      type: 'query',
      id: 1,
      flags: RECURSION_DESIRED,
      questions: [{ type: 'A', name }],
    });
    return (end) => {
      const socket = createSocket('udp4');
      const finish = (/** @type {boolean} */ ok) => {
        socket.close();
        end(ok);
      };
      socket.once('message', () => finish(true)).once('error', () => finish(false));
      socket.send(query, Number(port), host);
      return () => finish(false);
    };
  },
};

/** @param {Work} work */
async function run({ type, targets, perSecond, seconds, timeoutMs }) {
  const exchanges = targets.map(PREPARE[type]);
  /** @type {Set<() => void>} */
  const open = new Set();
  let checks = 0;
  let failed = 0;
  const start = () => {
    const exchange = /** @type {Exchange} */ (exchanges[checks % exchanges.length]);
    checks += 1;
    let isOpen = true;
    const cancel = exchange((ok) => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      open.delete(stop);
      if (!ok) failed += 1;
    });
    const stop = () => {
      isOpen = false;
      clearTimeout(timer);
      cancel();
    };
    const timer = setTimeout(() => {
      failed += 1;
      open.delete(stop);
      stop();
    }, timeoutMs);
    open.add(stop);
  };

  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let passed = 0; passed < seconds; ) {
    const dueAt = startedAt + (1000 * checks) / perSecond;
    await delay(Math.max(TICK_MS, dueAt - performance.now()));
    passed = (performance.now() - startedAt) / 1000;
    while (checks < Math.min(passed, seconds) * perSecond) start();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const stop of open) stop();
  process.send?.({ checks, failed, cpuMs: (user + system) / 1000 });
}

process.on('message', run);
process.send?.('ready');
