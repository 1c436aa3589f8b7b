import type { MemberRole } from '@/lib/schemas/people';

/** What a role is called, and what it is for. */
export const ROLE_TEXTS: Record<MemberRole, { label: string; hint: string }> = {
  viewer: { label: 'Viewer', hint: 'reads everything, changes nothing' },
  member: { label: 'Member', hint: 'monitors, pages, incidents and webhooks' },
  admin: { label: 'Admin', hint: 'also members, API keys and the name' },
  owner: { label: 'Owner', hint: 'everything, also deleting it' },
};

/** The roles as choices of a form; the hint follows the name where there is room. */
export function roleOptions(roles: readonly MemberRole[]): { value: string; label: string }[] {
  return roles.map((role) => ({
    value: role,
    label: `${ROLE_TEXTS[role].label}: ${ROLE_TEXTS[role].hint}`,
  }));
}
