import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importedIncidentSchema } from '@/lib/schemas/incidents/incident-import';
import { htmlToMarkdown, htmlToText } from './html-text';
import { readStatuspage } from './read-statuspage';

const FILES = ['statuspage.json', 'incidents.json'].map((name) => join(import.meta.dirname, 'testing', name));
const readJson = (content: unknown) => readStatuspage(new TextEncoder().encode(JSON.stringify(content)));

async function read() {
  const responses = await Promise.all(FILES.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  return readJson(responses.flat()).incidents;
}

async function find(id: string) {
  const found = (await read()).incidents.find(({ ref }) => ref === `statuspage-${id}`);
  if (!found) throw new Error(`${id} was left out`);
  return found;
}

describe('incidents of Statuspage', () => {
  it('become incidents that the import takes, the newest first', async () => {
    const { source, incidents } = await read();
    expect(source).toBe('Statuspage');
    expect(incidents.map(({ ref }) => ref.slice(-2)).join(' ')).toBe(
      '01 02 03 04 10 11 12 13 14 15 16 17 18 19 20',
    );
    for (const incident of incidents)
      expect(importedIncidentSchema.safeParse(incident).error).toBeUndefined();
  });

  it('have their updates, oldest first, with the times at which they are shown', async () => {
    expect(await find('in01')).toEqual({
      ref: 'statuspage-in01',
      title: 'Checkout is slow',
      severity: 'minor',
      startedAt: '2025-05-20T12:00:00.000Z',
      resolvedAt: '2025-05-20T13:00:00.000Z',
      rows: ['Checkout'],
      impacts: {},
      updates: [
        {
          status: 'investigating',
          message: 'We are currently investigating this issue.',
          createdAt: '2025-05-20T12:00:00.000Z',
        },
        {
          status: 'monitoring',
          message: 'A fix has been implemented & we are monitoring the results.',
          createdAt: '2025-05-20T12:40:00.000Z',
        },
        {
          status: 'resolved',
          message: 'This incident has been resolved.',
          createdAt: '2025-05-20T13:00:00.000Z',
        },
      ],
      postmortem: null,
    });
    expect(await find('in13')).toMatchObject({
      startedAt: '2025-05-09T09:00:00.000Z',
      updates: [{ createdAt: '2025-05-09T09:00:00.000Z' }],
    });
  });

  it('have the severity of their impact, and of each row that of its worst state', async () => {
    const { severity, rows, impacts } = await find('in02');
    expect([severity, rows, impacts]).toEqual([
      'critical',
      ['API', 'Dashboard', 'Email'],
      { Email: 'minor' },
    ]);
    expect(await find('in04')).toMatchObject({ severity: 'minor', impacts: {} });
    expect(await find('in10')).toMatchObject({ severity: 'critical', rows: ['API (United States)'] });
    expect(await find('in16')).toMatchObject({ rows: ['Website'], impacts: { Website: 'critical' } });
  });

  it('have texts instead of HTML, and a status where there is no text', async () => {
    const messages = async (id: string) => (await find(id)).updates.map(({ message }) => message);
    expect(await messages('in02')).toEqual([
      'We are looking.\nMore soon.',
      'The database is overloaded:\n\n- logins fail\n- see our help (https://example.com/help)',
      'Resolved.',
    ]);
    expect(await messages('in04')).toEqual(['Investigating', 'All are sent.']);
    expect(await messages('in18')).toEqual(['Use <id> of 1 < 2 <b>.']);
    expect(await messages('in19')).toEqual(['Without updates']);
    expect((await find('in18')).title).toBe('Angle <brackets> & spaces');
  });

  it('have their postmortem once it was published, and not also as an update', async () => {
    const { postmortem, updates } = await find('in03');
    const text = '## Summary\n\nAn index was **deleted**. See [the plan](https://example.com/plan).';
    expect([postmortem, updates.map(({ status }) => status)]).toEqual([text, ['investigating', 'resolved']]);
    expect((await find('in17')).postmortem).toBe('Why it happened.');
    expect((await find('in15')).postmortem).toBeNull();
  });

  it('are cut to what Pharos takes', async () => {
    const [{ message } = { message: '' }] = (await find('in11')).updates;
    expect([message.length, message.at(-1)]).toEqual([5000, '…']);
    const { updates } = await find('in12');
    expect([updates.length, updates[0]?.message, updates.at(-1)?.message]).toEqual([
      100,
      'Update 20.',
      'Update 119.',
    ]);
  });

  it('are left out where they have no place in a history, with a sentence each', async () => {
    const { notes } = await read();
    expect(notes).toEqual([
      '1 incident left out, not resolved there. Create open incidents in the dashboard.',
      '2 incidents left out that affected no component of the page. Pharos shows incidents on rows.',
      '1 incident left out without an ID or times.',
      '3 maintenance windows are not imported.',
      '1 incident without impact imported as minor.',
      '20 updates left out. An imported incident has at most 100, the last ones.',
      '1 text shortened to the length that Pharos permits.',
      '1 unpublished postmortem left out.',
    ]);
  });

  it('of any content become what the import takes', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        'resolved',
        'postmortem',
        'major_outage',
        '2025-01-01T00:00:00Z',
        '0000-01-01',
        '<br>',
        '\0',
      ),
    );
    const anything = fc.oneof(word, fc.jsonValue());
    const named = fc.record({ id: fc.constantFrom('a', 'x') });
    const affected = fc.record({ code: fc.constantFrom('a', 'x'), new_status: word });
    const update = fc.record({
      status: word,
      body: anything,
      display_at: anything,
      affected_components: fc.oneof(fc.array(affected), anything),
    });
    const incident = fc.record({
      id: word,
      name: anything,
      status: fc.constantFrom('resolved', 'postmortem', 'open'),
      impact: word,
      started_at: fc.constantFrom('2025-01-01T00:00:00Z', '2025-13-01', null),
      resolved_at: fc.oneof(fc.constant('2025-01-01T00:00:00+05:00'), anything),
      postmortem_body: anything,
      postmortem_published_at: anything,
      components: fc.oneof(fc.array(named), anything),
      incident_updates: fc.oneof(fc.array(update), anything),
    });
    const component = { id: 'a', name: 'API', group: false, group_id: null };
    fc.assert(
      fc.property(fc.array(incident), (listed) => {
        const { incidents } = readJson([component, ...listed]).incidents;
        for (const each of incidents) expect(importedIncidentSchema.safeParse(each).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('simple HTML', () => {
  it.each([
    ['a<br/>b<BR>c', 'a\nb\nc', 'a\nb\nc'],
    ['<h2>Why</h2><p>One</p><p>Two</p>', 'Why\n\nOne\n\nTwo', '## Why\n\nOne\n\nTwo'],
    ['<a href="javascript:x">a</a>', 'a', 'a'],
    [
      "<a class=x href='https://a.test/?a=1&amp;b=2'>b</a>",
      'b (https://a.test/?a=1&b=2)',
      '[b](https://a.test/?a=1&b=2)',
    ],
    ['<a href="https://a.test">https://a.test</a>', 'https://a.test', 'https://a.test'],
    ['<code>a < b</code> &#8211; &#x2014; &nope;', 'a < b – — &nope;', '`a < b` – — &nope;'],
    ['it&rsquo;s&nbsp;up &mdash; &copy;', 'it’s up — ©', 'it’s up — ©'],
    ['\r\n\r\n\r\na  \r\n\r\n\r\nb', 'a\n\nb', 'a\n\nb'],
  ])('%j becomes text and Markdown', (html, text, markdown) => {
    expect([htmlToText(html), htmlToMarkdown(html)]).toEqual([text, markdown]);
  });

  it('of long texts with broken tags is read before the test times out', () => {
    for (const part of ['<a', '<a href="', '&#', '<p ', '\n ', '<a href=https://a.test>'])
      expect(htmlToText(part.repeat(200_000))).toBeTypeOf('string');
  });
});
