import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { readSourceFiles } from '@/bin/lint/source-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Visit = (node: Node, parents: readonly Node[]) => void;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function walk(node: Node, visit: Visit, parents: readonly Node[] = []): void {
  visit(node, parents);
  for (const child of Object.values(node).flat()) {
    if (isNode(child)) walk(child, visit, [...parents, node]);
  }
}

/** What validates a value that anyone can send: zod's methods, and functions that call them or read a form. */
const READERS = /^(parseInput|.*\.(parse|safeParse)|read[A-Z]\w*|form\.get)$/;
/** Where the previous state of a form goes: back to the browser that sent it. */
const RETURNS = /^(refused\w*|requestLink|attemptForm|actOnForm)$/;
/** What returns an action that validates its own arguments; dashboard-actions.test.ts checks them. */
const MAKERS = /^(actionOn|formAction|formActionOn)\(/;
const SPREADS = ['SpreadElement', 'MemberExpression', 'VariableDeclarator'];

/** The uses of parameters of exported functions that no schema has validated. */
function listUnvalidatedArguments(source: string): string[] {
  const { program } = parseSync('actions.ts', source);
  const findings: string[] = [];
  for (const statement of program.body as unknown as Node[]) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (!isNode(declaration)) continue;
    if (declaration.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations as { id: Node; init: Node }[]) {
        if (!MAKERS.test(source.slice(init.start, init.end))) findings.push(`${id.name}: all`);
      }
    }
    if (declaration.type !== 'FunctionDeclaration') continue;
    const { name } = declaration.id as unknown as { name: string };
    for (const parameter of declaration.params as Node[]) {
      const type = isNode(parameter.typeAnnotation)
        ? source.slice(parameter.typeAnnotation.start, parameter.typeAnnotation.end)
        : '';
      if (type.endsWith('FormData')) continue;
      const own = String(parameter.name);
      if (own === '_') continue;
      walk(declaration.body as Node, (node, parents) => {
        if (node.type !== 'Identifier' || node.name !== own) return;
        const parent = parents.at(-1);
        const isName =
          (parent?.type === 'Property' && parent.value !== node) ||
          (parent?.type === 'MemberExpression' && parent.property === node && parent.computed === false);
        const calls = parents.flatMap(({ type, callee }) =>
          type === 'CallExpression' && isNode(callee) ? [source.slice(callee.start, callee.end)] : [],
        );
        const isReturned =
          own === 'previous' && (RETURNS.test(calls.at(-1) ?? '') || SPREADS.includes(parent?.type ?? ''));
        if (isName || isReturned || calls.some((call) => READERS.test(call))) return;
        findings.push(`${name}: ${own}`);
      });
    }
  }
  return findings;
}

describe('server actions', () => {
  // Anyone can call them with anything, whatever the types of their parameters.
  it('validate every argument with a schema before using it', () => {
    const findings: string[] = [];
    let files = 0;
    for (const path of readSourceFiles(root).keys()) {
      if (!path.startsWith('app/')) continue;
      const source = readFileSync(`${root}/${path}`, 'utf8');
      if (!/^'use server';/m.test(source)) continue;
      files += 1;
      findings.push(...listUnvalidatedArguments(source).map((finding) => `${path}: ${finding}`));
    }
    expect(findings).toEqual([]);
    expect(files).toBeGreaterThan(20);
  });

  it.each([
    [
      'an id that goes into a query',
      'export async function end(id: string) { await endSession(id); }',
      ['end: id'],
    ],
    [
      'a field of an argument',
      'export async function end(body: { id: string }) { return act(() => endSession(body.id)); }',
      ['end: body'],
    ],
    [
      'an id that a schema reads',
      'export async function end(id: string) { await endSession(parseInput(nameOfObject, id)); }',
      [],
    ],
    [
      'an action that is a constant',
      'export const end = async (id: string) => endSession(id); export const stop = actionOn(endSession);',
      ['end: all'],
    ],
    [
      'a form',
      'export async function save(previous: State, form: FormData) { return run(form.get("x")); }',
      [],
    ],
  ])('are searched for unvalidated arguments: %s', (_, source, findings) => {
    expect(listUnvalidatedArguments(source)).toEqual(findings);
  });
});

it('what takes, sets or mails about a password is refused where passwords are off, except the setup', () => {
  const takes = /\b(password|newPassword)\b|createPasswordReset\(/;
  const refuses = /requirePasswordSignIn\(|signInVisitor\(|requestLink\(|requirePerson\(/;
  const open = [...readSourceFiles(root)].filter(
    ([path, text]) =>
      /^app\/\((auth|dashboard)\)\/.*\/actions\.ts$/.test(path) && takes.test(text) && !refuses.test(text),
  );
  expect(open.map(([path]) => path)).toEqual([
    'app/(auth)/setup/actions.ts',
    // The password of a status page is not a person's.
    'app/(dashboard)/status-pages/[slug]/access/actions.ts',
  ]);
});
