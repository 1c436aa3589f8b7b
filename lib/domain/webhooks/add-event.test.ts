import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeCopy, copyCode } from '@/lib/testing/code-copy';
import { addFormat, BODIES, describeEvent, FORMATS, nameEvent } from './testing/follow-guides';

// Follows "Add an event" and "Add a webhook format" of CONTRIBUTING.md. What the compiler says at each step: add-event.thorough.test.ts.

let copy: CodeCopy;
beforeAll(async () => {
  copy = await copyCode('components/notifications', 'lib/schemas/webhooks', 'lib/webhook-formats');
});
afterAll(() => copy.remove());

it('an event is a name, a body and a label', async () => {
  await nameEvent(copy);
  await describeEvent(copy);
  const { eventSchemas } = await import(join(copy.directory, BODIES));
  expect(Object.keys(eventSchemas)).toContain('monitor.paused');
});

it('a webhook format is a folder and a line in the registry', async () => {
  await addFormat(copy);
  const { isReadByPeople, formatOf } = await import(join(copy.directory, FORMATS));
  expect(isReadByPeople('rocketchat')).toBe(true);
  const message = { title: '@all', text: 'down', facts: [], link: null, acknowledge: null };
  expect(formatOf('rocketchat').render(message)).toEqual({
    attachments: [{ title: '\\@all', title_link: undefined, text: 'down' }],
  });
});
