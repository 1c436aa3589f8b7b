import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { complete, findMissing } from './platform-packages.mjs';

describe('the lockfile', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));

  it('contains the optional packages of every platform (otherwise run: node bin/complete-lockfile.mjs)', () => {
    expect(findMissing(packages)).toEqual([]);
  });

  it('contains no registry address', () => {
    expect(Object.values<{ resolved?: string }>(packages).filter((entry) => entry.resolved)).toEqual([]);
  });
});

describe('completing a lockfile', () => {
  const entries = {
    '': {},
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@tool/linux-x64-musl': '1.0.0', '@tool/darwin-arm64': '1.0.0' },
    },
    'node_modules/tool/node_modules/@tool/darwin-arm64': { version: '1.0.0' },
    'node_modules/outer': { version: '2.0.0' },
    'node_modules/outer/node_modules/inner': { version: '2.0.0', optionalDependencies: { sibling: '3.0.0' } },
    'node_modules/sibling': { version: '3.0.0' },
  };

  it('finds packages that exist neither next to the parent nor further up', () => {
    expect(findMissing(entries).map(({ name }) => name)).toEqual(['@tool/linux-x64-musl']);
  });

  it('adds them with the platform from their name, for development if the parent is', () => {
    expect(complete(entries)['node_modules/@tool/linux-x64-musl']).toEqual({
      version: '1.0.0',
      cpu: ['x64'],
      libc: ['musl'],
      os: ['linux'],
      dev: true,
      optional: true,
    });
    expect(findMissing(complete(entries))).toEqual([]);
  });
});
