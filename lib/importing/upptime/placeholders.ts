/**
 * `$NAME`, which Upptime replaces by a secret of the repository:
 * https://github.com/upptime/uptime-monitor/blob/HEAD/src/helpers/workflow-secrets.ts.
 */
const PLACEHOLDER = /\$([A-Z_][A-Z0-9_]*)/g;
/** Two that are not secrets: Upptime replaces them by something else in each check. */
const RANDOM = ['DYNAMIC_RANDOM_NUMBER', 'DYNAMIC_ALPHANUMERIC_STRING'];

const namesIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '');

/** Whether a text has a part whose value is a secret of the repository, and so not in the file. */
export function hasSecret(text: string): boolean {
  return namesIn(text).some((name) => !RANDOM.includes(name));
}

/** Whether a text has a part that is different in each check of Upptime. */
export function hasRandom(text: string): boolean {
  return namesIn(text).some((name) => RANDOM.includes(name));
}
