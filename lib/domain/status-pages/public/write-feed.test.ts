import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import Parser from 'rss-parser';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXT, SHOWN_TEXT } from '@/lib/domain/status-pages/testing/hostile-text';
import { childOf, childrenOf, parseXml, type XmlNode } from '@/lib/domain/status-pages/testing/xml';
import type { PublicIncident } from '@/lib/schemas/status-pages/public-status-page';
import type { FeedMaintenance } from './read-public-maintenance';
import { type FeedFormat, type FeedSource, writeFeed } from './write-feed';

const ADDRESS = 'https://status.acme.test';

const incident = (fields: Partial<PublicIncident> = {}): PublicIncident => ({
  id: 'inc_1',
  title: 'Shop is down',
  description: 'Orders fail.',
  status: 'resolved',
  severity: 'major',
  affectedMonitors: ['mon_1'],
  affectedComponents: [],
  impacts: {},
  translations: {},
  automatic: false,
  startedAt: '2026-03-09T09:58:00.000Z',
  createdAt: '2026-03-09T10:00:00.000Z',
  updatedAt: '2026-03-09T11:30:00.000Z',
  resolvedAt: '2026-03-09T11:30:00.000Z',
  updates: [
    {
      id: 'inu_2',
      translations: {},
      status: 'resolved',
      message: 'Works\nagain.',
      createdAt: '2026-03-09T11:30:00.000Z',
    },
    {
      id: 'inu_1',
      translations: {},
      status: 'investigating',
      message: 'We look.',
      createdAt: '2026-03-09T10:00:00.000Z',
    },
  ],
  ...fields,
});

const source = (fields: Partial<FeedSource> = {}): FeedSource => ({
  page: { id: 'sp_1', name: 'Acme', description: 'All of Acme', updatedAt: '2026-03-01T00:00:00.000Z' },
  incidents: [incident(), incident({ id: 'inc_0', updatedAt: '2026-03-08T00:00:00.000Z', updates: [] })],
  postmortems: [],
  maintenance: [],
  names: new Map([['mon_1', 'Shop']]),
  address: ADDRESS,
  serviceName: 'Pharos',
  ...fields,
});

const hostile = source({
  page: { id: 'sp_1', name: HOSTILE_TEXT, description: HOSTILE_TEXT, updatedAt: '2026-03-01T00:00:00.000Z' },
  incidents: [
    incident({
      title: HOSTILE_TEXT,
      description: `${HOSTILE_TEXT}!`,
      updates: [
        {
          id: 'inu_1',
          translations: {},
          status: 'monitoring',
          message: HOSTILE_TEXT,
          createdAt: '2026-03-09T11:00:00.000Z',
        },
      ],
    }),
  ],
  names: new Map([['mon_1', HOSTILE_TEXT]]),
  serviceName: 'Pharos',
});

/** The text that HTML shows; throws if it contains an element that is not ours. */
function textOf(html: string): string {
  const bare = html.replace(/<\/?(p|strong|br)>/g, '');
  expect(bare).not.toMatch(/[<>]/);
  const entities: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return bare.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '');
}

describe('the Atom feed', () => {
  const read = (from: FeedSource) => parseXml(writeFeed(from, 'atom'));
  const linkOf = (node: XmlNode, rel?: string) =>
    childrenOf(node, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href;

  it('has the required Atom elements of the feed and of each entry', () => {
    const feed = read(source());
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(childOf(feed, 'id').text).toBe('tag:pharos,2026:sp_1');
    expect(childOf(feed, 'title').text).toBe('Acme');
    expect(childOf(feed, 'subtitle').text).toBe('All of Acme');
    expect(childOf(feed, 'updated').text).toBe('2026-03-09T11:30:00.000Z');
    expect(childOf(childOf(feed, 'author'), 'name').text).toBe('Acme');
    expect([linkOf(feed, 'alternate'), linkOf(feed, 'self')]).toEqual([
      `${ADDRESS}/`,
      `${ADDRESS}/feed.atom`,
    ]);

    const entries = childrenOf(feed, 'entry');
    expect(entries.map((entry) => childOf(entry, 'id').text)).toEqual([
      'tag:pharos,2026:inc_1',
      'tag:pharos,2026:inc_0',
    ]);
    const [first = feed] = entries;
    expect(linkOf(first)).toBe(`${ADDRESS}/incidents/inc_1`);
    expect(childOf(first, 'title')).toMatchObject({ text: 'Shop is down', attributes: {} });
    expect(childOf(first, 'published').text).toBe('2026-03-09T10:00:00.000Z');
    expect(childOf(first, 'updated').text).toBe('2026-03-09T11:30:00.000Z');
    expect(childOf(first, 'content')).toMatchObject({
      attributes: { type: 'html' },
      text: [
        '<p>Major incident, resolved.</p>',
        '<p>From 2026-03-09 09:58 UTC, for 1h 32m.</p>',
        '<p>Affected: Shop.</p>',
        '<p>Orders fail.</p>',
        '<p><strong>Resolved</strong>, 2026-03-09 11:30 UTC<br>Works<br>again.</p>',
        '<p><strong>Investigating</strong>, 2026-03-09 10:00 UTC<br>We look.</p>',
      ].join('\n'),
    });
  });

  it('repeats nothing', () => {
    const [update] = incident().updates;
    const same = incident({ description: update?.message, updates: update ? [update] : [] });
    const entry = childOf(read(source({ incidents: [same] })), 'entry');
    expect(childOf(entry, 'content').text.split('Works<br>again.')).toHaveLength(2);
  });

  it('includes maintenance among the incidents, with an entry for each occurrence', () => {
    const maintenance = (startsAt: string, fields: Partial<FeedMaintenance>): FeedMaintenance => ({
      id: 'mnt_1',
      translations: {},
      title: HOSTILE_TEXT,
      message: 'New\ndisks.',
      status: 'finished',
      monitors: ['mon_1', 'mon_gone'],
      startsAt,
      endsAt: '2026-03-20T11:00:00.000Z',
      createdAt: '2026-03-01T00:00:00.000Z',
      updatedAt: '2026-03-10T00:00:00.000Z',
      ...fields,
    });
    const feed = read(
      source({
        incidents: [incident()],
        maintenance: [
          maintenance('2026-03-20T10:00:00.000Z', { status: 'scheduled' }),
          maintenance('2026-03-02T10:00:00.000Z', { updatedAt: '2026-03-02T11:00:00.000Z' }),
        ],
      }),
    );
    const entries = childrenOf(feed, 'entry');
    expect(entries.map((entry) => childOf(entry, 'id').text)).toEqual([
      'tag:pharos,2026:mnt_1/2026-03-20T10:00:00.000Z',
      'tag:pharos,2026:inc_1',
      'tag:pharos,2026:mnt_1/2026-03-02T10:00:00.000Z',
    ]);
    const text = textOf(childOf(entries[0] ?? feed, 'content').text);
    expect(text).toContain('Scheduled, from 2026-03-20 10:00 UTC to 2026-03-20 11:00 UTC.');
    expect(text).toContain('Affected: Shop.');
  });

  it('includes a published postmortem as an entry of its own, as it was written', () => {
    const text = `A disk\n${HOSTILE_TEXT}`;
    const postmortem = {
      incidentId: 'inc_1',
      title: 'Shop is down',
      text,
      updatedAt: '2026-03-10T09:00:00.000Z',
    };
    const feed = read(source({ postmortems: [postmortem] }));
    expect(childOf(feed, 'updated').text).toBe(postmortem.updatedAt);
    const [first = feed] = childrenOf(feed, 'entry');
    expect(childOf(first, 'id').text).toBe('tag:pharos,2026:inc_1/postmortem');
    expect(childOf(first, 'title').text).toBe('Postmortem: Shop is down');
    expect(linkOf(first)).toBe(`${ADDRESS}/incidents/inc_1#postmortem`);
    expect(textOf(childOf(first, 'content').text)).toContain(SHOWN_TEXT);
  });

  it('is valid without incidents', () => {
    const feed = read(source({ incidents: [] }));
    expect(childOf(feed, 'updated').text).toBe('2026-03-01T00:00:00.000Z');
    expect(childrenOf(feed, 'entry')).toEqual([]);
  });

  it('keeps IDs under another URL and through updates', () => {
    const ids = (from: FeedSource) =>
      childrenOf(read(from), 'entry').map((entry) => childOf(entry, 'id').text);
    const elsewhere = source({ address: 'https://pharos.example.com/status/acme', incidents: [incident()] });
    const updated = source({
      incidents: [incident({ title: 'Other', updatedAt: '2026-03-10T00:00:00.000Z' })],
    });
    expect(ids(elsewhere)).toEqual(ids(updated));
  });

  it('shows foreign text unchanged', () => {
    const feed = read(hostile);
    expect(childOf(feed, 'title').text).toBe(SHOWN_TEXT);
    expect(childOf(feed, 'subtitle').text).toBe(SHOWN_TEXT);
    expect(childOf(childOf(feed, 'author'), 'name').text).toBe(SHOWN_TEXT);
    const entry = childOf(feed, 'entry');
    expect(childOf(entry, 'title').text).toBe(SHOWN_TEXT);
    expect(textOf(childOf(entry, 'content').text).split(SHOWN_TEXT)).toHaveLength(4);
  });
});

describe('the RSS feed', () => {
  const read = (from: FeedSource) => {
    const rss = parseXml(writeFeed(from, 'rss'));
    expect([rss.name, rss.attributes.version]).toEqual(['rss', '2.0']);
    return childOf(rss, 'channel');
  };

  it('has the required RSS elements of the channel and of each item', () => {
    const channel = read(source());
    expect(childOf(channel, 'title').text).toBe('Acme');
    expect(childOf(channel, 'link').text).toBe(`${ADDRESS}/`);
    expect(childOf(channel, 'description').text).toBe('All of Acme');
    expect(childOf(channel, 'lastBuildDate').text).toBe('Mon, 09 Mar 2026 11:30:00 GMT');
    expect(childOf(channel, 'atom:link').attributes).toMatchObject({
      rel: 'self',
      href: `${ADDRESS}/feed.rss`,
    });
    const [item = channel, ...others] = childrenOf(channel, 'item');
    expect(others).toHaveLength(1);
    expect(childOf(item, 'title').text).toBe('Shop is down');
    expect(childOf(item, 'link').text).toBe(`${ADDRESS}/incidents/inc_1`);
    expect(childOf(item, 'guid')).toMatchObject({
      text: 'tag:pharos,2026:inc_1',
      attributes: { isPermaLink: 'false' },
    });
    expect(childOf(item, 'pubDate').text).toBe('Mon, 09 Mar 2026 10:00:00 GMT');
    expect(childOf(item, 'description').text).toMatch(/^<p>Major incident, resolved\.<\/p>/);
  });

  it('shows foreign text unchanged', () => {
    const channel = read(hostile);
    expect(childOf(channel, 'title').text).toBe(SHOWN_TEXT);
    expect(childOf(channel, 'description').text).toBe(SHOWN_TEXT);
    const item = childOf(channel, 'item');
    expect(childOf(item, 'title').text).toBe(SHOWN_TEXT);
    expect(textOf(childOf(item, 'description').text).split(SHOWN_TEXT)).toHaveLength(4);
  });
});

/** An entry as a reader hands it to what shows it: title and link are text, and content is HTML. */
type ReadEntry = { title?: string; link?: string; content?: string };

/** Parsers that share no code: one builds on sax, the other on fast-xml-parser. */
const READERS: Record<string, (xml: string, format: FeedFormat) => Promise<ReadEntry[]>> = {
  'rss-parser': async (xml) => (await new Parser().parseString(xml)).items,
  feedsmith: async (xml, format) => {
    if (format === 'rss') {
      const { items = [] } = parseRssFeed(xml);
      return items.map(({ title, link, description }) => ({ title, link, content: description }));
    }
    const { entries = [] } = parseAtomFeed(xml);
    return entries.map(({ title, links, content }) => ({
      title: title?.value,
      link: links?.[0]?.href,
      content: content?.value,
    }));
  },
};

const TEXTS = {
  ampersands: 'R&D & &amp; &lt; &#38;',
  tags: 'Use <b>bold</b> <script>alert(1)</script>',
  quotes: `"Shop" isn't up`,
  'ends of CDATA': 'a[b[0]]> 1 ]]> 2 ]]]]> 3 <![CDATA[4]]>',
  emoji: '🔥 Shop 👩‍💻 is down',
  umlauts: 'Störung für',
};

describe.each(Object.keys(READERS))('%s', (name) => {
  describe.each(['atom', 'rss'] as const)('reads of %s', (format) => {
    const read = (from: FeedSource) => READERS[name]?.(writeFeed(from, format), format) ?? [];

    it.each(Object.entries(TEXTS))('%s as they were written', async (_, text) => {
      const [update] = incident().updates;
      const description = `${text}\nSecond line: ${text}`;
      const updates = update ? [{ ...update, message: text }] : [];
      const [entry, ...others] = await read(
        source({ incidents: [incident({ title: text, description, updates })] }),
      );
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ title: text, link: `${ADDRESS}/incidents/inc_1` });
      expect(entry?.content).toContain(`<br>Second line: `);
      const shown = textOf(entry?.content ?? '');
      expect(shown).toContain(`${text}Second line: ${text}\n`);
      expect(shown.split(text)).toHaveLength(4);
    });

    it('the titles of postmortems and maintenance as they were written', async () => {
      const maintenance: FeedMaintenance = {
        id: 'mnt_1',
        translations: {},
        title: TEXTS.tags,
        message: '',
        status: 'scheduled',
        monitors: [],
        startsAt: '2026-03-20T10:00:00.000Z',
        endsAt: '2026-03-20T11:00:00.000Z',
        createdAt: '2026-03-01T00:00:00.000Z',
        updatedAt: '2026-03-02T00:00:00.000Z',
      };
      const postmortem = {
        incidentId: 'inc_1',
        title: TEXTS.ampersands,
        text: 'A disk',
        updatedAt: '2026-03-01T00:00:00.000Z',
      };
      const entries = await read(
        source({ incidents: [], postmortems: [postmortem], maintenance: [maintenance] }),
      );
      expect(entries.map(({ title }) => title)).toEqual([
        `Maintenance: ${TEXTS.tags}`,
        `Postmortem: ${TEXTS.ampersands}`,
      ]);
    });
  });
});
