import { withoutSecrets } from '@/lib/core/addresses';
import type { ImportPlan } from '@/lib/importing';
import { cleanText } from '../output/table';
import type { Trial } from './try-monitors';
import type { ImportSummary } from './upsert-monitors';

/** What comes over as it is (`+`), with changes (`~`), or not at all (`-`), as lines for a terminal. */
export function describePlan({ items, notes }: ImportPlan): string {
  const lines = items.flatMap(({ name, kind, monitor, changes, reason }) => {
    const mark = monitor === null ? '-' : changes.length > 0 ? '~' : '+';
    const target = monitor === null ? kind : `${monitor.type} ${withoutSecrets(monitor.url)}`.trim();
    const remarks = reason === null ? changes : [reason];
    return [
      `${mark} ${cleanText(name)}  ${cleanText(target)}`,
      ...remarks.map((remark) => `    ${cleanText(remark)}`),
    ];
  });
  const importable = items.filter(({ monitor }) => monitor !== null);
  const changed = importable.filter(({ changes }) => changes.length > 0).length;
  const summary = `${importable.length} of ${items.length} monitors can be imported, ${changed} of them with changes.`;
  return [...lines, ...notes.map(cleanText), '', summary, ''].join('\n');
}

/** What was created and changed, why the rest was not, and the URLs that jobs must call. */
export function describeOutcome({
  created,
  changed,
  unchanged,
  heartbeats,
  failures,
}: ImportSummary): string {
  const rejected = failures.map(({ name, message }) => `! ${cleanText(name)}  ${cleanText(message)}`);
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
