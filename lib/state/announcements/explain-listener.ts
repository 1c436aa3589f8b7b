import type { EventKind } from '@/lib/schemas/webhooks/event-kinds';
import type { Listener } from '@/lib/schemas/webhooks/listeners';
import { MEMBER_KINDS, type Rule } from '@/lib/schemas/webhooks/rules';
import { findFormat, isSentAtOnce } from '@/lib/webhook-formats/formats';
import { matchRules, type Subject } from './match-rules';

/** Something that may happen to a monitor. */
export type Happening = Omit<Subject, 'kind'> & {
  /** The events that say so. */
  kinds: readonly EventKind[];
  /** Epoch milliseconds. */
  at: number;
  /** Why fewer are notified of the monitor than usual; null: nothing is unusual. */
  quiet: Quiet | null;
};

/** A reason for which fewer are notified of a monitor: what it depends on is down, or it flaps, is in maintenance, or is paused. */
export type Quiet = Extract<Listener['reason'], 'held' | 'flapping' | 'maintenance' | 'paused'>;

/** Without checks that count, the monitor causes no events. People can still open incidents that affect it. */
const WITHOUT_CHECKS: readonly Quiet[] = ['maintenance', 'paused'];

/** Whether an endpoint gets every event in spite of a reason. */
const UNAFFECTED: Record<Quiet, (format: string) => boolean> = {
  held: isSentAtOnce,
  flapping: (format) => findFormat(format)?.reader === 'program',
  maintenance: () => false,
  paused: () => false,
};

export type Explanation = Pick<Listener, 'notified' | 'reason' | 'rule'>;

/** Why a listener is notified of nothing at all. */
export type WhySilent = Extract<
  Listener['reason'],
  'disabled' | 'alerts_off' | 'email_off' | 'unconfirmed' | 'unsubscribed'
>;

/** Why an endpoint is notified of nothing; null: it is of its events. */
export function silenceOfEndpoint({ enabled }: Pick<Endpoint, 'enabled'>): WhySilent | null {
  return enabled ? null : 'disabled';
}

/** Why a member is notified of nothing; null: they are emailed, or notified in a browser. */
export function silenceOfMember(
  { alertMail, hasBrowser }: Pick<Member, 'alertMail' | 'hasBrowser'>,
  { isMailOn }: { isMailOn: boolean },
): WhySilent | null {
  if (hasBrowser) return null;
  if (!alertMail) return 'alerts_off';
  return isMailOn ? null : 'email_off';
}

/** Why an email recipient without an account is emailed nothing; null: it is emailed. */
export function silenceOfRecipient(
  { status }: Pick<Recipient, 'status'>,
  { isMailOn }: { isMailOn: boolean },
): WhySilent | null {
  if (status !== 'active') return RECIPIENT_REASONS[status];
  return isMailOn ? null : 'email_off';
}

type Endpoint = { enabled: boolean; format: string; events: readonly EventKind[]; rules: readonly Rule[] };

/** Whether an endpoint is notified of something, and why. */
export function explainEndpoint(
  { enabled, format, events, rules }: Endpoint,
  happening: Happening,
): Explanation {
  const silence = silenceOfEndpoint({ enabled });
  if (silence !== null) return no(silence);
  const kinds = happening.kinds.filter((kind) => events.includes(kind));
  if (kinds.length === 0) return no('not_subscribed');
  const { quiet } = happening;
  const isAffected = quiet !== null && !UNAFFECTED[quiet](format);
  return explainRules(rules, kinds, { ...happening, quiet: isAffected ? quiet : null });
}

/** `hasBrowser`: whether they are notified in a browser. */
type Member = { alertMail: boolean; hasBrowser: boolean; rules: readonly Rule[] };

/** Whether a member is notified of something by email or in a browser, and why. */
export function explainMember(
  { rules, ...member }: Member,
  happening: Happening,
  { isMailOn }: { isMailOn: boolean },
): Explanation {
  const silence = silenceOfMember(member, { isMailOn });
  if (silence === 'alerts_off') return no(silence);
  const kinds = happening.kinds.filter((kind) => MEMBER_KINDS.some((each) => each === kind));
  if (kinds.length === 0) return no('not_emailed');
  if (silence !== null) return no(silence);
  return explainRules(rules, kinds, happening);
}

type Recipient = {
  status: 'pending' | 'active' | 'disabled' | 'unsubscribed';
  rules: readonly Rule[];
};

const RECIPIENT_REASONS = {
  pending: 'unconfirmed',
  disabled: 'disabled',
  unsubscribed: 'unsubscribed',
} as const satisfies Partial<Record<Recipient['status'], Listener['reason']>>;

/** Whether an email recipient without an account is emailed about something, and why. */
export function explainRecipient(
  { status, rules }: Recipient,
  happening: Happening,
  mail: { isMailOn: boolean },
): Explanation {
  if (status !== 'active') return no(RECIPIENT_REASONS[status]);
  return explainMember({ alertMail: true, hasBrowser: false, rules }, happening, mail);
}

function explainRules(
  rules: readonly Rule[],
  kinds: readonly EventKind[],
  { at, quiet, kinds: asked, ...subject }: Happening,
): Explanation {
  const matches = kinds.map((kind) => matchRules(rules, { ...subject, kind }, at));
  const match = matches.find((each) => each !== null) ?? null;
  if (match === null) return no('no_rule_matches');
  if (quiet !== null && appliesTo(quiet, asked)) return no(quiet);
  return match.by === 'rule'
    ? { notified: true, reason: 'rule', rule: match.index }
    : { notified: true, reason: 'everything', rule: null };
}

function appliesTo(quiet: Quiet, kinds: readonly EventKind[]): boolean {
  return !WITHOUT_CHECKS.includes(quiet) || kinds.some((kind) => kind.startsWith('monitor.'));
}

function no(reason: Explanation['reason']): Explanation {
  return { notified: false, reason, rule: null };
}
