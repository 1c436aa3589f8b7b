import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const lib = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders without verbs: permissions are checked by their callers or by what they call. */
const NOT_DOMAINS = ['http', 'auth', 'context'];

/** `monitors/createMonitor` and every other exported function of lib/ that takes an OrganizationContext. */
export function discoverVerbs(): string[] {
  return readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(^|\/)(testing|generated)\//.test(path))
    .filter((path) => !NOT_DOMAINS.includes(folderOf(path)))
    .flatMap((path) =>
      namesIn(readFileSync(`${lib}/${path}`, 'utf8')).map((name) => `${folderOf(path)}/${name}`),
    )
    .sort();
}

/** The exported functions of a source that take a context; those that take a transaction first are parts of verbs. */
export function namesIn(source: string): string[] {
  const starts = source.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)[^(\n]*\(/gm);
  return [...starts].flatMap((start) => {
    const parameters = insideParentheses(source, start.index + start[0].length);
    if (!/:\s*OrganizationContext\b/.test(parameters) || /^\s*\w+: Transaction\b/.test(parameters)) return [];
    return start[1] === undefined ? [] : [start[1]];
  });
}

function insideParentheses(source: string, from: number): string {
  let depth = 1;
  let end = from;
  for (; end < source.length && depth > 0; end++) {
    if (source[end] === '(') depth++;
    if (source[end] === ')') depth--;
  }
  return source.slice(from, end);
}

function folderOf(path: string): string {
  return path.replace(/^(domain|platform|web)\//, '').split('/')[0] ?? '';
}
