import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ACTIONS, type Action, type Permission, ROLES } from '@/lib/domain/context/permissions';
import { VERB_CALLS } from '@/lib/domain/context/testing/verb-calls';

const app = fileURLToPath(new URL('.', import.meta.url));
/** Modules that cannot access an organization's data, or that authenticate the request. */
const HARMLESS =
  /^@\/lib\/(core|schemas|env|domain\/context|domain\/status-pages\/page-row|web\/http\/dashboard-session)(\/|$)/;
/** Functions for a person's own account: called with the ID of the signed-in person, they access no organization. */
const OWN_ACCOUNT =
  /^@\/lib\/(domain\/(members\/identities\/linked-identities\/\w+|reports\/report-mails\/\w+|push\/(change-browsers|push-keys)\/\w+|people\/((mail-preferences|passkeys\/own-passkeys|profile|second-factor\/enroll-second-factor|sessions|test-mail)\/\w+|passwords\/(changePassword|checkOwnPassword|wrongPassword)))|web\/http\/(address\/request-address|password-throttle|sign-in\/[\w-]+)\/\w+)$/;
/** Operations that the test of the permission table calls separately. */
const APART = [
  'members/leaveOrganization',
  'organizations/deleteOrganization',
  // By their own test, in an installation of one organization.
  'mail-server/changeMailServer',
  'mail-server/saveMailServer',
];
/** For people who are not signed in: there is no organization yet that they could access. */
const WITHOUT_SESSION = ['(auth)/'];

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
});

const rankOf = (action: Action): number => {
  const { role }: Permission = ACTIONS[action];
  return role === 'never' ? ROLES.length : ROLES.indexOf(role);
};
const isAction = (text: string): text is Action => text in ACTIONS;

/** What a text with verbs declares to require, if that is not what they require. */
function findMismatch(text: string, verbs: readonly { name: string; action: Action }[]): string | null {
  const required = verbs
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text))
    .map(({ action }) => action);
  if (required.length === 0) return null;
  const [declared] = [...text.matchAll(/'([a-z-]+\.[a-z-]+)'/g)]
    .map(([, name = '']) => name)
    .filter(isAction);
  const isMet =
    declared !== undefined &&
    required.includes(declared) &&
    required.every((action) => rankOf(action) <= rankOf(declared));
  return isMet ? null : `${declared} for ${required.join()}`;
}

it('every action and route requires at its door what the verbs behind it require', () => {
  const routes = readdirSync(`${app}/(dashboard)`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/route.ts'))
    .map((path) => ({ path, source: readFileSync(`${app}/(dashboard)/${path}`, 'utf8') }));
  const mismatches = [...files, ...routes].flatMap(({ path, source }) => {
    const verbs = importsOf(source).flatMap(({ name, from }) => {
      const { action } = VERB_CALLS[`${from.replace('@/lib/domain/', '').split('/')[0]}/${name}`] ?? {};
      return action === undefined ? [] : [{ name, action }];
    });
    const texts = path.endsWith('route.ts') ? [{ name: 'route', text: source }] : functionsOf(source);
    return texts.flatMap(({ name, text }) => {
      const mismatch = findMismatch(text, verbs);
      return mismatch === null ? [] : [`${path} ${name}: ${mismatch}`];
    });
  });
  expect(mismatches).toEqual([]);
});

it('the helpers of actions validate the ID that anyone can send', () => {
  const helpers = functionsOf(readFileSync(`${app}/(dashboard)/act.ts`, 'utf8'));
  const own = helpers.filter(({ name }) => /^(action|formAction)On$/.test(name));
  expect(own.map(({ name }) => name)).toEqual(['actionOn', 'formActionOn']);
  for (const { text } of own) {
    expect(text).toContain('parseInput(nameOfObject, id)');
    expect(text.match(/\bid\b(?!: string)/g)).toHaveLength(1);
  }
});

it('every dashboard action is checked', () => {
  expect(files.length).toBeGreaterThan(5);
  expect(files.flatMap(({ source }) => functionsOf(source)).length).toBeGreaterThan(15);
});
