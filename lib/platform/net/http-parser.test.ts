import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ONLY_HTTP2 } from './failures';
import { HttpParser, HttpSyntaxError } from './http-parser';

const CHUNKED =
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '5;a=b\r\nhello\r\n06\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n';

/** Parses pieces of a response, until it is complete. */
function parse(pieces: Buffer[], { method = 'GET', maxBodyBytes = 1000 } = {}): HttpParser {
  const parser = new HttpParser(method, maxBodyBytes);
  for (const piece of pieces) if (!parser.isComplete) parser.push(piece);
  return parser;
}

const parseText = (text: string, method = 'GET') => parse([Buffer.from(text, 'latin1')], { method });

describe('a response', () => {
  it('is parsed identically wherever the network splits it', () => {
    const bytes = Buffer.from(CHUNKED, 'latin1');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const { head, body, isComplete } = parse(pieces);
        expect(head).toEqual({
          statusCode: 200,
          headers: { 'x-a': 'b c', 'transfer-encoding': 'chunked' },
        });
        expect([body.toString(), isComplete]).toEqual(['hello world', true]);
      }),
    );
  });

  it('of arbitrary bytes is parsed, or rejected with a message', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          'HTTP/1.1 200 OK\r\n',
          'HTTP/1.1 100 Continue\r\n\r\n',
          'Content-Length: ',
          'a: b\r\n',
        ),
        fc.constantFrom('Transfer-Encoding: chunked\r\n', '\r\n', '\n', '0\r\n\r\n', '7', '\0', ' '),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(pieces, (texts) => {
        try {
          const parser = parse(texts.map((text) => Buffer.from(text, 'latin1')));
          parser.end();
          expect(parser.body.length).toBeLessThanOrEqual(1000);
        } catch (error) {
          expect(error).toBeInstanceOf(HttpSyntaxError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('joins repeated headers, but uses only the first Location', () => {
    const { head } = parseText('HTTP/1.1 302 Found\r\nA: 1\r\na: 2\r\nLocation: /1\r\nLocation: /2\r\n\r\n');
    expect(head?.headers).toEqual({ a: '1, 2', location: '/1' });
  });

  it('uses little memory for small bodies in large packets', () => {
    const parser = new HttpParser('GET', 100);
    parser.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
    const chunk = Buffer.from(`1;${'x'.repeat(16_000)}\r\na\r\n`);
    for (let count = 0; count < 100; count += 1) parser.push(chunk);
    expect([parser.body.buffer.byteLength, parser.isComplete]).toEqual([100, false]);
    parser.push(chunk);
    expect(parser).toMatchObject({ isComplete: true, isTruncated: true });
  });

  it.each([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n', 'sent headers larger than 64 KiB'],
    ['interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'sent headers larger than 64 KiB'],
    ['empty lines', '', '\r\n', 'sent headers larger than 64 KiB'],
    ['trailers', CHUNKED.slice(0, -2), 'x: y\r\n', 'sent headers larger than 64 KiB'],
  ])('of endless %s is refused', (_what, begin, more, message) => {
    const endless = Buffer.from(begin + more.repeat(Math.ceil(70_000 / more.length)));
    expect(() => parse([endless])).toThrow(message);
  });
});

describe('a connection', () => {
  const OK = 'HTTP/1.1 200 OK\r\n';
  it.each([
    ['after a response with a length', `${OK}Content-Length: 2\r\n\r\nok`, true],
    ['after chunks', CHUNKED, true],
    ['where the server closes it', `${OK}Connection: Close\r\nContent-Length: 2\r\n\r\nok`, false],
    ['in HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', false],
    [
      'in HTTP/1.0 that keeps it',
      'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n',
      true,
    ],
    [
      'where the server states both a length and chunks',
      `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      false,
    ],
    ['that carried more than the response', `${OK}Content-Length: 2\r\n\r\nok!`, false],
    ['that speaks another protocol now', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', false],
  ])('%s can be used again: %3$s', (_what, text, expected) => {
    expect(parseText(text)).toMatchObject({ isComplete: true, canReuse: expected });
  });

  it.each([
    ['timeout=5', 5000],
    ['max=100, Timeout = 75', 75_000],
    ['timeout="3"', 3000],
    ['timeout=0', 0],
    ['max=100', null],
    ['read-timeout=5', null],
    ['timeout=soon', null],
    [`timeout=${'9'.repeat(400)}`, 999_999_999_000],
  ])('is kept by the server as long as it says: Keep-Alive: %s', (value, expected) => {
    const text = `${OK}Keep-Alive: ${value}\r\nContent-Length: 0\r\n\r\n`;
    expect(parseText(text).keepAliveMs).toBe(expected);
  });
});

it('anything that arrived was received, also if no response has begun', () => {
  const parser = new HttpParser('POST', 10);
  expect(parser.hasReceived).toBe(false);
  parser.push(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'));
  expect(parser).toMatchObject({ hasBegun: false, hasReceived: true });
});

describe('the head', () => {
  it.each([
    ['HTTP/1.1 200 OK\r\n\r\n', 200],
    ['HTTP/1.1 204\r\n\r\n', 204],
    ['http/2 \t 404 Not Found\n\n', 404],
    ['\r\nHTTP/1.0 999 Blocked\r\n\r\n', 999],
    ['HTTP/10.25 503\r\n\r\n', 503],
  ])('%j has status %i', (text, status) => {
    expect(parseText(text).head?.statusCode).toBe(status);
  });

  it.each([
    ['HTTP/1.1 099 Low\r\n', 'sent a status line without a valid status'],
    ['HTTP/1.1 2000\r\n', 'sent a status line without a valid status'],
    ['HTTP/1.1 20\r\n', 'sent a status line without a valid status'],
    ['HTTP/ 200\r\n', 'sent a status line without a valid status'],
    ['HTTP/1. 200\r\n', 'sent a status line without a valid status'],
    ['HTTP/1.1200\r\n', 'sent a status line without a valid status'],
    ['see HTTP/1.1 200\r\n', 'sent bytes that are not HTTP'],
    ['220 smtp ready', 'sent bytes that are not HTTP'],
    ['\x15\x03\x03\0\x02', 'requires TLS; use https'],
    ['<\x15\x03', 'sent bytes that are not HTTP'],
    ['\0\0\x06\x04\0', ONLY_HTTP2],
    ['\0\0\x06\x03\0', 'sent bytes that are not HTTP'],
    ['\0\x01\x06\x04\0', 'sent bytes that are not HTTP'],
    ['HTTP/1.1 200\r\nno colon\r\n', 'sent a header without a colon'],
    ['HTTP/1.1 200\r\na: b\0\r\n', 'sent a NUL byte in its headers'],
  ])('of %j is refused', (text, message) => {
    expect(() => parseText(text)).toThrow(new HttpSyntaxError(message));
  });

  it('is not judged before its first line shows that it is not HTTP', () => {
    expect(parseText('htt').head).toBeNull();
    expect(parseText('\r').head).toBeNull();
    expect(parseText('HTTP/1.1 2').head).toBeNull();
    expect(() => parseText('htx')).toThrow('sent bytes that are not HTTP');
  });

  it('has names in lower case, values without spaces around them, and no folds', () => {
    const { head } = parseText('HTTP/1.1 200\r\n lost\r\nX-A :  b: c \r\n\td\r\nEmpty:\r\n\r\n');
    expect(head?.headers).toEqual({ 'x-a': 'b: c d', empty: '' });
    const folded = parseText('HTTP/1.1 302\r\nLocation: /1\r\nLocation: /2\r\n /3\r\n\r\n');
    expect(folded.head?.headers, 'the fold of an ignored header').toEqual({ location: '/1' });
  });

  it('has each cookie by itself, because cookies contain commas', () => {
    const cookies = ['a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT', 'b=2'];
    const lines = cookies.map((cookie) => `Set-Cookie: ${cookie}`).join('\r\n');
    expect(parseText(`HTTP/1.1 200\r\nA: 1\r\n${lines}\r\n\r\n`).setCookies).toEqual(cookies);
    expect(parseText('HTTP/1.1 200\r\nA: 1\r\n\r\n').setCookies).toEqual([]);
    const interim = `HTTP/1.1 103\r\n${lines}\r\n\r\nHTTP/1.1 200\r\n\r\n`;
    expect(parseText(interim).setCookies).toEqual([]);
  });

  it.each([
    ['HTTP/1.1 199 Early', false],
    ['HTTP/1.1 200 OK', true],
    ['HTTP/1.1 299', true],
    ['HTTP/1.1 300', false],
  ])('of %j is a success: %s', (status, isSuccess) => {
    expect(parseText(`${status}\r\n`).isSuccess, 'before its end').toBe(false);
    expect(parseText(`${status}\r\n\r\n`).isSuccess).toBe(isSuccess);
  });

  it.each([
    ['Content-Encoding: gzip', 'gzip'],
    ['Content-Type: text/html', undefined],
  ])('with %j: the body is compressed with %s', (header, encoding) => {
    expect(parseText(`HTTP/1.1 200\r\n${header}\r\n\r\n`).contentEncoding).toBe(encoding);
  });

  it.each([
    ['text/event-stream', true],
    ['Text/Event-Stream; charset=utf-8', true],
    ['text/event-stream ;charset=utf-8', true],
    ['text/event-streams', false],
    ['text/event-stream x', false],
    ['application/text/event-stream', false],
  ])('of the type %s announces server-sent events: %s', (type, isEventStream) => {
    expect(parseText(`HTTP/1.1 200\r\nContent-Type: ${type}\r\n\r\n`).isEventStream).toBe(isEventStream);
  });

  it('without a type announces no server-sent events', () => {
    expect(parseText('HTTP/1.1 200\r\n\r\n').isEventStream).toBe(false);
  });

  it.each([
    ['Content-Length: 1000', { hasNoLength: false, mayExceed: false }],
    ['Content-Length: 1001', { hasNoLength: false, mayExceed: true }],
    ['Transfer-Encoding: chunked', { hasNoLength: true, mayExceed: true }],
    ['A: 1', { hasNoLength: true, mayExceed: true }],
  ])('with %j, while 1,000 bytes of the body are read: %j', (header, expected) => {
    expect(parseText(`HTTP/1.1 200\r\n${header}\r\n\r\n`)).toMatchObject(expected);
    const isOpen = parseText(`HTTP/1.1 200\r\n${header}\r\n`);
    expect(isOpen, 'before its end').toMatchObject({ hasNoLength: false, mayExceed: false });
  });

  it('uses only the first Content-Type', () => {
    const { head } = parseText('HTTP/1.1 200\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n\r\n');
    expect(head?.headers).toEqual({ 'content-type': 'a/b' });
  });

  it('is without the headers of an interim response', () => {
    expect(parseText('HTTP/1.1 199\r\na: 1\r\n\r\nHTTP/1.1 200\r\n b\r\nc: 2\r\n\r\n').head).toEqual({
      statusCode: 200,
      headers: { c: '2' },
    });
  });

  it('of at most 64 KiB is accepted', () => {
    const status = 'HTTP/1.1 200\r\n';
    const header = (size: number) => `${status}a: ${'x'.repeat(size - status.length - 7)}\r\n\r\n`;
    expect(parseText(header(65_536)).head?.statusCode).toBe(200);
    expect(() => parseText(header(65_537))).toThrow('sent headers larger than 64 KiB');
  });
});

describe('the body', () => {
  const bodyOf = (text: string, method?: string) => {
    const parser = parseText(text, method);
    const { isComplete } = parser;
    parser.end();
    return [parser.body.toString(), isComplete, parser.isComplete];
  };
  const head = (...headers: string[]) => ['HTTP/1.1 200', ...headers, '', ''].join('\r\n');

  it.each([
    ['with its length', `${head('Content-Length: 2')}ok`, 'ok'],
    ['with a repeated length', `${head('Content-Length: 2', 'Content-Length:  2')}ok`, 'ok'],
    ['of length 0', head('Content-Length: 0'), ''],
    ['of 204', 'HTTP/1.1 204\r\nContent-Length: 2\r\n\r\n', ''],
    ['of 304', 'HTTP/1.1 304\r\nContent-Length: 2\r\n\r\n', ''],
    [
      'with its last chunk',
      `${head('Transfer-Encoding: gzip, Chunked')}A\r\n0123456789\r\n000\r\n\r\n`,
      '0123456789',
    ],
    [
      'in chunks, whatever its length',
      `${head('Transfer-Encoding: chunked', 'Content-Length: 9')}1\nx\n0\n\n`,
      'x',
    ],
    [
      'in chunks with spaces',
      `${head('Transfer-Encoding: ,chunked,')} \t1 ;a\r\nx\r\n0\r\nA: b\r\n\r\n`,
      'x',
    ],
    [
      'with its length if the coding changes nothing',
      `${head('Transfer-Encoding: identity', 'Content-Length: 2')}ok`,
      'ok',
    ],
  ])('%s is complete', (_what, text, body) => {
    expect(bodyOf(text)).toEqual([body, true, true]);
  });

  it('of a response to HEAD is never sent', () => {
    expect(bodyOf(head('Content-Length: 2'), 'HEAD')).toEqual(['', true, true]);
  });

  it.each([
    ['without a length', `${head()}ok`],
    ['with a coding other than chunks', `${head('Transfer-Encoding: chunked, gzip', 'Content-Length: 1')}ok`],
    ['with a length that no number holds', `${head('Content-Length: 99999999999999999999')}ok`],
  ])('%s ends with the connection', (_what, text) => {
    expect(bodyOf(text)).toEqual(['ok', false, true]);
  });

  it.each([
    ['before its length', `${head('Content-Length: 3')}ok`],
    ['within a chunk', `${head('Transfer-Encoding: chunked')}3\r\nok`],
    ['before the last chunk', `${head('Transfer-Encoding: chunked')}2\r\nok\r\n`],
    ['within the trailers', `${head('Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n`],
  ])('that ends %s is incomplete', (_what, text) => {
    expect(bodyOf(text)).toEqual(['ok', false, false]);
  });

  it.each([
    [head('Content-Length: 2, 3'), 'sent conflicting Content-Length values'],
    [head('Content-Length: 2x'), 'sent a Content-Length that is not a number'],
    [head('Content-Length: x2'), 'sent a Content-Length that is not a number'],
    [head('Content-Length: 2,'), 'sent a Content-Length that is not a number'],
    [`${head('Transfer-Encoding: chunked')}g\r\n`, 'sent a chunk without a size'],
    [`${head('Transfer-Encoding: chunked')}x1\r\n`, 'sent a chunk without a size'],
    [`${head('Transfer-Encoding: chunked')}\r\n`, 'sent a chunk without a size'],
    [`${head('Transfer-Encoding: chunked')}00000000000000001\r\n`, 'sent a chunk without a size'],
    [`${head('Transfer-Encoding: chunked')}1;${'x'.repeat(16_384)}`, 'sent a chunk without a size'],
    [`${head('Transfer-Encoding: chunked')}1\r\nokay`, 'sent a chunk longer than its size'],
    [`${head('Transfer-Encoding: chunked')}1\r\nok\r\n`, 'sent a chunk longer than its size'],
  ])('framed by %j is refused', (text, message) => {
    expect(() => parseText(text)).toThrow(new HttpSyntaxError(message));
  });

  it('is cut off at the limit, and then ends the connection', () => {
    const pieces = [Buffer.from(`${head('Content-Length: 6')}abc`), Buffer.from('def')];
    const whole = parse(pieces, { maxBodyBytes: 6 });
    expect(whole).toMatchObject({ isTruncated: false, isComplete: true, canReuse: true });
    const cut = parse(pieces, { maxBodyBytes: 5 });
    expect(cut).toMatchObject({ isTruncated: true, isComplete: true, canReuse: false });
    expect([whole.body.toString(), cut.body.toString()]).toEqual(['abcdef', 'abcde']);
  });

  it('has a limit for each line of a chunk, not for all of them together', () => {
    const chunk = `1;${'a'.repeat(8000)}\r\nx\r\n`;
    const parser = parseText(head('Transfer-Encoding: chunked') + chunk.repeat(20));
    expect(parser.body.length).toBe(20);
  });
});

it('a response has begun with its first byte', () => {
  const parser = new HttpParser('GET', 10);
  expect(parser.hasBegun).toBe(false);
  parser.push(Buffer.from('H'));
  expect(parser.hasBegun).toBe(true);
  parser.push(Buffer.from('TTP/1.1 200\r\n'));
  expect(parser.hasBegun).toBe(true);
});

it('a connection that the server ended cannot be used again', () => {
  const parser = parseText('HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n');
  expect(parser.canReuse).toBe(true);
  parser.end();
  expect(parser.canReuse).toBe(false);
});
