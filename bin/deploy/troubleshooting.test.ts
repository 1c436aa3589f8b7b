import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(root, 'docs/operate/troubleshooting.md'), 'utf8');

/** The text of every source file, without tests. */
const sources = ['bin', 'lib', 'inngest']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(root, folder, path),
    ),
  )
  .filter((path) => /\.(ts|mjs)$/.test(path) && !/\.test\.ts$|\/generated\//.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('docs/operate/troubleshooting.md', () => {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);

  it('quotes only messages that Pharos has', () => {
    const messages = code.filter(
      (words) => /^[a-zA-Z_]+ [a-z]+ [a-z ]+/.test(words) && !/^(pharos|npm|sysctl) /.test(words),
    );
    expect(messages.length).toBeGreaterThan(7);
    expect(messages.filter((message) => !sources.includes(message.trim()))).toEqual([]);
  });

  it('names only settings and metrics that exist', () => {
    const settings = code
      .filter((words) => /^[A-Z]+_[A-Z_]+(=\w+)?$/.test(words))
      .map((words) => words.split('=')[0]);
    const unknown = settings.filter((name) => !VARIABLE_NAMES.includes(name ?? '') && name !== 'CAP_NET_RAW');
    expect(settings.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
    for (const metric of code.filter((words) => words.startsWith('pharos_')))
      expect(sources).toContain(metric);
  });
});
