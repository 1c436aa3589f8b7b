import { describe, expect, it } from 'vitest';
import { type MailContent, mailContentSchema } from './queue-mail';
import { renderMail } from './render-mail';
import { wordsOf } from './testing/words-of';

const CONTENT: MailContent = {
  subject: 'Shop is down',
  preheader: 'connection refused',
  blocks: [
    { paragraph: 'First line.\nSecond line.' },
    { heading: 'Down' },
    { list: [{ text: 'Shop', detail: 'connection refused', url: 'https://pharos.test/monitors/1' }] },
  ],
  button: { label: 'Open the monitor', url: 'https://pharos.test/monitors/1?a=1&b=2' },
  footnote: 'You get this as a member of Acme.',
};

const render = (content: Partial<MailContent> = {}) =>
  renderMail(mailContentSchema.parse({ ...CONTENT, ...content }), { serviceName: 'Pharos' });

describe('a rendered mail', () => {
  it('reads well as plain text', () => {
    expect(render().text).toBe(`Shop is down

First line.
Second line.

Down

- Shop: connection refused
  https://pharos.test/monitors/1

Open the monitor:
https://pharos.test/monitors/1?a=1&b=2

-- 
Pharos
You get this as a member of Acme.
`);
  });

  it('shows labels with values as a table, as text and as HTML', () => {
    const facts = [
      { text: 'Cause', detail: '<timed out>' },
      { text: 'Target', detail: 'https://shop.example.com/' },
    ];
    const { text, html } = render({ blocks: [{ list: facts }] });
    expect(text).toContain('\n\nCause: <timed out>\nTarget: https://shop.example.com/\n\n');
    expect(html).toMatch(/<th scope="row"[^>]*>Cause<\/th>\n<td[^>]*>&lt;timed out&gt;<\/td>/);
    expect(wordsOf.html(html)).toEqual(wordsOf.text(text));
    const linked = [...facts, { text: 'Shop', detail: 'down', url: 'https://pharos.test/1' }];
    expect(render({ blocks: [{ list: linked }] }).html).not.toContain('<th');
  });

  it('has the same words and addresses as text and as HTML', () => {
    const unsubscribe = { unsubscribeUrl: 'https://pharos.test/u/1', unsubscribeLabel: 'Turn off' };
    const list = {
      list: [
        { text: 'A & B', url: 'https://pharos.test/2' },
        { text: 'C', detail: '<slow>' },
      ],
    };
    for (const { text, html } of [render(), render(unsubscribe), render({ blocks: [list] })]) {
      expect(wordsOf.html(html)).toEqual(wordsOf.text(text));
    }
  });

  it('in a thread has its subject, and what changed above the text and next to the subject', () => {
    const thread = { id: 'thr_1', subject: 'Shop is down', continued: [] };
    const content = mailContentSchema.parse({ ...CONTENT, subject: 'Shop is back up' });
    const reply = renderMail(content, { serviceName: 'Pharos', thread: { ...thread, isFirst: false } });
    expect(reply.subject).toBe('Re: Shop is down');
    expect(reply.text).toMatch(/^Shop is back up\n/);
    expect(reply.html).toContain('>Shop is back up. connection refused</div>');
    expect(reply.html).toContain('>Shop is back up</h1>');
    const first = renderMail(mailContentSchema.parse(CONTENT), {
      serviceName: 'Pharos',
      thread: { ...thread, isFirst: true },
    });
    expect(first).toEqual(render());
  });

  it('is self-contained HTML, for light and dark', () => {
    const { html } = render();
    for (const text of ['Shop is down', 'First line.<br>Second line.', '>Down</h2>', 'connection refused']) {
      expect(html).toContain(text);
    }
    expect(html).toContain('href="https://pharos.test/monitors/1?a=1&amp;b=2"');
    expect(html).toContain('lang="en"');
    expect(html).toContain('name="color-scheme" content="light dark"');
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html, 'nothing is fetched').not.toMatch(/<img|<link|<script|src=|url\(|@import/);
  });

  it('is entirely in one language', () => {
    const unsubscribe = { unsubscribeUrl: 'https://pharos.test/leave', unsubscribeLabel: 'Abbestellen' };
    const { html, text } = render({ language: 'de', ...unsubscribe });
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('>Abbestellen</a>');
    expect(text).toContain('Abbestellen: https://pharos.test/leave');
  });

  it('escapes all user input', () => {
    const evil = `<img src=x onerror="a">'&amp;`;
    const { html } = render({
      subject: evil,
      preheader: evil,
      blocks: [{ paragraph: evil }, { heading: evil }, { list: [{ text: evil, detail: evil }] }],
      button: { label: evil, url: 'https://pharos.test/' },
      footnote: evil,
    });
    expect(html).not.toContain('<img');
    expect(html.match(/&lt;img src=x onerror=&quot;a&quot;&gt;&#39;&amp;amp;/g)).toHaveLength(9);
  });

  it('keeps subjects and lines on one line, whatever a name contains', () => {
    const name = 'Shop\r\nBcc: all@example.com\u2028\u0000\u202etxt';
    const { subject, text } = render({ subject: name, blocks: [{ list: [{ text: name, detail: name }] }] });
    expect(subject).toBe('Shop Bcc: all@example.com txt');
    expect(text.split('\n').slice(0, 3)).toEqual([subject, '', `${subject}: ${subject}`]);
  });

  it('truncates long texts, never within a character', () => {
    const { subject } = render({ subject: '🚀'.repeat(300) });
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(subject).toMatch(/^🚀+…$/u);
  });

  it('declares itself automatic, and how to unsubscribe: with one click over https', () => {
    expect(render().headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
    const secure = render({ unsubscribeUrl: 'https://pharos.test/u/1' });
    expect(secure.headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': '<https://pharos.test/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(secure.text).toContain('Unsubscribe: https://pharos.test/u/1');
    expect(secure.html).toContain('href="https://pharos.test/u/1"');
    const plain = render({ unsubscribeUrl: 'http://pharos.test/u/1' });
    expect(plain.headers).not.toHaveProperty('List-Unsubscribe-Post');
  });

  it('links only web addresses', () => {
    const button = { label: 'Open', url: 'javascript:alert(1)' };
    expect(() => render({ button })).toThrow();
  });
});
