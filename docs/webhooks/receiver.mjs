// Receives webhooks and accepts only those with a valid signature.
// Node.js 18 or later, nothing to install:
//   WEBHOOK_SECRET='whsec_…' PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { env, stdout } from 'node:process';

const { WEBHOOK_SECRET = '', PORT = '8080' } = env;
if (WEBHOOK_SECRET === '') throw new Error('WEBHOOK_SECRET is not set');
// Store both in your database; they are lost when the process ends.
const seen = new Set();
/** The time of the last event of each monitor. */
const latest = new Map();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) {
    response.writeHead(401).end('bad signature\n');
    return;
  }
  const id = request.headers['x-service-delivery-id'];
  if (!seen.has(id)) {
    seen.add(id);
    const event = JSON.parse(body.toString('utf8'));
    stdout.write(`${id} ${event.event}${isLate(event) ? ' (late, ignored)' : ''}\n`);
  }
  response.writeHead(204).end();
});

/**
 * A retried older event can come after a newer one of its monitor. ISO 8601 in UTC compares as text.
 * @param {{ timestamp: string, monitor?: { id: string } }} event
 */
function isLate({ monitor, timestamp }) {
  if (monitor === undefined) return false;
  if (timestamp < (latest.get(monitor.id) ?? '')) return true;
  latest.set(monitor.id, timestamp);
  return false;
}

/**
 * During a rotation, X-Service-Signature-Next is signed with the new secret.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {Buffer} body
 */
function isSigned(headers, body) {
  const digest = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
  const expected = Buffer.from(`sha256=${digest}`);
  return ['x-service-signature', 'x-service-signature-next'].some((name) => {
    const given = Buffer.from(String(headers[name] ?? ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

server.listen(Number(PORT), () => {
  stdout.write(`listening on port ${PORT}\n`);
});
