import { Client } from 'pg';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Database, Transaction } from './client';

const RECONNECT_MS = 1000;
/** An answer that takes longer than this does not come any more. */
const ANSWER_MS = 2000;

export type Listening = {
  /** Stops listening and closes the connection. */
  stop(): Promise<void>;
  /**
   * Resolves when everything that was committed before the call has been handed to `onNotify`, for Postgres delivers
   * notifications before it answers. Where the connection is lost, or found to be, `onLost` has been called by then.
   */
  catchUp(): Promise<void>;
};

export type Listener = {
  /** `payload` is null at each (re)connection, once a channel: what was said meanwhile was not heard. */
  onNotify: (channel: Channel, payload: string | null) => void;
  /** Called when nothing is heard any more, until `onNotify` is called again. */
  onLost?: () => void;
  /** How often to ask whether the other end is still there; without it only what the network says is known. */
  heartbeatMs?: number;
  log: Logger;
};

/** Listens on `channels` on a connection of its own that is opened again when it is lost. */
export function listen(
  url: string,
  channels: Channel[],
  { onNotify, onLost, heartbeatMs, log }: Listener,
): Listening {
  let client: Client | null = null;
  let isHearing = false;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  const connect = async () => {
    const next = new Client({
      connectionString: url,
      application_name: 'pharos listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      query_timeout: ANSWER_MS,
    });
    next.on('error', (error) => reconnect(next, error));
    next.on('end', () => reconnect(next, new Error('connection closed')));
    next.on('notification', ({ channel, payload = '' }) => {
      const known = channels.find((name) => name === channel);
      if (known && client === next) onNotify(known, payload);
    });
    client = next;
    try {
      await next.connect();
      for (const channel of channels) await next.query(`LISTEN ${channel}`);
      if (client !== next) return;
      isHearing = true;
      for (const channel of channels) onNotify(channel, null);
    } catch (error) {
      reconnect(next, error);
    }
  };

  const reconnect = (lost: Client, error: unknown) => {
    if (stopped || client !== lost) return;
    client = null;
    isHearing = false;
    onLost?.();
    log.warn({ error: describeError(error) }, 'lost the connection that listens for work; connecting again');
    lost.end().catch(() => undefined);
    retry = setTimeout(connect, RECONNECT_MS);
  };

  const catchUp = async () => {
    const asked = client;
    if (asked === null || !isHearing) return;
    await asked.query('SELECT 1').catch((error: unknown) => reconnect(asked, error));
  };

  void connect();
  const heartbeat = heartbeatMs === undefined ? null : setInterval(() => void catchUp(), heartbeatMs);
  heartbeat?.unref();
  return {
    catchUp,
    stop: async () => {
      stopped = true;
      if (retry) clearTimeout(retry);
      if (heartbeat) clearInterval(heartbeat);
      await client?.end().catch(() => undefined);
    },
  };
}

/** What processes tell each other; delivered at commit, once a transaction however often it is called. */
export type Channel =
  | 'pharos_checks'
  | 'pharos_deliveries'
  | 'pharos_dry_runs'
  | 'pharos_live'
  | 'pharos_mail'
  | 'pharos_pages'
  | 'pharos_domains';

/** Wakes whoever listens on `channel` when the transaction commits; `payload` is short of 8,000 bytes. */
export async function notify(tx: Transaction | Database, channel: Channel, payload = ''): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
}
