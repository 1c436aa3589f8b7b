import { diffArrays } from 'diff';
import type { SeenBody } from '@/lib/checks/evidence';
import type { CheckEvidence, StoredEvidence } from '@/lib/schemas/monitor/evidence';

/** Consecutive lines that both have (`same`), only the failure (`added`), or only the last good response (`removed`). */
export type DiffRun = { kind: 'same' | 'added' | 'removed'; start: number; lines: string[] };

/** A part of evidence, compared with the same part of the last good response. */
export type EvidencePart = {
  title: 'Connection' | 'Response' | 'Body';
  runs: DiffRun[];
  /** Lines that are not the same. */
  changes: number;
  /** Lines left out at the end. */
  omitted: number;
};

/** Different with every response. */
const VOLATILE = new Set(['date', 'age']);
/** A page with more lines would take longer to show than to read. */
const MAX_LINES = 600;
/** Two texts with more differences than this have nothing in common: what both have is not searched for. */
const MAX_EDITS = 400;

/** What a failed check saw, line by line, compared with the last good response; all of it is `same` without one. Parts without lines are left out. */
export function compareEvidence(failure: CheckEvidence, good: CheckEvidence | null): EvidencePart[] {
  const titles = ['Connection', 'Response', 'Body'] as const;
  return titles.flatMap((title) => {
    const lines = LINES[title](failure);
    const before = good === null ? lines : LINES[title](good);
    if (lines.length === 0 && before.length === 0) return [];
    return [{ title, ...cutRuns(compareLines(before, lines)) }];
  });
}

const LINES: Record<EvidencePart['title'], (evidence: StoredEvidence) => string[]> = {
  Connection: ({ addresses, address, wasReset, redirects, certificates, certificateError, dnsQueries }) => [
    ...(addresses.length > 0 ? [`Resolved to ${addresses.join(', ')}`] : []),
    ...(address === null ? [] : [`Connected to ${address}`]),
    ...(wasReset ? ['Reset by the server'] : []),
    ...redirects.map(({ statusCode, location }) => `${statusCode} to ${location}`),
    ...certificates.flatMap(({ subject, issuer, validFrom, validTo, names }) => [
      `Certificate ${subject}`,
      ...(names.length > 0 ? [`  for ${names.join(', ')}`] : []),
      `  issued by ${issuer}`,
      `  valid from ${validFrom ?? 'an unknown time'} to ${validTo ?? 'an unknown time'}`,
    ]),
    ...(certificateError === null ? [] : [`Not trusted: ${certificateError}`]),
    ...dnsQueries.flatMap(({ type, server, rcode, answers }) => [
      `${type} from ${server}: ${rcode}${answers.length > 0 ? '' : ', no records'}`,
      ...answers.map((answer) => `  ${answer}`),
    ]),
  ],
  Response: ({ statusLine, headers, dialog }) => [
    ...(statusLine === null ? [] : [statusLine]),
    ...dialog,
    ...Object.entries(headers)
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .toSorted(),
  ],
  Body: ({ body }) => (body === null ? [] : listBody(body)),
};

function listBody({ text, size, truncated, type, encoding }: SeenBody): string[] {
  if (text === null) {
    const what = [type, encoding].filter((each) => each !== null).join(', ');
    return [`[${size} bytes not shown${what === '' ? '' : `: ${what}`}]`];
  }
  const lines = text === '' ? [] : spread(text).replaceAll('\r\n', '\n').split('\n');
  return truncated ? [...lines, `[Truncated: the body has at least ${size} bytes]`] : lines;
}

/** JSON that is all in one line over several, unless that would change a value. */
function spread(text: string): string {
  if (!/^[{[]/.test(text) || text.includes('\n')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

function compareLines(before: string[], after: string[]): DiffRun[] {
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  let start = 0;
  return changes.flatMap(({ value, added, removed }): DiffRun[] => {
    if (value.length === 0) return [];
    const run: DiffRun = { kind: added ? 'added' : removed ? 'removed' : 'same', start, lines: value };
    start += value.length;
    return [run];
  });
}

function cutRuns(runs: readonly DiffRun[]): Omit<EvidencePart, 'title'> {
  const kept = runs
    .filter(({ start }) => start < MAX_LINES)
    .map((run) => ({ ...run, lines: run.lines.slice(0, MAX_LINES - run.start) }));
  const count = (all: readonly DiffRun[]) => all.reduce((sum, { lines }) => sum + lines.length, 0);
  return {
    runs: kept,
    changes: count(runs.filter(({ kind }) => kind !== 'same')),
    omitted: count(runs) - count(kept),
  };
}
