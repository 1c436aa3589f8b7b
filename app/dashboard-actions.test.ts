import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VERB_CALLS } from '@/lib/domain/context/testing/verb-calls';

const app = fileURLToPath(new URL('.', import.meta.url));
/** What knows nothing of an organization's things, or says who asks. */
const HARMLESS =
  /^@\/lib\/(core|schemas|context|state|plans|http\/dashboard-session|env|status-pages\/domain-settings)(\/|$)/;
/** A person's own account: called with the id of who is signed in, it touches nothing of an organization. */
const OWN_ACCOUNT =
  /^@\/lib\/(people\/(change-password|change-profile|sessions)|http\/(client-address|password-throttle))$/;
/** Verbs that the table's test calls by themselves. */
const APART = ['members/leaveOrganization', 'organizations/deleteOrganization'];
/** Of people that are not signed in: there is no organization yet whose things they could touch. */
const WITHOUT_SESSION = ['(auth)/'];
/** Actions that touch nothing but the visitor's own browser. */
const OWN_BROWSER = ['setThemeAction', 'signOutAction'];

const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('actions.ts') && !WITHOUT_SESSION.some((folder) => path.startsWith(folder)))
  .map((path) => ({ path, source: readFileSync(`${app}/${path}`, 'utf8') }));

/** What a source imports to run it: each name and where it is from. */
function importsOf(source: string): { name: string; from: string }[] {
  const statements = source.matchAll(/^import (?!type )(?:\{([^}]*)\}|(\S+)) from '([^']+)';/gm);
  return [...statements].flatMap(([, names = '', whole = '', from = '']) =>
    `${names},${whole}`
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, from })),
  );
}

/** Every exported function with its source, up to the next one. */
function functionsOf(source: string): { name: string; text: string }[] {
  return source
    .split(/^(?=export (?:async )?(?:function|const) )/m)
    .slice(1)
    .map((text) => ({ name: /(?:function|const) (\w+)/.exec(text)?.[1] ?? '', text }));
}

describe.each(files.map(({ path, source }) => [path, source] as const))('%s', (_, source) => {
  it('acts on an organization only through verbs of the permission table', () => {
    const strangers = importsOf(source).filter(({ name, from }) => {
      if (!from.startsWith('@/lib/') || HARMLESS.test(from)) return false;
      if (OWN_ACCOUNT.test(from)) return false;
      const verb = `${from.split('/')[2]}/${name}`;
      return !(verb in VERB_CALLS || APART.includes(verb));
    });
    expect(strangers).toEqual([]);
  });

  it('asks in every action who is signed in', () => {
    const careless = functionsOf(source)
      .filter(({ name }) => !OWN_BROWSER.includes(name))
      .filter(({ text }) => !/\brequireSession\(\)|\bact\(/.test(text));
    expect(careless.map(({ name }) => name)).toEqual([]);
  });
});

it('every action of the dashboard is looked at', () => {
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(({ source }) => functionsOf(source)).length).toBeGreaterThan(15);
});
