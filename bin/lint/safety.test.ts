import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MONITOR_TYPES } from '@/lib/checks/types';
import { readSourceFiles } from './source-files.mjs';

// Rules that lint has no words for. Others stand with what they are about: who reads process.env in process-env.test.ts,
// that actions parse their arguments in app/server-actions.test.ts, that every route is in the OpenAPI document in
// app/api/openapi.json/openapi.test.ts, and the direction of imports in lint-sources.test.ts.

const root = fileURLToPath(new URL('../..', import.meta.url));
const isTest = (path: string) => /\.(test|spec)\.tsx?$|\/testing\//.test(path);
const sources = [...readSourceFiles(root)].filter(([path]) => !isTest(path));
const TABLES = [
  ...readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8').matchAll(
    /@@map\("(\w+)"\)/g,
  ),
].map(([, name]) => name);

/** The files in which a pattern stands, each with what was found. */
function find(pattern: RegExp): string[] {
  return sources.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.replace(/\s+/g, ' ')}`),
  );
}

describe('SQL', () => {
  it('names the columns it reads: a column that a migration adds must reach no client, and cost no query', () => {
    // Inside LATERAL the columns are chosen by the statement around it.
    const wide = new RegExp(`(?<!LATERAL \\(\\s*)SELECT \\*\\s+FROM (raw\\.)?(${TABLES.join('|')})\\b`, 'g');
    expect(find(wide)).toEqual([]);
  });

  it('names the columns it writes: one that a migration adds or moves must not take the value of another', () => {
    expect(find(/INSERT INTO\s+[\w."]+(\s+AS \w+)?\s+(VALUES|SELECT)\b/g)).toEqual([]);
  });
});

it('no file is longer than 300 lines: one story that is read from top to bottom', () => {
  const lengths = sources.map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }));
  expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
});

it('no file but those of check types compares with the name of one: a new type must not be forgotten in any', () => {
  const name = `'(${MONITOR_TYPES.join('|')})'`;
  const compared = find(new RegExp(`([!=]==|case) ${name}|${name} [!=]==`, 'g'));
  // How a canary is asked, which is not a check.
  const known = ["lib/platform/net/canary.ts: case 'ping'"];
  expect(compared.filter((found) => !found.startsWith('lib/checks/'))).toEqual(known);
});
