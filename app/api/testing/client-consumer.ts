import { argv, stdout } from 'node:process';
import { Pharos, PharosError, type ReceivedWebhook, verifyWebhook } from '@pharos/client';

// A program that uses the installed package.
type Input = { url: string; key: string; webhook: ReceivedWebhook };
const { url, key, webhook }: Input = JSON.parse(argv[2] ?? '');

const pharos = new Pharos({ url, key });
const names: string[] = [];
for await (const { name } of pharos.monitors.list({ limit: 2, enabled: false })) names.push(name);

const event = await verifyWebhook(webhook);
// @ts-expect-error: only some events have a monitor.
void event.monitor;
if (event.event !== 'webhook.test') throw new Error(`it is ${event.event}`);

// @ts-expect-error: the interval is one of a few numbers.
const refused = await pharos.monitors.create({ name: '', url, interval: 61 }).catch((error: unknown) => {
  if (!(error instanceof PharosError)) throw error;
  return `${error.code}: ${error.details.map(({ path }) => path).join(', ')}`;
});

stdout.write(JSON.stringify({ names, event: `${event.event} of ${event.webhook.id}`, refused }));
