import 'server-only';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sample } from '@/components/docs/sample-tabs';

const FILES = [
  { language: 'javascript', name: 'Node.js', file: 'receiver.mjs' },
  { language: 'python', name: 'Python', file: 'receiver.py' },
  { language: 'go', name: 'Go', file: 'receiver.go' },
] as const;

let reading: Promise<Sample[]> | undefined;

/**
 * The receivers in docs/webhooks, to the letter: the tests run these very files. Every way to start the service does so in
 * the root of the project.
 */
export function readWebhookSamples(): Promise<Sample[]> {
  reading ??= Promise.all(
    FILES.map(async ({ language, name, file }) => ({
      language,
      name,
      text: (await readFile(join(process.cwd(), 'docs', 'webhooks', file), 'utf8')).trimEnd(),
    })),
  ).catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}
