import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isTrustedProxy } from '@/lib/web/http/address/request-address';

/** What proxies and load balancers generate: UUIDs, hexadecimal digits, and traces such as `Root=1-67891233-abcdef012345678912345678`. */
const REQUEST_ID = /^[\w.:;=+/-]{1,128}$/;

/** Removes the `X-Request-Id` of a request, unless a trusted proxy sent a valid one. */
export function removeForeignId(
  { headers, socket }: IncomingMessage,
  trustedProxies: readonly string[],
): void {
  const sent = headers['x-request-id'];
  if (sent === undefined) return;
  const isValid = REQUEST_ID.test(String(sent));
  if (!isValid || !isTrustedProxy(socket.remoteAddress, trustedProxies)) delete headers['x-request-id'];
}

/** The ID of a request: that of a trusted proxy, otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  headers['x-request-id'] ??= randomUUID();
  return String(headers['x-request-id']);
}
