import type { MemberRole } from '@/lib/schemas/people';

/** The name of a role, its indefinite article, and what it permits. */
export const ROLE_TEXTS: Record<MemberRole, { label: string; article: 'a' | 'an'; hint: string }> = {
  viewer: { label: 'Viewer', article: 'a', hint: 'read-only access' },
  member: { label: 'Member', article: 'a', hint: 'monitors, pages, incidents, webhooks' },
  admin: { label: 'Admin', article: 'an', hint: 'also members, API keys, settings' },
  owner: { label: 'Owner', article: 'an', hint: 'full access, including deletion' },
};

/** The roles as options of a form, with what they permit. */
export function roleOptions(roles: readonly MemberRole[]): { value: string; label: string }[] {
  return roles.map((role) => ({
    value: role,
    label: `${ROLE_TEXTS[role].label}: ${ROLE_TEXTS[role].hint}`,
  }));
}
