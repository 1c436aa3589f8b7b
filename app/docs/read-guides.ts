import 'server-only';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuideSection } from '@/components/docs/guide';
import { slugify } from '@/components/docs/reference';

const GUIDES = ['requests', 'status-pages', 'webhooks'];
const RECEIVERS = [
  { language: 'javascript', name: 'Node.js', file: 'receiver.mjs' },
  { language: 'python', name: 'Python', file: 'receiver.py' },
  { language: 'go', name: 'Go', file: 'receiver.go' },
];

/** The service's address in the guides, which are files that anybody may read in the repository. */
const EXAMPLE_URL = 'https://pharos.example.com';

/** The sections of the guides in docs/api, with the addresses of this service; `publicUrl` has no slash at the end. */
export async function readGuides(publicUrl: string): Promise<GuideSection[]> {
  const guides = await Promise.all(GUIDES.map((name) => readDocument('api', `${name}.md`)));
  return guides.flatMap((guide) => {
    const [, ...sections] = guide.replaceAll(EXAMPLE_URL, publicUrl).split(/^## /m);
    return sections.map((section) => {
      const [title = ''] = section.split('\n', 1);
      return { id: slugify(title), title, text: section.slice(title.length).trim() };
    });
  });
}

/** The receivers in docs/webhooks, to the letter: the tests run these very files. */
export function readReceivers() {
  return Promise.all(
    RECEIVERS.map(async ({ language, name, file }) => ({
      language,
      name,
      text: (await readDocument('webhooks', file)).trimEnd(),
    })),
  );
}

/** Every way to start the service does so in the root of the project. */
function readDocument(folder: string, file: string): Promise<string> {
  return readFile(join(process.cwd(), 'docs', folder, file), 'utf8');
}
