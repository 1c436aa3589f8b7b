import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';

// Follows "Add an event" and "Add a webhook format" of CONTRIBUTING.md in a copy of the code: the compiler names every step. Both
// at once, because compiling takes seconds.

const BODIES = 'lib/schemas/webhooks/events.ts';
const EVENTS = 'lib/schemas/webhooks/event-kinds.ts';
const MESSAGES = 'lib/notify/message.ts';
const LABELS = 'components/notifications/delivery-texts.ts';
const FORMATS = 'lib/webhook-formats/formats.ts';
/** Where `prisma generate` writes the enum of the database. */
const STORED = 'lib/platform/db/generated/enums.ts';
/** What does not compile with a format that the database does not have. */
const WRITER = 'lib/domain/webhooks/change-webhook.ts';
const FOLDERS = [
  'components/notifications',
  'lib/as-code',
  'lib/domain/webhooks',
  'lib/notify',
  'lib/platform/db',
  'lib/schemas',
  'lib/state/announcements',
  'lib/webhook-formats',
];

let copy: CodeCopy;
/** The files with errors after the first steps, and after the others except the message of the event. */
let begun: string[];
let followed: string[];

beforeAll(async () => {
  copy = await copyCode(...FOLDERS);
  await copy.edit(EVENTS, ["'incident.resolved',", "'incident.resolved',\n  'monitor.paused',"]);
  for (const [path, code] of await readGuideBlocks('Add a webhook format')) await copy.write(path, code);
  await copy.edit(
    FORMATS,
    ['import ', "import { rocketchat } from './rocketchat/rocket-chat';\nimport "],
    ['  teams,', '  rocketchat,\n  teams,'],
  );
  begun = await findFaults();

  const [[path, code] = ['', '']] = await readGuideBlocks('Add an event');
  expect(path).toBe(BODIES);
  await copy.edit(path, ['eventSchemas = {', `eventSchemas = {\n${code}`]);
  await copy.edit(LABELS, [
    "'monitor.up': '",
    "'monitor.paused': 'A monitor was paused.',\n  'monitor.up': '",
  ]);
  await copy.edit(STORED, ["teams: 'teams',", "teams: 'teams',\n  rocketchat: 'rocketchat',"]);
  followed = await findFaults();
});
afterAll(() => copy?.remove());

async function findFaults(): Promise<string[]> {
  const found = (await copy.compile()).matchAll(/^\S*?((?:lib|components)\/\S+\.tsx?)\(\d/gm);
  return [...new Set([...found].map(([, path = '']) => path))].sort();
}

it('an event needs a body, a message and a label', () => {
  expect(begun).toEqual(expect.arrayContaining([BODIES, LABELS]));
  expect(followed).toContain(MESSAGES);
  expect(followed).not.toContain(BODIES);
  expect(followed).not.toContain(LABELS);
});

it('a webhook format is a folder, a line in the registry, and a value of the database', async () => {
  expect(begun).toEqual([LABELS, WRITER, BODIES]);
  expect(followed).not.toContain(WRITER);

  const { isReadByPeople, formatOf } = await import(join(copy.directory, FORMATS));
  expect(isReadByPeople('rocketchat')).toBe(true);
  const message = { title: '@all', text: 'down', facts: [], link: null, acknowledge: null };
  expect(formatOf('rocketchat').render(message)).toEqual({
    attachments: [{ title: '\\@all', title_link: undefined, text: 'down' }],
  });
});
