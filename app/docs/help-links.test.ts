import { expect, it } from 'vitest';
import { HELP_TOPICS } from '@/lib/schemas/help-topics';
import { readGuides } from './read-guides';

it.each(Object.entries(HELP_TOPICS))(
  'the help about %s is three sentences, and leads to a page of the docs',
  async (_, help) => {
    for (const sentence of help.sentences) expect(sentence).toMatch(/^[A-Z][^.?!]*\.$/);
    const sections = await readGuides('https://pharos.test');
    const [page, id] = help.href.split('#');
    expect(sections.map((section) => section.page)).toContain(page);
    if (id !== undefined)
      expect(sections.filter((section) => section.page === page).map((section) => section.id)).toContain(id);
  },
);
