import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';

// Follows "Add an event" and "Add a webhook format" of CONTRIBUTING.md in a copy of the code: the compiler names every step.

const EVENTS = 'lib/schemas/webhooks/event-kinds.ts';
const FORMATS = 'lib/schemas/webhooks/webhook.ts';
const MESSAGES = 'lib/domain/webhooks/formats/message.ts';
const RENDERERS = 'lib/domain/webhooks/formats/render-body.ts';
const LABELS = 'components/notifications/delivery-texts.ts';
let copy: CodeCopy;

beforeEach(async () => {
  copy = await copyCode('lib/schemas', 'lib/domain/webhooks', 'components/notifications');
});
afterEach(() => copy.remove());

/** The files of the copy in which the compiler finds errors. */
async function findFaulty(): Promise<string[]> {
  const lines = (await copy.compile()).split('\n').map((line) => /^(\S+\.tsx?)\(/.exec(line)?.[1] ?? '');
  return [...new Set(lines.map((path) => path.replace(/^.*?((lib|components)\/)/, '$1')).filter(Boolean))];
}

it('an event needs a body, a message and a label', async () => {
  await copy.edit(EVENTS, ["'incident.resolved',", "'incident.resolved',\n  'monitor.paused',"]);
  expect(await findFaulty()).toEqual(expect.arrayContaining(['lib/schemas/webhooks/events.ts', LABELS]));

  const [[path, code] = ['', '']] = await readGuideBlocks('Add an event');
  await copy.edit(path, ['eventSchemas = {', `eventSchemas = {\n${code}`]);
  await copy.edit(LABELS, [
    "'monitor.up': '",
    "'monitor.paused': 'A monitor was paused.',\n  'monitor.up': '",
  ]);
  const faulty = await findFaulty();
  expect(faulty).toContain(MESSAGES);
  expect(faulty).not.toContain(path);
  expect(faulty).not.toContain(LABELS);
}, 120_000);

it('a webhook format is a renderer, a line in the registry, and a label', async () => {
  await copy.edit(FORMATS, ["'teams',", "'teams',\n  'rocketchat',"]);
  expect(await findFaulty()).toEqual(expect.arrayContaining([RENDERERS, LABELS]));

  for (const [path, code] of await readGuideBlocks('Add a webhook format')) await copy.write(path, code);
  const renderer = "import { renderRocketChat } from './rocket-chat';\nimport ";
  await copy.edit(
    RENDERERS,
    ['import ', renderer],
    ['teams: ', 'rocketchat: asMessage(renderRocketChat),\n  teams: '],
  );
  await copy.edit(LABELS, ['teams: {', "rocketchat: { label: 'Rocket.Chat', hint: '' },\n  teams: {"]);
  const faulty = await findFaulty();
  expect(faulty).not.toContain(RENDERERS);
  expect(faulty).not.toContain(LABELS);
  expect(faulty.filter((path) => path.includes('rocket-chat'))).toEqual([]);
}, 120_000);
