import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const idsIn = (text: string) => [...text.matchAll(/\bid(?::| =) '([\w-]+)'/g)].map(([, id]) => id);

it('a listing of this folder is what runs: one function per file, each in an app, and no function elsewhere', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => !name.endsWith('.test.ts'));
  expect(files.map((name) => [name, idsIn(read(name))])).toEqual([
    ['deliver-webhooks.ts', ['deliver-shard']],
    ['maintain.ts', ['maintain']],
    ['run-scheduled-checks.ts', ['check-shard']],
    ['send-mail.ts', ['send-mail']],
    ['sweep.ts', ['sweep']],
    ['verify-domains.ts', ['verify-domains']],
    ['watch-deadlines.ts', ['watch-deadlines']],
  ]);
  const apps = read('../apps.ts');
  expect(files.filter((name) => !apps.includes(`'./functions/${name.replace('.ts', '')}'`))).toEqual([]);
  expect(apps).not.toContain('createFunction');
});
