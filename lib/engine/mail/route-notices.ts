import type { Notice, NoticeKind } from '@/lib/notify/notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { IncidentSeverity } from '@/lib/platform/db/generated/enums';
import { matchRules, type Subject } from '@/lib/state/announcements/match-rules';
import type { MailRecipient } from './recipients';

/** A notice that is being mailed. */
export type TakenNotice = Notice & { id: bigint; incidentId: string | null };

/** Who was emailed that a monitor is down or flaps: by ID, or everyone who wanted alerts. */
type Notified = Set<string> | 'everyone';

/** The notices that each recipient gets, in their order. */
export type RoutedNotices = { for(recipient: MailRecipient): TakenNotice[] };

/**
 * Decides which notices members are emailed, and records it. Rules are about monitors: what is about regions, probes and endpoints goes to
 * every member. If anyone has rules, takes four statements, otherwise none.
 */
export async function routeNotices(
  tx: Transaction,
  organizationId: string,
  recipients: readonly MailRecipient[],
  notices: readonly TakenNotice[],
  now: Date,
): Promise<RoutedNotices> {
  const about = notices.filter(isAboutMonitor);
  if (about.length === 0 || recipients.every(({ rules }) => rules.length === 0)) {
    return { for: (recipient) => notices.filter((notice) => isFor(recipient, notice)) };
  }
  const incidentIds = about.flatMap(({ incidentId }) => incidentId ?? []);
  const known = await readNotified(tx, organizationId, { incidentIds, before: about });
  const tags = await readTags(tx, about);
  const severities = await readSeverities(tx, incidentIds);
  const routed = recipients.map((recipient) => {
    const { id: userId, rules } = recipient;
    const knowing = new Set(incidentIds.filter((id) => isAmong(known.get(id), userId)));
    const own = notices.filter((notice) => {
      if (!isAboutMonitor(notice)) return isFor(recipient, notice);
      const { subjectId, incidentId } = notice;
      const severity = severities.get(incidentId ?? '') ?? null;
      const subject = {
        kind: kindOf(notice),
        severity,
        monitors: [{ id: subjectId, tags: tags.get(subjectId) ?? [] }],
      };
      const knowsIncident = incidentId !== null && knowing.has(incidentId);
      const isSent = matchRules(rulesFor(notice, rules), subject, now.getTime(), { knowsIncident }) !== null;
      if (isSent && incidentId !== null) knowing.add(incidentId);
      return isSent;
    });
    return [userId, own] as const;
  });
  await recordRecipients(tx, about, routed);
  const byUser = new Map(routed);
  return { for: ({ id }) => byUser.get(id) ?? [] };
}

const ABOUT_MONITORS = ['monitor.down', 'monitor.up', 'monitor.flapping', 'monitor.steady'] as const;
type MonitorNotice = TakenNotice & { kind: (typeof ABOUT_MONITORS)[number] };

function isAboutMonitor(notice: TakenNotice): notice is MonitorNotice {
  return ABOUT_MONITORS.some((kind) => kind === notice.kind);
}

/** Only members can do something about regions and endpoints, and only those who manage the organization about probes. */
function isFor({ isMember, manages }: MailRecipient, notice: TakenNotice): boolean {
  if (isAboutMonitor(notice)) return true;
  return isMember && (manages || !FOR_MANAGERS.includes(notice.kind));
}

const FOR_MANAGERS: NoticeKind[] = ['probe.silent', 'probe.back'];

const isAboutFlapping = ({ kind }: MonitorNotice) => kind === 'monitor.flapping' || kind === 'monitor.steady';

/** For rules, that a monitor does not flap any more is the end of its incident. */
function kindOf({ kind }: MonitorNotice): Subject['kind'] {
  return kind === 'monitor.flapping' ? 'monitor.down' : kind === 'monitor.steady' ? 'monitor.up' : kind;
}

/** That a monitor flaps is about changes of every kind. */
function rulesFor(notice: MonitorNotice, rules: MailRecipient['rules']): MailRecipient['rules'] {
  return isAboutFlapping(notice) ? rules.map((rule) => ({ ...rule, kinds: [] })) : rules;
}

/**
 * Whether a member gets the reminders of an incident, given who was emailed that the monitor is down. Members without rules get all.
 */
export function isReminded({ id, rules }: MailRecipient, notified: Notified | undefined): boolean {
  return rules.length === 0 || isAmong(notified, id);
}

function isAmong(notified: Notified | undefined, userId: string): boolean {
  return notified === 'everyone' || (notified?.has(userId) ?? false);
}

/** Who was emailed about each incident, in one statement; notices that are being mailed, in `before`, do not count. */
export async function readNotified(
  tx: Transaction,
  organizationId: string,
  { incidentIds, before = [] }: { incidentIds: readonly string[]; before?: readonly TakenNotice[] },
): Promise<Map<string, Notified>> {
  const taken = before.map(({ id }) => id.toString());
  const rows = await tx.$queryRaw<{ id: string; recipients: string[] | null }[]>`
    SELECT incident_id AS id, recipients FROM member_notice
     WHERE organization_id = ${organizationId} AND incident_id = ANY(${[...new Set(incidentIds)]}::text[])
       AND kind IN ('monitor.down', 'monitor.flapping') AND mailed_at IS NOT NULL
       AND id <> ALL(${taken}::text[]::bigint[])`;
  const notified = new Map<string, Notified>();
  for (const { id, recipients } of rows) {
    const others = notified.get(id) ?? new Set();
    notified.set(
      id,
      others === 'everyone' || recipients === null ? 'everyone' : new Set([...others, ...recipients]),
    );
  }
  return notified;
}

async function readTags(tx: Transaction, notices: readonly Notice[]): Promise<Map<string, string[]>> {
  const ids = notices.map(({ subjectId }) => subjectId);
  const rows = await tx.$queryRaw<{ id: string; tags: string[] }[]>`
    SELECT id, tags FROM monitor WHERE id = ANY(${[...new Set(ids)]}::text[])`;
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}

async function readSeverities(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, IncidentSeverity>> {
  const rows = await tx.$queryRaw<{ id: string; severity: IncidentSeverity }[]>`
    SELECT id, severity::text AS severity FROM incident WHERE id = ANY(${[...new Set(ids)]}::text[])`;
  return new Map(rows.map(({ id, severity }) => [id, severity]));
}

/** Stores who gets each notice: they get the rest of its incident too. */
async function recordRecipients(
  tx: Transaction,
  about: readonly TakenNotice[],
  routed: readonly (readonly [userId: string, notices: readonly TakenNotice[]])[],
): Promise<void> {
  const users = new Map(about.map(({ id }): [bigint, string[]] => [id, []]));
  for (const [userId, notices] of routed) for (const { id } of notices) users.get(id)?.push(userId);
  const ids = about.map(({ id }) => id.toString());
  const lists = about.map(({ id }) => (users.get(id) ?? []).join(' '));
  await tx.$executeRaw`
    UPDATE member_notice SET recipients = string_to_array(given.users, ' ')
      FROM unnest(${ids}::text[], ${lists}::text[]) AS given (id, users)
     WHERE member_notice.id = given.id::bigint`;
}
