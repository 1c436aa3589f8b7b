import type { Assertion } from '@/lib/checks/assertions/assertion';
import { parseDnsTarget } from '@/lib/checks/dns/dns';
import type { DnsRecordType } from '@/lib/core/dns-record-types';
import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { shown } from '../plan/sentences';
import { type Condition, readOperand, textWithin, toPattern, toSearch } from './condition';
import { NO_FUNCTION, NO_ORDER, NO_PATTERN, testLength } from './response-conditions';

type RecordTest = Pick<Assertion, 'comparison' | 'target'>;

const NO_DOT = 'Gatus compares with a host name that ends with a dot';

/**
 * What Pharos shows before the host name that Gatus compares. Names end with a dot there, and without one here:
 * https://github.com/TwiN/gatus/blob/master/client/client.go, QueryDNS.
 */
const BEFORE_NAME: Partial<Record<DnsRecordType, string>> = { CNAME: '', NS: '', PTR: '', MX: '\\d+ ' };
/** Records whose text is the same in both products. */
const PLAIN: readonly DnsRecordType[] = ['A', 'AAAA', 'TXT'];

/** Returns why a condition on the whole response of a DNS server has no counterpart. */
export function assertRecord(draft: Draft, condition: Condition): string | null {
  const isThere = asksForAny(condition);
  // A check needs a record unless it expects none.
  if (isThere === false) draft.body.expectedAnswer = 'none';
  if (isThere !== null) return null;
  const type = parseDnsTarget(draft.body.url ?? '')?.type ?? 'A';
  const tests = listTests(condition, type);
  if (typeof tests === 'string') return tests;
  if (!addAssertions(draft, ...tests.map((test) => ({ source: 'record', ...test }) as const)))
    return NO_SPACE;
  const isPart = tests.some(({ comparison }) => /contains/i.test(comparison));
  if (type === 'TXT' && isPart) return null;
  const compared = type === 'TXT' ? 'all of them as one text' : 'only the last one';
  const several = condition.operator === '!=' ? 'in Pharos, none may match' : 'in Pharos, one is enough';
  draft.change(
    `The condition on ${shown(condition.left)} is about each record: Gatus compares ${compared}; ${several}.`,
  );
  return null;
}

/** Whether the condition is that there is a record (true) or none (false); null for another one. */
function asksForAny({ wrapper, operator, right }: Condition): boolean | null {
  const isEqual = operator === '==';
  if (wrapper === 'has') return isEqual === (right === 'true');
  const test = `${operator} ${right}`;
  if (wrapper === 'len') return ['> 0', '>= 1', '!= 0'].includes(test) || (test === '== 0' ? false : null);
  if (right === '' && (isEqual || operator === '!=')) return !isEqual;
  return null;
}

/** Assertions without their source, or why there are none. */
function listTests(condition: Condition, type: DnsRecordType): RecordTest[] | string {
  const { wrapper, operator, right } = condition;
  const before = BEFORE_NAME[type];
  const isPlain = PLAIN.includes(type);
  if (!isPlain && before === undefined && type !== 'SRV') return 'Gatus does not read records of this type';
  if (wrapper === 'len') {
    const length = type === 'SRV' ? null : testLength(condition, before);
    return length === null ? NO_PATTERN : [length];
  }
  if (wrapper !== null) return NO_FUNCTION;
  if (operator !== '==' && operator !== '!=') return NO_ORDER;
  const operand = readOperand(right);
  if (operand === null) return NO_PATTERN;
  const comparison = operator === '==' ? 'matches' : 'notMatches';
  if ('glob' in operand) {
    const target = isPlain ? toSearch(operand.glob) : searchName(operand.glob, before);
    if (target === null) return NO_PATTERN;
    const within = isPlain ? textWithin(operand.glob) : null;
    if (within === null) return [{ comparison, target }];
    return [{ comparison: operator === '==' ? 'contains' : 'notContains', target: within }];
  }
  if (type === 'SRV' || type === 'MX') {
    const texts = operand.texts.map((text) => (type === 'MX' ? showExchange(text) : showService(text)));
    if (texts.includes(null)) return NO_DOT;
    return [{ comparison, target: `^(?:${texts.join('|')})$` }];
  }
  if (!isPlain && !operand.texts.every((text) => text.endsWith('.'))) return NO_DOT;
  if (operator === '==') return [{ comparison: 'oneOf', target: operand.texts }];
  return operand.texts.map((target) => ({ comparison: 'notEquals', target }));
}

/** A pattern for records with such a host name; null if the dot at its end can be more than the end of the wildcards. */
function searchName(glob: string, before: string | undefined): string | null {
  const isOpen = /[^.?*]\*+$/.test(glob);
  if (before === undefined || !(isOpen || glob.endsWith('.'))) return null;
  return `(?s)^${before}${toPattern(glob.replace(/\.$/, ''))}$`;
}

/** `mail.example.com.` in Gatus is `10 mail.example.com` in Pharos. */
function showExchange(text: string): string | null {
  return text.endsWith('.') ? `\\d+ ${literal(text.slice(0, -1))}` : null;
}

/** `host.example.com.:5060` in Gatus is `0 5 5060 host.example.com` in Pharos. */
function showService(text: string): string | null {
  const [, name, port] = /^(.*)\.:(\d+)$/s.exec(text) ?? [];
  return name === undefined ? null : `\\d+ \\d+ ${port} ${literal(name)}`;
}
