import type { Observations, ShownDelivery } from '../observations';
import type { Received } from '../receivers';
import { disturbedMs, formatMoment, groupBy, isDisturbed, RECOVERY_MS, type Violation } from './violation';

/** The contract's retry schedule, in milliseconds after the previous failure. */
const RETRIES_MS = [60_000, 300_000, 1_800_000, 7_200_000, 86_400_000];
const TIMEOUT_MS = 30_000;
/** "Late by at most 5 %", and what a second of a busy machine is at factor 20. */
const LATE = 1.05;
const SLACK_MS = 20_000;

/**
 * Every delivery reaches its endpoint at least once, with one body, attempts numbered in order without doubles, at the
 * contract's times; an acknowledged one is not sent again; and no endpoint gets what belongs to another.
 */
export function checkDeliveries(seen: Observations): Violation[] {
  const requests = groupBy(seen.received, ({ deliveryId }) => deliveryId);
  const shown = new Map(seen.deliveries.map((delivery) => [delivery.id, delivery]));
  const violations: Violation[] = [];
  for (const [id, all] of requests) {
    const own = all.toSorted((a, b) => a.at - b.at);
    const report = (rule: string, message: string) =>
      violations.push({ rule, object: id, message, history: own.map((each) => formatRequest(seen, each)) });
    const delivery = shown.get(id);
    if (!delivery) report('every delivery is shown', 'a receiver got a delivery that the API does not list');
    else if (own.some(({ endpoint }) => endpoint !== delivery.endpoint))
      report('a delivery has one endpoint', `of endpoint ${delivery.endpoint}, but another one got it`);
    if (new Set(own.map(({ bodyHash }) => bodyHash)).size > 1)
      report('a delivery has one body', 'its bodies differ');
    if (own.some((each, index) => index > 0 && each.attempt <= (own[index - 1]?.attempt ?? 0)))
      report('attempts are numbered without doubles', 'an attempt has the number of an earlier one');
    for (const problem of findBadTimes(seen, own)) report('retries follow the schedule', problem);
    const missing = findMissingRetry(seen, own.at(-1), delivery);
    if (missing !== null) report('retries follow the schedule', missing);
    for (const problem of findRepeats(seen, own))
      report('an acknowledged delivery is not sent again', problem);
  }
  for (const delivery of seen.deliveries) {
    const isRecent = delivery.createdAt > seen.endedAt - RECOVERY_MS;
    if (isRecent || requests.has(delivery.id)) continue;
    violations.push({
      rule: 'every delivery reaches its endpoint',
      object: delivery.id,
      message: `${delivery.event} is ${delivery.status}, but endpoint ${delivery.endpoint} never got it`,
      history: [
        `created at ${formatMoment(seen, delivery.createdAt)}, ${delivery.attempts} attempts recorded`,
      ],
    });
  }
  return violations;
}

const isAcknowledged = ({ mode, respondedAt }: Received) =>
  respondedAt !== null && (mode === 'accept' || mode === 'drip');

/** When an attempt was over for its sender. */
const endOf = ({ at, respondedAt }: Received) => respondedAt ?? at + TIMEOUT_MS;

function findBadTimes(seen: Observations, own: Received[]): string[] {
  return own.slice(1).flatMap((next, index) => {
    const previous = own[index];
    if (!previous) return [];
    // Attempts in between never arrived.
    const delays = RETRIES_MS.slice(previous.attempt - 1, next.attempt - 1);
    const due = delays.length > 0 ? delays.reduce((sum, ms) => sum + ms) : undefined;
    const waited = next.at - endOf(previous);
    // A fault can delay an attempt for as long as it lasts, and makes a repetition of it look early.
    const delay = disturbedMs(seen, previous.at, next.at);
    if (due === undefined) return [`attempt ${next.attempt} follows the last one of the schedule`];
    // Between the receiver's clock and the sender's lies the way of the response.
    if ((waited >= due - SLACK_MS || delay > 0) && waited <= due * LATE + SLACK_MS + delay) return [];
    return [
      `attempt ${next.attempt} came ${Math.round(waited / 1000)} s after the failure, due after ${due / 1000} s`,
    ];
  });
}

/** The retry that should have followed the last attempt that was seen, if there was none. */
function findMissingRetry(
  seen: Observations,
  last: Received | undefined,
  delivery: ShownDelivery | undefined,
): string | null {
  // Another attempt may have been made that never arrived.
  if (!last || !delivery || isAcknowledged(last) || delivery.attempts > last.attempt) return null;
  const due = RETRIES_MS[last.attempt - 1];
  if (due === undefined) return null;
  const waited = seen.endedAt - endOf(last);
  if (waited <= due * LATE + SLACK_MS + disturbedMs(seen, last.at, seen.endedAt)) return null;
  return `attempt ${last.attempt + 1} was due ${due / 1000} s after the failure, and did not come for ${Math.round(waited / 1000)} s`;
}

function findRepeats(seen: Observations, own: Received[]): string[] {
  return own.slice(1).flatMap((next, index) => {
    const previous = own[index];
    if (!previous || !isAcknowledged(previous) || isDisturbed(seen, previous.at, next.at)) return [];
    return [`attempt ${next.attempt} follows an acknowledged one`];
  });
}

function formatRequest(seen: Observations, { at, attempt, endpoint, event, mode }: Received): string {
  return `${formatMoment(seen, at)} endpoint ${endpoint}: ${event}, attempt ${attempt}, ${mode}`;
}
