import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressRequest } from '@/lib/domain/webhooks/formats/address-request';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { DELIVERY_KINDS, type DeliveryKind } from '@/lib/schemas/webhooks/delivery';
import { type CodeCopy, copyCode } from '@/lib/testing/code-copy';
import { editableProduct, formatOf, WEBHOOK_FORMATS, type WebhookFormat } from './formats';
import type { Mistake } from './testing/mistake';

// Compiles golden files, as they are sent, against the types that each product, or who keeps its client, publishes: those in the folder
// of a format. ADR 0067 lists them.

const filesOf = (format: string) =>
  readdirSync(new URL(`./${format}`, import.meta.url), { recursive: true, encoding: 'utf8' });
const FORMATS = WEBHOOK_FORMATS.filter((format) => filesOf(format).includes('testing/published.ts'));
const EDITED = FORMATS.filter((format) => editableProduct(format, true) !== null);

/** For each format: another field, then another value. */
const MISTAKES = new Map<WebhookFormat, Mistake[]>(
  await Promise.all(
    FORMATS.map(async (format) => {
      const { MISTAKES } = await import(`./${format}/testing/published.ts`);
      return [format, MISTAKES] as const;
    }),
  ),
);
const mistakesOf = (format: WebhookFormat) => MISTAKES.get(format) ?? [];

const readJson = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));

/** The body of a golden file as it is sent: with the credentials of its product. */
async function readBody(format: WebhookFormat, kind: DeliveryKind): Promise<string> {
  const body = JSON.stringify(await readJson(`./${format}/testing/golden/${kind}.json`));
  const event = JSON.stringify(createEvent(kind));
  const stored = { url: 'https://product.test', body, event, messageKey: null };
  const known = Object.entries(formatOf(format).account?.credentials ?? {});
  const credentials = Object.fromEntries(known.map(([name, { example }]) => [name, example]));
  return addressRequest(format, stored, credentials).sent.body;
}

/** The bodies that edit a message and that reply to it. */
async function readEdits(format: WebhookFormat): Promise<{ edit: string; replies: string[] }> {
  const { edit, reply } = await readJson(`./${format}/testing/golden/edits.json`);
  const replies = Object.values<{ body: object } | null>(reply);
  return {
    edit: JSON.stringify(edit.body),
    replies: replies.flatMap((call) => (call === null ? [] : [JSON.stringify(call.body)])),
  };
}

/** What the compiler says about a body. */
type Problem = { name: string; error: string };

let problems: Problem[];
let copy: CodeCopy;

beforeAll(async () => {
  copy = await copyCode();
  const write = (format: WebhookFormat, name: string, type: 'Published' | 'PublishedEdit', body: string) =>
    copy.write(
      `bodies/${format}/${name}.ts`,
      `import type { ${type} } from '@/lib/webhook-formats/${format}/testing/published';\nexport const body: ${type} = ${body};\n`,
    );
  for (const format of FORMATS) {
    for (const kind of DELIVERY_KINDS) await write(format, kind, 'Published', await readBody(format, kind));
    const down = await readBody(format, 'monitor.down');
    for (const [index, [from, to]] of mistakesOf(format).entries()) {
      if (!down.includes(from)) throw new Error(`the body for ${format} does not contain ${from}`);
      await write(format, `mistake-${index}`, 'Published', down.replace(from, to));
    }
  }
  for (const format of EDITED) {
    const { edit, replies } = await readEdits(format);
    await write(format, 'edit', 'PublishedEdit', edit);
    for (const [index, reply] of replies.entries()) await write(format, `reply-${index}`, 'Published', reply);
  }
  problems = readProblems(await copy.compile());
});
afterAll(() => copy.remove());

function readProblems(output: string): Problem[] {
  const lines = output.matchAll(/^(?:.*\/bodies\/|bodies\/)?(\S+)\.ts\(\d+,\d+\): error (.*)$/gm);
  return [...lines].map(([, name = '', error = '']) => ({ name, error }));
}

describe.each(FORMATS)('the published type of %s', (format) => {
  it('accepts the golden file of each event, edit and reply', () => {
    const refused = problems.filter(({ name }) => name.startsWith(`${format}/`) && !isMistake(name));
    expect(refused).toEqual([]);
  });

  it.each(mistakesOf(format))('has no place for a change from %s to %s', (_from, to) => {
    const index = mistakesOf(format).findIndex(([, change]) => change === to);
    expect(problems.filter(({ name }) => name === `${format}/mistake-${index}`)).not.toEqual([]);
  });
});

it('every format of a product is checked against it: by published types, a double, or a test in its folder', () => {
  const products = WEBHOOK_FORMATS.filter((format) => formatOf(format).reader !== 'program');
  const isCheck = /^testing\/(published|product)\.ts$|\.test\.ts$/;
  expect(products.filter((format) => !filesOf(format).some((file) => isCheck.test(file)))).toEqual([]);
});

it('the compiler refuses nothing else', () => {
  const others = problems.filter(({ name }) => !FORMATS.some((format) => name.startsWith(`${format}/`)));
  expect(others).toEqual([]);
});

function isMistake(name: string): boolean {
  return name.includes('/mistake-');
}
