import 'server-only';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuideSection } from '@/components/docs/guide';
import { slugify } from '@/components/docs/reference';
import type { Format } from '@/lib/webhook-formats/format';
import { formatOf, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';

/** What applies to all operations is on the first page; the others are on the page of their topic, before its operations. */
export const API_GUIDES = [
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

/** What is derived from the formats of webhooks, by the text of a link to their folder: in the repository, the link leads there. */
const LISTS = new Map<string, (format: Format) => string | undefined>([
  ['Formats for people', ({ reader, documentation }) => (reader === 'people' ? documentation : undefined)],
  ['Formats for alerts', ({ reader, documentation }) => (reader === 'alerts' ? documentation : undefined)],
  ['Formats for programs', ({ reader, documentation }) => (reader === 'program' ? documentation : undefined)],
  [
    'How people notice an edit',
    (format) => (format.reader === 'people' ? format.edits?.documentation : undefined),
  ],
]);

function withLists(guide: string): string {
  return guide.replaceAll(/^- \[(.+)\]\(\.\.\/\.\.\/lib\/webhook-formats\)$/gm, (link, title: string) => {
    const documentationOf = LISTS.get(title);
    if (documentationOf === undefined) return link;
    const listed = WEBHOOK_FORMATS.map((name) => [name, documentationOf(formatOf(name))] as const);
    return listed.flatMap(([name, text]) => (text === undefined ? [] : `- \`${name}\`: ${text}`)).join('\n');
  });
}

/** The sections of the guides in docs/api, with the address of this service; `publicUrl` has no trailing slash. */
export async function readGuides(publicUrl: string): Promise<GuideSection[]> {
  const texts = await Promise.all(API_GUIDES.map(({ name }) => readDocument('api', `${name}.md`)));
  return API_GUIDES.flatMap(({ page }, index) => {
    const guide = texts[index] ?? '';
    const [, ...sections] = withLists(guide).replaceAll(EXAMPLE_URL, publicUrl).split(/^## /m);
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
