import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeCopy, copyCode } from '@/lib/testing/code-copy';
import {
  addFormat,
  addValueOfFormat,
  BODIES,
  describeEvent,
  LABELS,
  nameEvent,
} from './testing/follow-guides';

// Follows "Add an event" and "Add a webhook format" of CONTRIBUTING.md in a copy of the code: the compiler names every step. Both
// at once, because compiling takes seconds.

const MESSAGES = 'lib/notify/message.ts';
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
  await nameEvent(copy);
  await addFormat(copy);
  begun = await findFaults();

  await describeEvent(copy);
  await addValueOfFormat(copy);
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

it('a webhook format is a folder, a line in the registry, and a value of the database', () => {
  expect(begun).toEqual([LABELS, WRITER, BODIES]);
  expect(followed).not.toContain(WRITER);
});
