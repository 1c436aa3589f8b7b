import type { Monitor } from '@/lib/schemas/monitor';

type Rule = Pick<Monitor, 'memberRule' | 'memberMinimum' | 'members'>;

/** What must be up of a group: `All of 3 members must be up`. */
export function formatMemberRule({ memberRule, memberMinimum, members }: Rule): string {
  const of = `${members.length} ${members.length === 1 ? 'member' : 'members'}`;
  if (memberRule === 'all') return `All of ${of} must be up`;
  if (memberRule === 'share') return `At least ${memberMinimum ?? 1}% of ${of} must be up`;
  return `At least ${memberRule === 'any' ? 1 : (memberMinimum ?? 1)} of ${of} must be up`;
}
