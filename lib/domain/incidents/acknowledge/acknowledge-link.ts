import type { Keyring } from '@/lib/core/keyring';
import { type AcknowledgeLink, MAX_LINKED_INCIDENTS } from '@/lib/schemas/incidents/acknowledge-link';

/** A link is for the outage that it is about: reminders have newer ones. */
const VALID_MS = 7 * 86_400_000;

/**
 * The URL where a member acknowledges incidents, at most `MAX_LINKED_INCIDENTS`, signed in or not. Its token is a MAC of all that it says,
 * so it is not stored; it is valid for seven days, while its key is SECRET_KEY or in PREVIOUS_SECRET_KEYS.
 */
export function acknowledgeUrl(
  keyring: Keyring,
  appUrl: string,
  { incidentIds, userId, now }: { incidentIds: readonly string[]; userId: string; now: Date },
): string {
  const incidents = incidentIds.slice(0, MAX_LINKED_INCIDENTS).join(',');
  const expires = Math.floor((now.getTime() + VALID_MS) / 1000);
  const token = keyring.derive(purpose({ incidents, user: userId, expires }));
  const query = new URLSearchParams({ incidents, user: userId, expires: String(expires), token });
  return `${appUrl}/acknowledge?${query}`;
}

/** Whether a link was made by this service and has not expired. */
export function isAcknowledgeLink(keyring: Keyring, { token, ...link }: AcknowledgeLink, now: Date): boolean {
  if (link.expires * 1000 <= now.getTime()) return false;
  return keyring.isDerived(purpose(link), token);
}

function purpose({ incidents, user, expires }: Omit<AcknowledgeLink, 'token'>): string {
  return `acknowledge ${incidents} ${user} ${expires}`;
}
