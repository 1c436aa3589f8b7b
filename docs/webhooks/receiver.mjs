// Receives webhooks: accepts only what is signed and recent, and handles every delivery once.
// Node.js 18 or later, nothing to install:
//   WEBHOOK_SECRET='whsec_…' PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { env, stderr, stdout } from 'node:process';

const { WEBHOOK_SECRET = '', PORT = '8080' } = env;
if (!WEBHOOK_SECRET.startsWith('whsec_')) throw new Error('WEBHOOK_SECRET is not set');
const KEY = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const TOLERANCE_SECONDS = 5 * 60;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_HANDLED = 10_000;

// Store both in your database; they are lost when the process ends.
const handled = new Set();
/** The time of the last event of each monitor. */
const latest = new Map();
/** What is being handled, by ID: a delivery that arrives twice at the same time is handled once. */
const running = new Map();

const server = createServer({ requestTimeout: 30_000 }, async (request, response) => {
  try {
    const status = await receive(request);
    response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end();
  } catch (error) {
    // Nothing is remembered, so the next attempt is handled.
    stderr.write(`${error}\n`);
    response.writeHead(500).end();
  }
});

/** @param {import('node:http').IncomingMessage} request */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  const body = await readBody(request);
  if (body === null) return 413;
  if (!isSigned(request.headers, body)) return 401;
  const id = String(request.headers['webhook-id']);
  if (handled.has(id)) return 204;
  const event = parseEvent(body);
  if (event === null) return 400;
  if (!running.has(id)) running.set(id, handleOnce(id, event));
  await running.get(id);
  return 204;
}

/**
 * The body, or null if it is too large.
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Only `webhook-id`, `webhook-timestamp` and the body are signed. While the secret is rotated, there is a signature with each.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {Buffer} body
 */
function isSigned(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': list = '' } = headers;
  if (id === '' || !/^\d{1,12}$/.test(String(time))) return false;
  if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false;
  const signed = createHmac('sha256', KEY).update(`${id}.${time}.`).update(body);
  const expected = Buffer.from(`v1,${signed.digest('base64')}`);
  return String(list)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/**
 * An endpoint with a format of its own can send something else than an event in JSON: null.
 * @param {Buffer} body
 */
function parseEvent(body) {
  try {
    const event = JSON.parse(body.toString('utf8'));
    return typeof event?.event === 'string' ? event : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} id
 * @param {{ event: string, timestamp?: string, monitor?: { id: string } }} event
 */
async function handleOnce(id, event) {
  try {
    await handle(id, event);
    handled.add(id);
    for (const oldest of handled) {
      if (handled.size <= MAX_HANDLED) break;
      handled.delete(oldest);
    }
  } finally {
    running.delete(id);
  }
}

/**
 * Your code. If it throws, the delivery is retried; what takes longer than 30 seconds belongs in a queue.
 * @param {string} id
 * @param {{ event: string, timestamp?: string, monitor?: { id: string } }} event
 */
async function handle(id, event) {
  stdout.write(`${id} ${event.event}${isLate(event) ? ' (late, ignored)' : ''}\n`);
}

/**
 * A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
 * @param {{ timestamp?: string, monitor?: { id: string } }} event
 */
function isLate({ monitor, timestamp = '' }) {
  if (!monitor) return false;
  if (timestamp < (latest.get(monitor.id) ?? '')) return true;
  latest.set(monitor.id, timestamp);
  return false;
}

server.listen(Number(PORT), () => {
  stdout.write(`listening on port ${PORT}\n`);
});
