import type { Server, Socket } from 'node:net';
import type { Logger } from '@/lib/core/logger';
import { clientAddress, countedAddress } from '@/lib/web/http/request-address';

export type ConnectionLimit = {
  /** How many connections one address may hold (one /64 of IPv6). */
  maxPerAddress: number;
  /** Whether an address may hold any number. */
  isExempt(address: string): boolean;
  log: Logger;
};

const REFUSALS_LOGGED_MS = 60_000;

/** Closes connections beyond `maxPerAddress` from one address. At most once a minute the log names one of them. */
export function limitConnections(server: Server, { maxPerAddress, isExempt, log }: ConnectionLimit): void {
  const open = new Map<string, number>();
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket) => {
    const address = addressOf(socket);
    if (address === null) return void socket.destroy();
    if (isExempt(address)) return;
    const counted = countedAddress(address);
    const connections = (open.get(counted) ?? 0) + 1;
    if (connections > maxPerAddress) {
      socket.destroy();
      if (performance.now() - loggedAt < REFUSALS_LOGGED_MS) return;
      loggedAt = performance.now();
      const text = 'a connection was refused: its address has as many as MAX_CONNECTIONS_PER_ADDRESS allows';
      return log.warn({ address: counted, maxPerAddress }, text);
    }
    open.set(counted, connections);
    socket.on('close', () => {
      const left = (open.get(counted) ?? 1) - 1;
      if (left === 0) open.delete(counted);
      else open.set(counted, left);
    });
  });
}

/** The address at the other end, without the zone of a link-local one; null for a client that has left already. */
function addressOf({ remoteAddress }: Socket): string | null {
  const peer = remoteAddress?.split('%')[0] ?? null;
  return clientAddress({ peer, forwardedFor: null }, []);
}
