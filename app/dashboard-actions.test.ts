import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VERB_CALLS } from '@/lib/domain/context/testing/verb-calls';

const app = fileURLToPath(new URL('.', import.meta.url));
/** Modules that cannot access an organization's data, or that authenticate the request. */
const HARMLESS =
  /^@\/lib\/(core|schemas|env|domain\/context|domain\/status-pages\/page-row|domain\/webhooks\/templates|web\/http\/dashboard-session)(\/|$)/;
/** Functions for a person's own account: called with the ID of the signed-in person, they access no organization. */
const OWN_ACCOUNT =
  /^@\/lib\/(domain\/(members\/identities\/linked-identities\/\w+|reports\/report-mails\/\w+|people\/((mail-preferences|passkeys\/own-passkeys|profile|second-factor\/enroll-second-factor|sessions|test-mail)\/\w+|passwords\/(changePassword|checkOwnPassword|wrongPassword)))|web\/http\/(address\/request-address|password-throttle|sign-in\/[\w-]+)\/\w+)$/;
/** Operations that the test of the permission table calls separately. */
const APART = ['members/leaveOrganization', 'organizations/deleteOrganization'];
/** For people who are not signed in: there is no organization yet that they could access. */
const WITHOUT_SESSION = ['(auth)/'];
/** Actions that only affect the visitor's own browser. */
const OWN_BROWSER = ['setThemeAction', 'signOutAction'];

const files = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('actions.ts') && !WITHOUT_SESSION.some((folder) => path.startsWith(folder)))
  .map((path) => ({ path, source: readFileSync(`${app}/${path}`, 'utf8') }));

/** The runtime imports of a source: every name and its module. */
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

/** Every exported function with its source code. */
function functionsOf(source: string): { name: string; text: string }[] {
  return source
    .split(/^(?=export (?:async )?(?:function|const) )/m)
    .slice(1)
    .map((text) => ({ name: /(?:function|const) (\w+)/.exec(text)?.[1] ?? '', text }));
}

describe.each(files.map(({ path, source }) => [path, source] as const))('%s', (_, source) => {
  it('accesses an organization only through operations of the permission table', () => {
    const unlisted = importsOf(source).filter(({ name, from }) => {
      if (!from.startsWith('@/lib/') || HARMLESS.test(from)) return false;
      if (OWN_ACCOUNT.test(`${from}/${name}`)) return false;
      const verb = `${from.replace('@/lib/domain/', '').split('/')[0]}/${name}`;
      return !(verb in VERB_CALLS || APART.includes(verb));
    });
    expect(unlisted).toEqual([]);
  });

  it('requires a session in every action', () => {
    const unprotected = functionsOf(source)
      .filter(({ name }) => !OWN_BROWSER.includes(name))
      .filter(
        ({ text }) =>
          !/\b(requireSession|act|actFor|actOnForm|actionOn|formAction|formActionOn)\(/.test(text),
      );
    expect(unprotected.map(({ name }) => name)).toEqual([]);
  });
});

it('the helpers of actions require a session', () => {
  const helpers = functionsOf(readFileSync(`${app}/(dashboard)/act.ts`, 'utf8'));
  const act = helpers.filter(({ name }) => /^(act|formAct)/.test(name));
  const names = ['act', 'actFor', 'actOnForm', 'actionOn', 'formAction', 'formActionOn'];
  expect(act.map(({ name }) => name)).toEqual(names);
  for (const { text } of act) {
    expect(text).toMatch(/requireSession\(\)|actFor\(run\)|\bact\(\(|actOnForm\(previous/);
  }
  // The server actions they return take an ID that anyone can send.
  for (const { text } of act.filter(({ name }) => name.endsWith('On'))) {
    expect(text).toContain('parseInput(nameOfObject, id)');
    expect(text.match(/\bid\b(?!: string)/g)).toHaveLength(1);
  }
});

it('every dashboard action is checked', () => {
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(({ source }) => functionsOf(source)).length).toBeGreaterThan(15);
});
