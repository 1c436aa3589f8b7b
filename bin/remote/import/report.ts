import type { ImportPlan } from '@/lib/importing';
import type { ImportOutcome } from './upsert-monitors';

/** What comes over as it is (`+`), with changes (`~`), or not at all (`-`), as lines for a terminal. */
export function describePlan({ items, notes }: ImportPlan): string {
  const lines = items.flatMap(({ name, kind, monitor, changes, reason }) => {
    const mark = monitor === null ? '-' : changes.length > 0 ? '~' : '+';
    const target = monitor === null ? kind : `${monitor.type} ${withoutSecrets(monitor.url)}`;
    const remarks = reason === null ? changes : [reason];
    return [`${mark} ${clean(name)}  ${clean(target)}`, ...remarks.map((remark) => `    ${clean(remark)}`)];
  });
  const importable = items.filter(({ monitor }) => monitor !== null);
  const changed = importable.filter(({ changes }) => changes.length > 0).length;
  const summary = `${importable.length} of ${items.length} monitors can be imported, ${changed} of them with changes.`;
  return [...lines, ...notes.map(clean), '', summary, ''].join('\n');
}

/** What was created and changed, and why the rest was not. */
export function describeOutcome({ created, changed, unchanged, failures }: ImportOutcome): string {
  const rejected = failures.map(({ name, message }) => `! ${clean(name)}  ${clean(message)}`);
  const summary = `${created} created, ${changed} changed, ${unchanged} unchanged, ${failures.length} rejected.`;
  return [...rejected, summary, ''].join('\n');
}

/** Passwords and query strings of a URL are not for a terminal. */
function withoutSecrets(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//').replace(/\?.*/, '?…');
}

/** A name from a file must not move the cursor. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, '�');
}
