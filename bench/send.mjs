import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Sent */

/**
 * Sends a request; resolves to its status, 0 for a broken connection or one without a response in a minute.
 * @typedef {(sent: Sent) => Promise<number>} Send
 */

/**
 * A client with an address of its own: limits per address see different clients.
 * @param {string} origin
 * @param {string} localAddress
 * @param {number} [maxSockets] By default, as many as are needed at once.
 * @returns {Send}
 */
export function clientAt(origin, localAddress, maxSockets = Infinity) {
  const agent = new Agent({ keepAlive: true, localAddress, maxSockets });
  return ({ method = 'GET', path, headers, body }) =>
    new Promise((resolve) => {
      const sent = request(`${origin}${path}`, { method, headers, agent, timeout: 60_000 }, (response) => {
        buffer(response).then(
          () => resolve(response.statusCode ?? 0),
          () => resolve(0),
        );
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
}

const RECONNECT_MS = 100;
const HEAD = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\ncontent-length: (\d+)[\s\S]*?\r\n\r\n/i;

/**
 * Sends GET requests over a number of connections, for a small part of what Node's client costs: it shares the processor with what it measures.
 * For responses that have a length. A request waits until a connection is free.
 * @param {string} origin
 * @param {number} connections
 * @returns {(path: string) => Promise<number>} resolves to the status, 0 for a broken connection
 */
export function leanClient(origin, connections) {
  const { host, hostname, port } = new URL(origin);
  /** @type {((request: { path: string, resolve: (status: number) => void }) => void)[]} */
  const idle = [];
  /** @type {{ path: string, resolve: (status: number) => void }[]} */
  const waiting = [];
  const open = () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = '';
    /** @type {((status: number) => void) | null} */
    let resolve = null;
    /** @param {{ path: string, resolve: (status: number) => void }} request */
    const send = (request) => {
      resolve = request.resolve;
      socket.write(`GET ${request.path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk;
      const [head, status, length] = HEAD.exec(received) ?? [];
      if (head === undefined || received.length < head.length + Number(length)) return;
      received = '';
      resolve?.(Number(status));
      resolve = null;
      const next = waiting.shift();
      if (next) send(next);
      else idle.push(send);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        resolve?.(0);
        const place = idle.indexOf(send);
        if (place >= 0) idle.splice(place, 1);
        setTimeout(open, RECONNECT_MS);
      });
    const next = waiting.shift();
    if (next) send(next);
    else idle.push(send);
  };
  for (let number = 0; number < connections; number += 1) open();
  return (path) =>
    new Promise((resolve) => {
      const send = idle.pop();
      if (send) send({ path, resolve });
      else waiting.push({ path, resolve });
    });
}

/**
 * Sends a request at a steady rate, at a moment of its own in each interval, whether or not earlier ones got a response, and resolves to the times of responses in
 * milliseconds and to the statuses that were not 200.
 * @param {() => Promise<number>} send
 * @param {number} perSecond
 * @param {number} seconds
 */
export async function sendSteadily(send, perSecond, seconds) {
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const failures = [];
  const pending = [];
  const begunAt = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    // Not in step with anybody else.
    const dueAt = begunAt + ((number + Math.random()) * 1000) / perSecond;
    // A timer takes a millisecond, in which several can be due.
    if (dueAt > performance.now()) await delay(dueAt - performance.now());
    pending.push(
      send().then((status) => {
        times.push(performance.now() - dueAt);
        if (status !== 200) failures.push(status);
      }),
    );
  }
  await Promise.all(pending);
  return { times, failures };
}
