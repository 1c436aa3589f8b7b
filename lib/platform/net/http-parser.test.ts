import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
    expect([parser.body.buffer.byteLength <= 16_384, parser.isComplete]).toEqual([true, false]);
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
    ['that carried more than the response', `${OK}Content-Length: 2\r\n\r\nok!`, false],
    ['that speaks another protocol now', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', false],
  ])('%s can be used again: %3$s', (_what, text, expected) => {
    expect(parseText(text)).toMatchObject({ isComplete: true, canReuse: expected });
  });
});
