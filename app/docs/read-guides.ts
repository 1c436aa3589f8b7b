import 'server-only';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuideSection } from '@/components/docs/guide';
import { slugify } from '@/components/docs/reference';

/** What applies to all operations is on the first page; the others are on the page of their topic, before its operations. */
const GUIDES = [
  { name: 'requests', page: '/docs' },
  { name: 'heartbeats', page: '/docs/heartbeats' },
  { name: 'regions', page: '/docs/regions' },
  { name: 'status-pages', page: '/docs/status-pages' },
  { name: 'webhooks', page: '/docs' },
];
const RECEIVERS = [
  { language: 'javascript', name: 'Node.js', file: 'receiver.mjs' },
  { language: 'python', name: 'Python', file: 'receiver.py' },
  { language: 'go', name: 'Go', file: 'receiver.go' },
];

/** The address in the guides, which are also read in the repository. */
const EXAMPLE_URL = 'https://pharos.example.com';

/** The sections of the guides in docs/api, with the address of this service; `publicUrl` has no trailing slash. */
export async function readGuides(publicUrl: string): Promise<GuideSection[]> {
  const texts = await Promise.all(GUIDES.map(({ name }) => readDocument('api', `${name}.md`)));
  return GUIDES.flatMap(({ page }, index) => {
    const guide = texts[index] ?? '';
    const [, ...sections] = guide.replaceAll(EXAMPLE_URL, publicUrl).split(/^## /m);
    return sections.map((section) => {
      const [title = ''] = section.split('\n', 1);
      return { id: slugify(title), title, text: section.slice(title.length).trim(), page };
    });
  });
}

/** The receivers in docs/webhooks, verbatim: tests run these files. */
export function readReceivers() {
  return Promise.all(
    RECEIVERS.map(async ({ language, name, file }) => ({
      language,
      name,
      text: (await readDocument('webhooks', file)).trimEnd(),
    })),
  );
}

/** The service always runs in the project directory. */
function readDocument(folder: string, file: string): Promise<string> {
  return readFile(join(process.cwd(), 'docs', folder, file), 'utf8');
}
