import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import { toJsonPath, valuesOf } from '../plan/json-values';
import type { KumaMonitor } from './monitor-row';

/** A query that is nothing but names and indexes, which the query language of Uptime Kuma and RFC 9535 read alike. */
const PLAIN = /^\$?\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)$/;

/**
 * Adds the JSON query as an assertion, as evaluateJsonQuery compares it
 * (https://github.com/louislam/uptime-kuma/blob/master/src/util.ts): the text of a value that must be there. A query without an
 * exact counterpart is left out, and the reason is added.
 */
export function assertJsonQuery(draft: Draft, kuma: KumaMonitor): void {
  const why = addQuery(draft, kuma);
  if (why !== null) draft.change(`The JSON query is not imported: ${why}. Pharos checks the status code.`);
}

function addQuery(
  draft: Draft,
  { json_path: query, json_path_operator: operator, expected_value: expected }: KumaMonitor,
): string | null {
  const written = (query ?? '').trim();
  const property = ['', '$'].includes(written) ? '$' : toJsonPath(PLAIN.exec(written)?.[1] ?? '?');
  if (property === null) return 'it is more than a path of names and indexes';
  const text = expected ?? '';
  const source = 'json';
  switch (operator ?? '==') {
    case '==':
      return added({ source, property, comparison: 'oneOf', target: valuesOf(text) });
    case '!=':
      return added(
        { source, property, comparison: 'exists' },
        // What is null is an error there.
        ...[null, ...valuesOf(text)].map(
          (target) => ({ source, property, comparison: 'notEquals', target }) as const,
        ),
      );
    case '<':
    case '>': {
      if (text.trim() === '' || !Number.isFinite(Number(text))) return 'its value is not a number';
      const comparison = operator === '<' ? 'lessThan' : 'greaterThan';
      return added({ source, property, comparison, target: Number(text) });
    }
    case 'contains':
      // The text of a number contains digits, too.
      return /^[\d.e+-]*$/.test(text)
        ? added({ source, property, comparison: 'matches', target: literal(text) })
        : added({ source, property, comparison: 'contains', target: text });
    default:
      return `its operator has no counterpart`;
  }

  function added(...assertions: Parameters<typeof addAssertions>[1][]): string | null {
    return addAssertions(draft, ...assertions) ? null : NO_SPACE;
  }
}
