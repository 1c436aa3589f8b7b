import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { REQUEST_ID } from '@/lib/schemas/text';
import { isTrustedProxy } from '@/lib/web/http/address/request-address';

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
