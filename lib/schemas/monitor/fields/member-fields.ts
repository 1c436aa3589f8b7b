import { z } from 'zod';
import { monitorIdSchema, oneOf } from '@/lib/schemas/text';
import { field, whole } from './field';

/** Of one group. */
export const MAX_MEMBERS = 200;
/** A group of monitors has a depth of 1, a group of such groups 2. */
export const MAX_GROUP_DEPTH = 3;

const MEMBER_RULES = ['all', 'any', 'count', 'share'] as const;

const RULE_LABELS: Readonly<Record<string, string>> = {
  all: 'All members',
  any: 'At least one member',
  count: 'At least a number of members',
  share: 'At least a share of the members',
};

const membersSchema = z
  .array(monitorIdSchema, 'must be an array of monitor IDs')
  .max(MAX_MEMBERS, `must have at most ${MAX_MEMBERS} monitors`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates');

/** The fields of groups: the monitors whose status counts, and how many of them must be up. */
export const MEMBER_FIELDS = {
  members: field(
    membersSchema.meta({
      description:
        'IDs of the monitors that a group consists of, at most 200; groups among them at most three deep. The status of a group follows from theirs: degraded ones count as up and make it degraded, and those that are pending, paused, in maintenance or without data do not count',
      examples: [['mon_01jq2v7k3mfe5r8x9c4t6w0z1b', 'mon_01jq2v7k3mfe5r8x9c4t6w0z1c']],
    }),
    {
      default: [],
      group: 'members',
      form: {
        section: 'target',
        control: 'monitors',
        most: MAX_MEMBERS,
        label: 'Members',
        hint: 'The status of the group follows from theirs.',
      },
    },
  ),
  memberRule: field(
    oneOf(MEMBER_RULES).describe(
      'How many members of a group must be up: `all`, `any` (one of them), `count` (`memberMinimum` of them), or `share` (`memberMinimum` percent of them)',
    ),
    {
      default: 'all',
      group: 'members',
      decides: 'members replayed',
      form: {
        section: 'target',
        label: 'Up if these are up',
        option: (value) => RULE_LABELS[value] ?? value,
      },
    },
  ),
  memberMinimum: field(
    whole(1, MAX_MEMBERS)
      .nullable()
      .meta({
        description:
          'How many members of a group must be up with the rule `count`, at most as many as count; or how many percent of them with the rule `share`, at most 100. Means nothing with other rules',
        examples: [2],
      }),
    {
      default: null,
      group: 'members',
      decides: 'members replayed',
      form: {
        section: 'target',
        label: 'Minimum',
        hint: 'A number of members, or a percentage. Leave empty for all or one.',
      },
    },
  ),
};
