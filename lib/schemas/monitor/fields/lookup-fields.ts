import { z } from 'zod';
import { parseResolver } from '@/lib/checks/dns/dns';
import { oneOf, text } from '@/lib/schemas/text';
import { field } from './field';

const ANSWERS = ['records', 'none'] as const;
const ANSWER_LABELS: Readonly<Record<string, string>> = { records: 'Records', none: 'No records' };
const MATCHES = ['all', 'any'] as const;
const MATCH_LABELS: Readonly<Record<string, string>> = { all: 'All', any: 'At least one' };

/** Of one monitor: each is asked with every check. */
const MAX_RESOLVERS = 8;
const MAX_RESOLVER = 300;

/** The same for all monitors without resolvers, which a worker has in memory by the thousand. */
const NO_RESOLVERS: string[] = [];
Object.freeze(NO_RESOLVERS);

const resolversSchema = z
  .array(
    text(1, MAX_RESOLVER).refine(
      (each) => parseResolver(each) !== null,
      'must be a host name or an IP address, with an optional port',
    ),
    'must be an array of resolvers',
  )
  .max(MAX_RESOLVERS, `must name at most ${MAX_RESOLVERS} resolvers`)
  .refine((resolvers) => new Set(resolvers).size === resolvers.length, 'must not name a resolver twice');

/** The fields of monitors that look a name up: what DNS servers must respond, and which are asked. */
export const LOOKUP_FIELDS = {
  expectedAnswer: field(
    oneOf(ANSWERS).describe(
      'What DNS servers must respond: `records`, or `none`, so that the check fails once the name has a record of the type. NXDOMAIN and a response without records are `none`; errors such as SERVFAIL are neither',
    ),
    {
      default: 'records',
      group: 'lookup',
      probed: 'resets status',
      form: {
        section: 'target',
        label: 'Expected answer',
        option: (value) => ANSWER_LABELS[value] ?? value,
      },
    },
  ),
  resolvers: field(
    resolversSchema.meta({
      description:
        'DNS servers to query in addition to the one that the URL names, each a host name or an IP address with an optional port. The response of each is judged by itself, by what is expected and by the assertions; responses are not compared with each other',
      examples: [['9.9.9.9', '1.1.1.1:53']],
    }),
    {
      default: [],
      group: 'lookup',
      probed: 'resets status',
      read: (stored) => (Array.isArray(stored) && stored.length > 0 ? stored.map(String) : NO_RESOLVERS),
      form: {
        section: 'target',
        label: 'More resolvers',
        placeholder: '1.1.1.1, 9.9.9.9',
        hint: 'Separated by commas. Each response is judged by itself.',
      },
    },
  ),
  resolverMatch: field(
    oneOf(MATCHES).describe('Whether the responses of `all` resolvers must be as expected, or `any` one'),
    {
      default: 'all',
      group: 'lookup',
      probed: 'resets status',
      form: {
        section: 'target',
        label: 'Resolvers that must succeed',
        option: (value) => MATCH_LABELS[value] ?? value,
      },
    },
  ),
};
