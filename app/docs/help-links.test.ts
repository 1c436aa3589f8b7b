import { expect, it } from 'vitest';
import { HELP_TOPICS } from '@/lib/schemas/help-topics';
import { readGuidePages } from './guide/read-pages';
import { readGuides } from './read-guides';

it.each(Object.entries(HELP_TOPICS))(
  'the help about %s is three sentences, and leads to a section of the docs',
  async (_, { sentences, href }) => {
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^.?!]*\.$/);
    const guide = await readGuidePages();
    const reference = await readGuides('https://pharos.test');
    expect([
      ...guide.flatMap((page) => page.sections.map(({ id }) => `${page.href}#${id}`)),
      ...reference.map(({ page, id }) => `${page}#${id}`),
    ]).toContain(href);
  },
);
