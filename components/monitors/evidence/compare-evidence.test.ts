import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { type CheckEvidence, evidenceSchema } from '@/lib/schemas/monitor/evidence';
import { compareEvidence } from './compare-evidence';
import { ComparedPart } from './compared-part';

const evidence = (fields: object = {}): CheckEvidence =>
  evidenceSchema.parse({
    id: 'evd_1',
    checkedAt: '2026-03-01T12:00:00.000Z',
    region: 'us-east',
    kind: 'failure',
    ...fields,
  });
const body = (text: string | null, fields: object = {}) => ({
  body: { text, size: text?.length ?? 9, type: 'text/html', ...fields },
});
const lines = (failure: object, good: object | null) =>
  compareEvidence(evidence(failure), good && evidence(good)).map(({ title, runs }) => [
    title,
    runs.flatMap((run) => run.lines.map((line) => `${run.kind} ${line}`)),
  ]);

describe('evidence next to the last good response', () => {
  it('shows which lines of the response differ', () => {
    const good = { statusLine: 'HTTP/1.1 200 OK', headers: { server: 'a', etag: 'x', date: 'Monday' } };
    const failure = { statusLine: 'HTTP/1.1 503 No', headers: { etag: 'x', server: 'a', date: 'Tuesday' } };
    expect(lines({ ...failure, ...body('one\ntwo') }, { ...good, ...body('one\nthree') })).toEqual([
      ['Response', ['removed HTTP/1.1 200 OK', 'added HTTP/1.1 503 No', 'same etag: x', 'same server: a']],
      ['Body', ['same one', 'removed three', 'added two']],
    ]);
  });

  it('shows redirects, addresses, certificates and DNS answers as lines', () => {
    const seen = {
      addresses: ['192.0.2.1', '192.0.2.2'],
      address: '192.0.2.1',
      wasReset: true,
      redirects: [{ statusCode: 302, location: 'https://example.com/login' }],
      certificates: [
        {
          subject: 'CN=example.com',
          issuer: 'CN=Test CA',
          validFrom: '2026-01-01T00:00:00.000Z',
          validTo: null,
          names: ['example.com'],
        },
      ],
      certificateError: 'certificate is self-signed',
      dnsQueries: [
        { type: 'MX', server: '9.9.9.9:53', rcode: 'NOERROR', answers: ['10 m.test'] },
        { type: 'TXT', server: '9.9.9.9:53', rcode: 'NXDOMAIN', answers: [] },
      ],
    };
    expect(lines(seen, null)).toEqual([
      [
        'Connection',
        [
          'same Resolved to 192.0.2.1, 192.0.2.2',
          'same Connected to 192.0.2.1',
          'same Reset by the server',
          'same 302 to https://example.com/login',
          'same Certificate CN=example.com',
          'same   for example.com',
          'same   issued by CN=Test CA',
          'same   valid from 2026-01-01T00:00:00.000Z to an unknown time',
          'same Not trusted: certificate is self-signed',
          'same MX from 9.9.9.9:53: NOERROR',
          'same   10 m.test',
          'same TXT from 9.9.9.9:53: NXDOMAIN, no records',
        ],
      ],
    ]);
  });

  it('spreads JSON over lines, unless that would change a number', () => {
    expect(lines(body('{"a":1,"b":[2]}'), body('{"a":1,"b":[3]}'))).toEqual([
      [
        'Body',
        ['same {', 'same   "a": 1,', 'same   "b": [', 'removed     3', 'added     2', 'same   ]', 'same }'],
      ],
    ]);
    const exact = '{"id":12345678901234567890}';
    expect(lines(body(exact), null)).toEqual([['Body', [`same ${exact}`]]]);
  });

  it('names the type and size of what is not text, and says what was not kept', () => {
    const image = body(null, { type: 'image/png', encoding: 'gzip' });
    expect(lines(image, null)).toEqual([['Body', ['same [9 bytes not shown: image/png, gzip]']]]);
    expect(lines(body('x', { truncated: true, size: 20_000 }), null)).toEqual([
      ['Body', ['same x', 'same [Truncated: the body has at least 20000 bytes]']],
    ]);
    expect(lines(body(''), null)).toEqual([]);
  });

  it('has bounded lines, and gives up comparing, for texts that have nothing in common', () => {
    // Without a bound, comparing these would take hours.
    const text = (word: string) => Array.from({ length: 400_000 }, (_, n) => `${word}${n}`).join('\n');
    const [part] = compareEvidence(evidence(body(text('a'))), evidence(body(text('b'))));
    expect(part?.runs.flatMap((run) => run.lines)).toHaveLength(600);
    expect(part).toMatchObject({ changes: 800_000, omitted: 799_400 });
  });
});

describe('a compared part', () => {
  const render = (failure: object, good: object | null) =>
    compareEvidence(evidence(failure), good && evidence(good))
      .map((part) => renderToStaticMarkup(createElement(ComparedPart, { part, isCompared: good !== null })))
      .join('');

  it('shows what the target sent as text only', () => {
    const html = render(body('<script>alert(1)</script><img src=x onerror=alert(1)>'), body('fine'));
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toMatch(/<script|<img/);
  });

  it('has a column for before and one for now, and names the side of each change', () => {
    const html = render(body('one\ntwo\nfour'), body('one\nthree\nfour'));
    expect(html).toMatch(/aria-hidden="true"><p[^>]*>Before<\/p><p[^>]*>Now<\/p>/);
    expect(html).toMatch(/>Before<\/p><del[^>]*>three<\/del>.*>Now<\/p><ins[^>]*>two<\/ins>/);
    // Both columns have the lines that are the same; readers hear them once.
    expect(html.match(/>one<\/span>/g)).toHaveLength(2);
    expect(html).toMatch(/<div[^>]*aria-hidden="true"><span[^>]*>one<\/span>/);
  });

  it('names a change that only one side has, and leaves the other empty', () => {
    const html = render(body('one\ntwo'), body('one'));
    expect(html).toContain('Only now');
    expect(html).not.toContain('<del');
    expect(render(body('one'), body('one\ntwo'))).toContain('Only before');
  });

  it('is one column without anything to compare it with', () => {
    const html = render(body('one\ntwo'), null);
    expect(html).toContain('one\ntwo');
    expect(html).not.toMatch(/Before|Now|aria-hidden="true"><span/);
  });

  it('is closed if nothing differs, and collapses long equal parts otherwise', () => {
    const page = Array.from({ length: 50 }, (_, n) => `line ${n}`);
    expect(render(body(page.join('\n')), body(page.join('\n')))).toMatch(
      /^<details class="[^"]*"><summary.*Same as the last good response/,
    );
    const html = render(body([...page, 'error'].join('\n')), body(page.join('\n')));
    expect(html).toMatch(/^<details class="[^"]*" open="">/);
    expect(html).toContain('1 line differs');
    expect(html).toContain('47 unchanged lines');
    expect(html).toMatch(/line 47\nline 48\nline 49<\/span><\/div><\/div>.*Only now<\/p><ins/);
  });
});
