import { formatCommand } from '@/lib/command-line';
import { formatProblem } from '@/lib/core/errors';
import type { ImportedMonitor, ImportPlan, MonitorBody } from '@/lib/importing';
import { formatResult, showTarget } from '@/lib/importing/plan/format-result';
import { cleanText } from '../output/table';
import type { ImportAnswer, Result } from './send-monitors';
import type { Trial } from './try-monitors';

const MARKS = { create: '+', change: '~', none: '=' } as const;

/**
 * What an import creates (`+`), changes (`~`), leaves as it is (`=`) or cannot do (`-`, and `!` where Pharos rejects it), as lines for a
 * terminal. Without an answer of Pharos, everything that can be imported counts as new.
 */
export function describePlan({ items, notes }: ImportPlan, answer: ImportAnswer | null): string {
  const lines = items.flatMap((item) => describeItem(item, answer?.results.get(item.monitor?.ref ?? '')));
  const importable = items.filter(({ monitor }) => monitor !== null);
  const differing = importable.filter(({ changes }) => changes.length > 0).length;
  const summary = `${importable.length} of ${items.length} monitors can be imported, ${differing} of them with differences.`;
  return [...lines, ...notes.map(cleanText), '', summary, ...describeAnswer(answer), ''].join('\n');
}

function describeItem(
  { name, kind, monitor, changes, reason }: ImportedMonitor,
  result: Result | undefined,
): string[] {
  const target = monitor === null ? kind : targetOf(monitor);
  const remarks = [...(reason === null ? changes : [reason]), ...describeResult(result)];
  return [
    `${markOf(monitor, result)} ${cleanText(name)}  ${cleanText(target)}`,
    ...remarks.map((remark) => `    ${cleanText(remark)}`),
  ];
}

function targetOf({ type, url }: Pick<MonitorBody, 'type' | 'url'>): string {
  return `${type} ${showTarget(url)}`.trim();
}

function markOf(monitor: MonitorBody | null, result: Result | undefined): string {
  if (monitor === null) return '-';
  if (result === undefined) return '+';
  return 'error' in result ? '!' : MARKS[result.action];
}

function describeResult(result: Result | undefined): string[] {
  if (result === undefined) return [];
  if ('error' in result) return [formatProblem(result.error)];
  return formatResult(result);
}

function describeAnswer(answer: ImportAnswer | null): string[] {
  if (answer === null) return ['Not compared with Pharos, because no address and key are set.'];
  const { created, changed, unchanged, failures } = summarize(answer);
  return [
    `Source ${answer.source}: ${created} to create, ${changed} to change, ${unchanged} unchanged, ${failures.length} rejected.`,
  ];
}

/**
 * The monitors that would become others, with the commands that say which source the file is of; null if there is none. `added` are the
 * options of these commands.
 */
export function describeReplaced(
  { source: format, items }: ImportPlan,
  { source: first, results }: ImportAnswer,
  { files, added }: { files: readonly string[]; added: readonly string[] },
): string | null {
  const replaced = items.flatMap(({ name, monitor }) => {
    const result = monitor && results.get(monitor.ref);
    if (!result || 'error' in result || !result.replaces) return [];
    const before = result.changes.find(({ field }) => field === 'name')?.before;
    return [`  ${cleanText(String(before))} → ${cleanText(name)}`];
  });
  if (replaced.length === 0) return null;
  const shown = replaced.slice(0, MAX_REPLACED);
  const more = replaced.length - shown.length;
  const [file, ...others] = files;
  // Several files are left for people to fill in.
  const named: Record<string, string> = file === undefined || others.length > 0 ? {} : { FILE: file };
  const command = (name: string) =>
    formatCommand('import FORMAT FILE --source NAME', {
      values: { FORMAT: format, ...named, NAME: name },
      added,
    });
  return [
    'nothing was imported: these monitors would become others, with another name and, unless they are heartbeats, another target. Is the file from a second installation?',
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    `If it is, give it a name:   ${command('NAME')}`,
    `If it is not, say so:       ${command(first)}`,
    '',
  ].join('\n');
}

const MAX_REPLACED = 10;

/** What an import did, or would do. */
export type ImportSummary = {
  created: number;
  changed: number;
  unchanged: number;
  /** The URL of each imported heartbeat, which its job must call from now on. */
  heartbeats: { ref: string; name: string; url: string }[];
  failures: { ref: string; code: string; message: string }[];
};

export function summarize({ results }: ImportAnswer): ImportSummary {
  const summary: ImportSummary = { created: 0, changed: 0, unchanged: 0, heartbeats: [], failures: [] };
  for (const [ref, result] of results) {
    if ('error' in result) {
      summary.failures.push({ ref, code: result.error.code, message: formatProblem(result.error) });
      continue;
    }
    const { name, heartbeatUrl: url } = result.monitor ?? { name: ref, heartbeatUrl: null };
    if (url !== null) summary.heartbeats.push({ ref: result.ref, name, url });
    if (result.action === 'create') summary.created += 1;
    else if (result.action === 'change') summary.changed += 1;
    else summary.unchanged += 1;
  }
  return summary;
}

/** What was created and changed, why the rest was not, and the URLs that jobs must call. */
export function describeOutcome({
  created,
  changed,
  unchanged,
  heartbeats,
  failures,
}: ImportSummary): string {
  const rejected = failures.map(({ ref, message }) => `! ${cleanText(ref)}  ${cleanText(message)}`);
  const summary = `${created} created, ${changed} changed, ${unchanged} unchanged, ${failures.length} rejected.`;
  return [...rejected, summary, ...describeHeartbeats(heartbeats), ''].join('\n');
}

function describeHeartbeats(heartbeats: ImportSummary['heartbeats']): string[] {
  if (heartbeats.length === 0) return [];
  const lines = heartbeats.map(({ name, url }) => `  ${cleanText(name)}  ${cleanText(url)}`);
  return [
    '',
    'Heartbeats have new URLs. Put each into its job, which otherwise keeps calling the old one:',
    ...lines,
  ];
}

/** How the one check of each target went: those that failed, and how many did not. */
export function describeTrials(trials: readonly Trial[]): string {
  const failed = trials.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'slow');
  const lines = failed.map(({ name, outcome, message }) => `${outcome}  ${cleanText(`${name}  ${message}`)}`);
  const summary = `${trials.length - failed.length} of ${trials.length} targets passed their first check.`;
  return [...lines, summary, ''].join('\n');
}
