import { Client } from 'pg';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Database, Transaction } from './client';

const RECONNECT_MS = 1000;
/** A response that takes longer is considered lost. */
const RESPONSE_MS = 2000;

export type Listening = ReturnType<typeof listen>;

export type ChannelListener = {
  /** `payload` is null on each (re)connection, once per channel: notifications in between were missed. */
  onNotify: (channel: Channel, payload: string | null) => void;
  /** Called when notifications are no longer received, until `onNotify` is called again. */
  onLost?: () => void;
  /** How often to check the connection; otherwise only network errors are detected. */
  heartbeatMs?: number;
  log: Logger;
};

/** Listens on `channels` on a dedicated connection, which is reopened when lost. */
export function listen(url: string, channels: Channel[], listener: ChannelListener) {
  const { onNotify, onLost, heartbeatMs, log } = listener;
  let client: Client | null = null;
  let isListening = false;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  const connect = async () => {
    const next = new Client({
      connectionString: url,
      application_name: 'pharos listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      query_timeout: RESPONSE_MS,
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
      isListening = true;
      for (const channel of channels) onNotify(channel, null);
    } catch (error) {
      reconnect(next, error);
    }
  };

  const reconnect = (lost: Client, error: unknown) => {
    if (stopped || client !== lost) return;
    client = null;
    isListening = false;
    onLost?.();
    log.warn({ error: describeError(error) }, 'lost the connection for notifications; reconnecting');
    lost.end().catch(() => undefined);
    retry = setTimeout(connect, RECONNECT_MS);
  };

  /**
   * Resolves when everything committed before the call was passed to `onNotify`, since Postgres delivers
   * notifications before it responds. If the connection is lost, or found to be, `onLost` was called by then.
   */
  const catchUp = async () => {
    const current = client;
    if (current === null || !isListening) return;
    await current.query('SELECT 1').catch((error: unknown) => reconnect(current, error));
  };

  void connect();
  const heartbeat = heartbeatMs === undefined ? null : setInterval(() => void catchUp(), heartbeatMs);
  heartbeat?.unref();
  return {
    catchUp,
    /** Stops listening and closes the connection. */
    stop: async () => {
      stopped = true;
      if (retry) clearTimeout(retry);
      if (heartbeat) clearInterval(heartbeat);
      await client?.end().catch(() => undefined);
    },
  };
}

/** Notification channels between processes; delivered at commit, once per transaction. */
export type Channel =
  | 'pharos_checks'
  | 'pharos_deliveries'
  | 'pharos_dry_runs'
  | 'pharos_live'
  | 'pharos_mail'
  | 'pharos_mail_server'
  | 'pharos_manual_checks'
  | 'pharos_pages'
  | 'pharos_results'
  | 'pharos_domains';

/** Notifies listeners of `channel` when the transaction commits; `payload` must be below 8,000 bytes. */
export async function notify(tx: Transaction | Database, channel: Channel, payload = ''): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
}
