import { type CodeCopy, readGuideBlocks } from '@/lib/testing/code-copy';

// "Add an event" and "Add a webhook format" of CONTRIBUTING.md, in a copy of the code.

export const BODIES = 'lib/schemas/webhooks/events.ts';
export const LABELS = 'components/notifications/delivery-texts.ts';
export const FORMATS = 'lib/webhook-formats/formats.ts';
const EVENTS = 'lib/schemas/webhooks/event-kinds.ts';
/** Where `prisma generate` writes the enum of the database. */
const STORED = 'lib/platform/db/generated/enums.ts';

export async function addFormat(copy: CodeCopy): Promise<void> {
  for (const [path, code] of await readGuideBlocks('Add a webhook format')) await copy.write(path, code);
  await copy.edit(
    FORMATS,
    ['import ', "import { rocketchat } from './rocketchat/rocket-chat';\nimport "],
    ['  teams,', '  rocketchat,\n  teams,'],
  );
}

export function addValueOfFormat(copy: CodeCopy): Promise<void> {
  return copy.edit(STORED, ["teams: 'teams',", "teams: 'teams',\n  rocketchat: 'rocketchat',"]);
}

export function nameEvent(copy: CodeCopy): Promise<void> {
  return copy.edit(EVENTS, ["'incident.resolved',", "'incident.resolved',\n  'monitor.paused',"]);
}

export async function describeEvent(copy: CodeCopy): Promise<void> {
  const [[path, code] = ['', '']] = await readGuideBlocks('Add an event');
  if (path !== BODIES) throw new Error('the guide has other steps');
  await copy.edit(path, ['eventSchemas = {', `eventSchemas = {\n${code}`]);
  await copy.edit(LABELS, [
    "'monitor.up': '",
    "'monitor.paused': 'A monitor was paused.',\n  'monitor.up': '",
  ]);
}
