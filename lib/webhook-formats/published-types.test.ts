import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressRequest } from '@/lib/domain/webhooks/formats/address-request';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { DELIVERY_KINDS, type DeliveryKind } from '@/lib/schemas/webhooks/delivery';
import { type CodeCopy, copyCode } from '@/lib/testing/code-copy';
import { formatOf, WEBHOOK_FORMATS } from './formats';
import { PRODUCTS } from './testing/products';
import type { Published, PublishedEdit } from './testing/published-types';

// Compiles golden files, as they are sent, against published types. ADR 0067 lists the types for each format.

const EDITED = ['slack', 'discord', 'telegram'] as const satisfies (keyof PublishedEdit)[];
type Format = keyof Published;

/** A text of a golden file for monitor.down, and what no product takes in its place: another field, then another value. */
const MISTAKES: Record<Format, [from: string, to: string][]> = {
  slack: [
    ['"color":', '"tint":'],
    ['"type":"mrkdwn"', '"type":"markdown"'],
  ],
  discord: [
    ['"inline":', '"short":'],
    ['"parse":[]', '"parse":["channels"]'],
  ],
  teams: [
    ['"isSubtle":', '"subtle":'],
    ['"style":"attention"', '"style":"danger"'],
  ],
  mattermost: [
    ['"title_link":', '"titleLink":'],
    ['"short":true', '"short":"true"'],
  ],
  googlechat: [
    ['"topLabel":', '"label":'],
    ['"wrapText":true', '"wrapText":"true"'],
  ],
  telegram: [
    ['"is_disabled":', '"disabled":'],
    ['"parse_mode":"HTML"', '"parse_mode":"html"'],
  ],
  pagerduty: [
    ['"client_url":', '"clientUrl":'],
    ['"severity":"critical"', '"severity":"major"'],
  ],
};

const FORMATS = Object.keys(MISTAKES) as Format[];
/** Nothing is published for these in the registry: only their doubles know what their documentation says. */
const UNPUBLISHED = ['alertmanager', 'ntfy', 'opsgenie', 'pushover'];

const CREDENTIALS = new Map(
  Object.entries(PRODUCTS).map(([format, { product }]) => [format, product.credentials]),
);

const readJson = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));

/** The body of a golden file as it is sent: with the credentials of its product. */
async function readBody(format: Format, kind: DeliveryKind): Promise<string> {
  const body = JSON.stringify(await readJson(`./${format}/testing/golden/${kind}.json`));
  const event = JSON.stringify(createEvent(kind));
  const stored = { url: 'https://product.test', body, event, messageKey: null };
  return addressRequest(format, stored, CREDENTIALS.get(format) ?? {}).sent.body;
}

/** The bodies that edit a message and that reply to it. */
async function readEdits(format: (typeof EDITED)[number]): Promise<{ edit: string; replies: string[] }> {
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
  const write = (name: string, type: string, body: string) =>
    copy.write(
      `bodies/${name}.ts`,
      `import type { Published, PublishedEdit } from '@/lib/webhook-formats/testing/published-types';
export const body: ${type} = ${body};
export type Unused = Published | PublishedEdit;
`,
    );
  for (const format of FORMATS) {
    const type = `Published['${format}']`;
    for (const kind of DELIVERY_KINDS) await write(`${format}/${kind}`, type, await readBody(format, kind));
    const down = await readBody(format, 'monitor.down');
    for (const [index, [from, to]] of MISTAKES[format].entries()) {
      if (!down.includes(from)) throw new Error(`the body for ${format} does not contain ${from}`);
      await write(`${format}/mistake-${index}`, type, down.replace(from, to));
    }
  }
  for (const format of EDITED) {
    const { edit, replies } = await readEdits(format);
    await write(`${format}/edit`, `PublishedEdit['${format}']`, edit);
    for (const [index, reply] of replies.entries()) {
      await write(`${format}/reply-${index}`, `Published['${format}']`, reply);
    }
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

  it.each(MISTAKES[format])('has no place for a change from %s to %s', (_from, to) => {
    const index = MISTAKES[format].findIndex(([, change]) => change === to);
    expect(problems.filter(({ name }) => name === `${format}/mistake-${index}`)).not.toEqual([]);
  });
});

it('every format has a published type, or is known to have none', () => {
  const products = WEBHOOK_FORMATS.filter((format) => formatOf(format).reader !== 'program');
  expect([...FORMATS, ...UNPUBLISHED].sort()).toEqual([...products].sort());
});

it('the compiler refuses nothing else', () => {
  const others = problems.filter(({ name }) => !FORMATS.some((format) => name.startsWith(`${format}/`)));
  expect(others).toEqual([]);
});

function isMistake(name: string): boolean {
  return name.includes('/mistake-');
}
