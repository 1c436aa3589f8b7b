import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';

// Follows "Add an event" and "Add a webhook format" of CONTRIBUTING.md in a copy of the code: the compiler names every step. Both
// at once, because compiling takes seconds.

const BODIES = 'lib/schemas/webhooks/events.ts';
const EVENTS = 'lib/schemas/webhooks/event-kinds.ts';
const FORMATS = 'lib/schemas/webhooks/webhook.ts';
const MESSAGES = 'lib/domain/webhooks/formats/message.ts';
const RENDERERS = 'lib/domain/webhooks/formats/render-body.ts';
const LABELS = 'components/notifications/delivery-texts.ts';

let copy: CodeCopy;
/** The errors of the compiler after the first step, and after the others except the message of the event. */
let begun: Faults;
let followed: Faults;

type Faults = { path: string; text: string }[];

beforeAll(async () => {
  copy = await copyCode('lib/schemas', 'lib/domain/webhooks', 'components/notifications');
  await copy.edit(EVENTS, ["'incident.resolved',", "'incident.resolved',\n  'monitor.paused',"]);
  await copy.edit(FORMATS, ["'teams',", "'teams',\n  'rocketchat',"]);
  begun = await findFaults();

  const [[path, code] = ['', '']] = await readGuideBlocks('Add an event');
  expect(path).toBe(BODIES);
  await copy.edit(path, ['eventSchemas = {', `eventSchemas = {\n${code}`]);
  for (const [path, code] of await readGuideBlocks('Add a webhook format')) await copy.write(path, code);
  await copy.edit(
    RENDERERS,
    ['import ', "import { renderRocketChat } from './rocket-chat';\nimport "],
    ['teams: ', 'rocketchat: asMessage(renderRocketChat),\n  teams: '],
  );
  await copy.edit(
    LABELS,
    ["'monitor.up': '", "'monitor.paused': 'A monitor was paused.',\n  'monitor.up': '"],
    ['teams: {', "rocketchat: { label: 'Rocket.Chat', hint: '' },\n  teams: {"],
  );
  followed = await findFaults();
});
afterAll(() => copy?.remove());

async function findFaults(): Promise<Faults> {
  return (await copy.compile()).split('\n').flatMap((text) => {
    const path = /^(\S+\.tsx?)\(/.exec(text)?.[1];
    return path === undefined ? [] : [{ path: path.replace(/^.*?((lib|components)\/)/, '$1'), text }];
  });
}

/** The files with errors. */
const filesOf = (faults: Faults) => new Set(faults.map(({ path }) => path));

/** The files with errors about something. */
const missing = (faults: Faults, what: string) => filesOf(faults.filter(({ text }) => text.includes(what)));

it('an event needs a body, a message and a label', () => {
  expect([...missing(begun, 'monitor.paused')]).toEqual(expect.arrayContaining([BODIES, LABELS]));
  const faulty = filesOf(followed);
  expect(faulty).toContain(MESSAGES);
  expect(faulty).not.toContain(BODIES);
  expect(faulty).not.toContain(LABELS);
});

it('a webhook format is a renderer, a line in the registry, and a label', () => {
  expect([...missing(begun, 'rocketchat')]).toEqual(expect.arrayContaining([RENDERERS, LABELS]));
  const faulty = filesOf(followed);
  expect(faulty).not.toContain(RENDERERS);
  expect(faulty).not.toContain(LABELS);
  expect([...faulty].filter((path) => path.includes('rocket-chat'))).toEqual([]);
});
