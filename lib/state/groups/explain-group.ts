import { cutText } from '@/lib/core/storable-text';
import type { GroupMember, MemberRule } from '../types';
import { judgeNow } from './judge-group';

/** Why nothing is known of a group. */
export const NO_MEMBER_COUNTS = 'no member counts: all are pending, paused, in maintenance or without data';

/** Members that are named; the others are a number. */
const MAX_NAMES = 5;
const MAX_NAME = 60;

/** What must be up of a group: "at least 4 must be up". */
export function formatRule({ memberRule, memberMinimum }: MemberRule, needed: number): string {
  if (memberRule === 'all') return 'all must be up';
  if (memberRule === 'share') return `at least ${memberMinimum ?? 1}% must be up`;
  return `at least ${needed} must be up`;
}

/** What decides about a group, for the dashboard and events: "2 of 5 members are down, at least 4 must be up: Shop, Cart". */
export function explainGroup(rule: MemberRule, members: readonly GroupMember[]): string {
  const { status, counting, up, needed } = judgeNow(rule, members);
  if (status === 'unknown') return NO_MEMBER_COUNTS;
  const must = formatRule(rule, needed);
  if (status === 'operational') return `${countOf(up, counting)} up, ${must}`;
  const wanted = status === 'down' ? 'down' : 'degraded';
  const names = members.filter(({ periods: [current] }) => current?.state === wanted).map(({ name }) => name);
  return `${countOf(names.length, counting)} ${wanted}${status === 'down' ? `, ${must}` : ''}: ${listNames(names)}`;
}

function countOf(count: number, counting: number): string {
  return `${count} of ${counting} ${counting === 1 ? 'member' : 'members'} ${count === 1 ? 'is' : 'are'}`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME));
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
