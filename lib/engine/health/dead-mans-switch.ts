import type { Logger } from '@/lib/core/logger';
import { poll } from '@/lib/core/time/poll';
import { callOperatorUrl } from '@/lib/platform/net/operator/call-operator-url';
import type { Health } from './health';

type Options = {
  /** HEARTBEAT_URL. */
  url: string;
  health: Pick<Health, 'read'>;
  userAgent: string;
  log: Logger;
  everyMs?: number;
};

/** Watchers of jobs usually expect a call every minute. */
const EVERY_MS = 60_000;
/** Including the time for a slow network: calls must not overlap. */
const DEADLINE_MS = 20_000;

/**
 * Calls a URL of another service every minute, but only while no part of health is down: while checks run, results are
 * stored, and deliveries and email leave. That service notifies people when calls stop, also if everything here has. First
 * after a minute, so that a worker that crashes again and again never calls. A call that fails is logged once, until one succeeds.
 */
export function startDeadMansSwitch({ url, health, userAgent, log, everyMs = EVERY_MS }: Options): {
  stop(): Promise<void>;
} {
  // The rest of such URLs is a secret.
  const host = new URL(url).host;
  let problem: string | null = null;
  const note = (next: string | null) => {
    if (next === problem) return;
    problem = next;
    if (next === null) log.info({ host }, 'HEARTBEAT_URL is called again');
    else log.warn({ host, reason: next }, `HEARTBEAT_URL: ${next}`);
  };
  const call = async () => {
    const { status, parts } = await health.read();
    if (status === 'down') {
      const failed = parts.filter((part) => part.status === 'down').map(({ name }) => name);
      note(`not called while health is down: ${failed.join(', ')}`);
      return;
    }
    note(await ping(url, userAgent));
  };
  const onError = (error: unknown) => log.error({ err: error }, 'could not read health for HEARTBEAT_URL');
  return poll(call, { everyMs, onError });
}

/** The problem of a call; null: it succeeded. */
async function ping(url: string, userAgent: string): Promise<string | null> {
  const called = await callOperatorUrl(url, {
    deadline: DEADLINE_MS,
    headers: { 'user-agent': userAgent },
  });
  if ('problem' in called) return called.problem;
  const { statusCode } = called;
  return statusCode >= 200 && statusCode < 300 ? null : `responded with ${statusCode}, expected 2xx`;
}
