import { Client } from 'pg';
import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Channel } from './notify';

const RECONNECT_MS = 1000;

/** Stops listening and closes the connection. */
export type StopListening = () => Promise<void>;

/**
 * Calls `onNotify` for each notification on `channels`, on a connection of its own that is opened again when it is lost.
 * Each (re)connection also calls `onNotify` once a channel: what was said meanwhile was not heard.
 */
export function listen(
  url: string,
  channels: Channel[],
  { onNotify, log }: { onNotify: (channel: Channel) => void; log: Logger },
): StopListening {
  let client: Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let stopped = false;

  const connect = async () => {
    const next = new Client({ connectionString: url, application_name: 'pharos listen', keepAlive: true });
    next.on('error', (error) => reconnect(next, error));
    next.on('end', () => reconnect(next, new Error('connection closed')));
    next.on('notification', ({ channel }) => {
      const known = channels.find((name) => name === channel);
      if (known) onNotify(known);
    });
    client = next;
    try {
      await next.connect();
      for (const channel of channels) await next.query(`LISTEN ${channel}`);
      for (const channel of channels) onNotify(channel);
    } catch (error) {
      reconnect(next, error);
    }
  };

  const reconnect = (lost: Client, error: unknown) => {
    if (stopped || client !== lost) return;
    client = null;
    log.warn({ error: describeError(error) }, 'lost the connection that listens for work; connecting again');
    lost.end().catch(() => undefined);
    retry = setTimeout(connect, RECONNECT_MS);
  };

  void connect();
  return async () => {
    stopped = true;
    if (retry) clearTimeout(retry);
    await client?.end().catch(() => undefined);
  };
}
