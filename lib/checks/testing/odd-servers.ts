import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { ONLY_HTTP2 } from '@/lib/platform/net/failures';
import type { TestCertificate } from '@/lib/platform/net/testing/servers';
import {
  type Behavior,
  drip,
  flow,
  redirectOnce,
  redirectRequest,
  redirectTo,
  resetAfter,
  signIn,
} from './serve-odd';

/** A server that is odd in one way, and how a check judges it. */
export type OddServer = Behavior & {
  name: string;
  method?: 'GET' | 'HEAD' | 'POST';
  /** Headers of the request. */
  headers?: Record<string, string>;
  /** Whether cookies must be kept, which fetch never does. */
  needsCookies?: boolean;
  /** The status that is expected; 200 unless set. */
  status?: number;
  /** The certificate on which the check depends that ends first, and its year: `2050: intermediate certificate “R3”`. */
  ends?: string;
  /** Text that the body must contain. */
  keyword?: string;
  /** Seconds that the check may take, of a server that does not end; 10 unless set. */
  timeout?: number;
  /** Why the check may fail although others succeed. */
  differs?: string;
  /** The error that the check reports; null if it succeeds. */
  error: string | null;
};

const OK = 'HTTP/1.1 200 OK\r\n';
const SIZED = `${OK}Content-Length: 2\r\n`;
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const GOOD = `${SIZED}\r\nok`;
const NOT_HTTP = 'sent bytes that are not HTTP';
const CLOSED = 'connection closed by the server during the response';

const LENGTHS: OddServer[] = [
  { name: 'bytes after Content-Length', sends: `${GOOD}and more`, error: null },
  { name: 'bytes after Content-Length, left open', sends: `${GOOD}and more`, open: true, error: null },
  {
    name: 'bytes after Content-Length and Connection: close',
    sends: `${SIZED}Connection: close\r\n\r\nok\r\n\r\n`,
    error: null,
  },
  { name: 'an unsolicited second response', sends: `${GOOD}HTTP/1.1 500 No\r\n\r\n`, error: null },
  { name: 'Content-Length twice, the same', sends: `${SIZED}Content-Length: 2\r\n\r\nok`, error: null },
  {
    name: 'Content-Length twice, the same, in one line',
    sends: `${OK}Content-Length: 2, 2\r\n\r\nok`,
    error: null,
  },
  {
    name: 'two different lengths',
    sends: `${SIZED}Content-Length: 3\r\n\r\nokk`,
    error: 'sent conflicting Content-Length values',
  },
  {
    name: 'a length that is a word',
    sends: `${OK}Content-Length: two\r\n\r\nok`,
    error: 'sent a Content-Length that is not a number',
  },
  {
    name: 'a negative length',
    sends: `${OK}Content-Length: -2\r\n\r\nok`,
    error: 'sent a Content-Length that is not a number',
  },
  {
    name: 'a length of 23 digits',
    sends: `${OK}Content-Length: 99999999999999999999999\r\n\r\nok`,
    error: null,
  },
  { name: 'a body shorter than its length', sends: `${OK}Content-Length: 9\r\n\r\nok`, error: CLOSED },
  { name: 'no length, until the end', sends: `${OK}\r\nok`, error: null },
  { name: 'no length and no body', sends: `${OK}\r\n`, error: null },
  { name: 'HTTP/1.0 without a length', sends: 'HTTP/1.0 200 OK\r\n\r\nok', error: null },
  { name: 'no headers at all', sends: 'HTTP/1.1 200 OK\r\n\r\n', error: null },
];

const BODILESS: OddServer[] = [
  { name: 'a body after HEAD', sends: GOOD, method: 'HEAD', error: null },
  { name: 'a body after HEAD, left open', sends: GOOD, method: 'HEAD', open: true, error: null },
  { name: 'a chunked body after HEAD', sends: `${CHUNKED}2\r\nok\r\n0\r\n\r\n`, method: 'HEAD', error: null },
  { name: 'a length but no body after HEAD', sends: `${SIZED}\r\n`, method: 'HEAD', open: true, error: null },
  {
    name: '204 with a body',
    sends: GOOD.replace('200 OK', '204 No Content'),
    status: 204,
    open: true,
    error: null,
  },
  {
    name: '304 with a body',
    sends: GOOD.replace('200 OK', '304 Not Modified'),
    status: 304,
    open: true,
    error: null,
  },
];

const CHUNKS: OddServer[] = [
  { name: 'chunks, left open', sends: `${CHUNKED}2\r\nok\r\n0\r\n\r\n`, open: true, error: null },
  { name: 'chunk sizes with zeros before', sends: `${CHUNKED}0002\r\nok\r\n0000\r\n\r\n`, error: null },
  { name: 'chunk extensions', sends: `${CHUNKED}2;a=b;c="d"\r\nok\r\n0;e\r\n\r\n`, error: null },
  { name: 'a chunk size with spaces', sends: `${CHUNKED}2  \r\nok\r\n0\r\n\r\n`, error: null },
  { name: 'trailers', sends: `${CHUNKED}2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n`, error: null },
  { name: 'bytes after the last chunk', sends: `${CHUNKED}2\r\nok\r\n0\r\n\r\nmore`, error: null },
  { name: 'chunks with bare LF', sends: `${CHUNKED}2\nok\n0\n\n`, open: true, error: null },
  {
    name: 'a chunk without a size',
    sends: `${CHUNKED}zz\r\nok\r\n0\r\n\r\n`,
    error: 'sent a chunk without a size',
  },
  {
    name: 'a chunk longer than its size',
    sends: `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`,
    error: 'sent a chunk longer than its size',
  },
  { name: 'chunks that never end', sends: `${CHUNKED}2\r\nok\r\n`, error: CLOSED },
  {
    name: 'chunked twice',
    sends: `${OK}Transfer-Encoding: chunked\r\n${CHUNKED.slice(OK.length)}2\r\nok\r\n0\r\n\r\n`,
    error: null,
  },
  {
    name: 'chunks and a length',
    sends: `${SIZED}${CHUNKED.slice(OK.length)}2\r\nok\r\n0\r\n\r\n`,
    error: null,
  },
  {
    name: 'chunks in HTTP/1.0',
    sends: `${CHUNKED.replace('1.1', '1.0')}2\r\nok\r\n0\r\n\r\n`,
    error: null,
  },
  {
    name: 'Transfer-Encoding: identity and a length',
    sends: `${OK}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok`,
    open: true,
    error: null,
  },
];

const HEADERS: OddServer[] = [
  { name: 'headers that end in bare LF', sends: GOOD.replaceAll('\r\n', '\n'), error: null },
  { name: 'an empty line of bare LF', sends: `${SIZED}\nok`, error: null },
  { name: 'a folded header', sends: `${SIZED}X-A: b\r\n  c\r\n\r\nok`, error: null },
  { name: 'a space before the colon', sends: `${OK}X-A : b\r\nContent-Length : 2\r\n\r\nok`, error: null },
  { name: 'a header without a name', sends: `${SIZED}: b\r\n\r\nok`, error: null },
  { name: 'a space in the name of a header', sends: `${SIZED}X A: b\r\n\r\nok`, error: null },
  { name: 'UTF-8 in the name of a header', sends: `${SIZED}X-\xc3\xa4: b\r\n\r\nok`, error: null },
  { name: 'ISO 8859-1 in a header', sends: `${SIZED}X-A: \xe4\r\n\r\nok`, error: null },
  { name: 'a control character in a header', sends: `${SIZED}X-A: a\x01b\r\n\r\nok`, error: null },
  { name: 'a bare CR in a header', sends: `${SIZED}X-A: a\rb\r\n\r\nok`, error: null },
  { name: 'NUL in a header', sends: `${SIZED}X-A: a\0b\r\n\r\nok`, error: 'sent a NUL byte in its headers' },
  {
    name: 'a header without a colon',
    sends: `${SIZED}Nonsense\r\n\r\nok`,
    error: 'sent a header without a colon',
  },
  { name: '12,000 bytes in a header', sends: `${SIZED}X-A: ${'a'.repeat(12_000)}\r\n\r\nok`, error: null },
  { name: '60,000 bytes in a header', sends: `${SIZED}X-A: ${'a'.repeat(60_000)}\r\n\r\nok`, error: null },
  {
    name: '130,000 bytes in a header',
    sends: `${SIZED}X-A: ${'a'.repeat(130_000)}\r\n\r\nok`,
    error: 'sent headers larger than 64 KiB',
  },
  { name: '2,500 headers', sends: `${SIZED}${'X-A: a\r\n'.repeat(2500)}\r\nok`, error: null },
  { name: 'unsolicited gzip', sends: `${SIZED}Content-Encoding: gzip\r\n\r\nok`, error: null },
  {
    name: 'an upgrade that is only offered',
    sends: `${SIZED}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nok`,
    error: null,
  },
  { name: 'an end in the middle of the headers', sends: `${OK}Content-Le`, error: CLOSED },
];

const STATUS_LINES: OddServer[] = [
  { name: 'no reason phrase', sends: GOOD.replace(' OK', ''), error: null },
  { name: 'no reason phrase but its space', sends: GOOD.replace('OK', ''), error: null },
  { name: 'a reason phrase in UTF-8', sends: GOOD.replace('OK', 'sch\xc3\xb6n'), error: null },
  { name: 'a reason phrase without a space', sends: GOOD.replace(' OK', 'OK'), error: null },
  { name: 'two spaces before the status', sends: GOOD.replace(' 200', '  200'), error: null },
  { name: 'http in lower case', sends: GOOD.replace('HTTP', 'http'), error: null },
  { name: 'HTTP/2 as its version', sends: GOOD.replace('1.1', '2'), error: null },
  { name: 'empty lines first', sends: `\r\n\r\n${GOOD}`, error: null },
  { name: 'status 299', sends: GOOD.replace('200', '299'), status: 299, error: null },
  { name: 'status 599', sends: GOOD.replace('200', '599'), status: 599, error: null },
  {
    name: 'a status of four digits',
    sends: GOOD.replace('200', '2000'),
    error: 'sent a status line without a valid status',
  },
  {
    name: 'a status of two digits',
    sends: GOOD.replace('200', '20'),
    error: 'sent a status line without a valid status',
  },
  {
    name: 'status 099',
    sends: GOOD.replace('200', '099'),
    error: 'sent a status line without a valid status',
  },
  { name: 'HTTP/0.9', sends: '<html>ok</html>', error: NOT_HTTP },
  { name: 'HTTP/0.9, left open', sends: '<html>ok</html>', open: true, error: NOT_HTTP },
  { name: 'ICY', sends: GOOD.replace('HTTP/1.1', 'ICY'), error: NOT_HTTP },
  { name: 'the settings of HTTP/2', sends: '\0\0\x12\x04\0\0\0\0\0', error: ONLY_HTTP2 },
  { name: 'a byte order mark', sends: `\xef\xbb\xbf${GOOD}`, error: NOT_HTTP },
  { name: 'SSH', sends: 'SSH-2.0-OpenSSH_9.6\r\n', speaksFirst: true, open: true, error: NOT_HTTP },
  { name: 'a TLS alert', sends: '\x15\x03\x03\x00\x02\x02\x46', error: 'requires TLS; use https' },
  { name: 'nothing', sends: '', error: 'connection closed by the server before a response' },
];

const INTERIM: OddServer[] = [
  { name: '100 first', sends: `HTTP/1.1 100 Continue\r\n\r\n${GOOD}`, error: null },
  {
    name: '102 and 103 first',
    sends: `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${GOOD}`,
    error: null,
  },
  {
    name: '103 with a length first',
    sends: `HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\n${GOOD}`,
    error: null,
  },
  {
    name: '100 and no more',
    sends: 'HTTP/1.1 100 Continue\r\n\r\n',
    error: 'connection closed by the server before a response',
  },
];

/** A response with a body in ISO 8859-1, or of these bytes. */
function write(headers: string, body: string | Buffer): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
  const type = /^Content-Type:/m.test(headers) ? '' : 'Content-Type: text/html\r\n';
  return `${OK}${type}${headers}Content-Length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`;
}

const UTF8_MARK = '\xef\xbb\xbf';
const PLAIN = 'Content-Type: text/plain';

const CHARSETS: OddServer[] = [
  { name: 'a mark before JSON', sends: write('', `${UTF8_MARK}{"ok":1}`), keyword: '{"ok":1}' },
  { name: 'UTF-16 with a mark', sends: write('', Buffer.from('\ufeffnaïve', 'utf16le')), keyword: 'naïve' },
  {
    name: 'UTF-8 with a mark that claims to be ISO 8859-1',
    sends: write(`${PLAIN}; charset=iso-8859-1\r\n`, Buffer.from('\ufeffnaïve')),
    keyword: 'naïve',
  },
  {
    name: 'ISO 8859-1 by its header',
    sends: write(`${PLAIN}; charset="iso-8859-1"\r\n`, 'na\xefve'),
    keyword: 'naïve',
  },
  {
    name: 'Windows-1252 that claims to be ISO 8859-1',
    sends: write(`${PLAIN}; charset=iso-8859-1\r\n`, '\x805 \x93net\x94'),
    keyword: '€5 “net”',
  },
  { name: 'Shift_JIS by <meta>', sends: write('', '<meta charset=shift_jis>\x83\x65'), keyword: 'テ' },
  {
    name: 'a charset by http-equiv',
    sends: write('', '<meta content="text/html; charset=koi8-r" http-equiv="Content-Type">\xc4\xc1'),
    keyword: 'да',
  },
  {
    name: 'XML with an encoding',
    sends: write(
      'Content-Type: application/xml\r\n',
      '<?xml version="1.0" encoding="latin1"?><a>na\xefve</a>',
    ),
    keyword: 'naïve',
  },
  {
    name: 'a charset that does not exist',
    sends: write(`${PLAIN}; charset=utf-9\r\n`, Buffer.from('naïve')),
    keyword: 'naïve',
  },
].map((row) => ({ ...row, error: null }));

const encoded = (coding: string) => `Content-Encoding: ${coding}\r\n`;
const WELL = 'all is well, all is well, all is well';
/** As `zstd` writes it. */
const ZSTD = Buffer.from(
  '28b52ffd006855010024027b226f6b223a747275652c2274657874223a22616c6c2069732077656c6c2c20227d010000cf7c02',
  'hex',
);

const COMPRESSED: OddServer[] = [
  { name: 'gzip', sends: write(encoded('gzip'), gzipSync(WELL)), error: null },
  { name: 'gzip by its other name', sends: write(encoded('X-GZIP'), gzipSync(WELL)), error: null },
  { name: 'gzip twice', sends: write(encoded('gzip, gzip'), gzipSync(gzipSync(WELL))), error: null },
  {
    name: 'gzip until the end',
    sends: `${OK}${encoded('gzip')}\r\n${gzipSync(WELL).toString('latin1')}`,
    error: null,
  },
  {
    name: 'gzip with padding after it',
    sends: write(encoded('gzip'), Buffer.concat([gzipSync(WELL), Buffer.alloc(4)])),
    error: null,
  },
  {
    name: 'gzip without its end',
    sends: write(encoded('gzip'), gzipSync(WELL).subarray(0, -6)),
    error: null,
  },
  {
    name: 'gzip that stops in the middle',
    sends: write(encoded('gzip'), gzipSync(WELL).subarray(0, 16)),
    error: 'the response body could not be searched for “is well, all”: the gzip of the body ends too early',
  },
  { name: 'text that claims to be gzip', sends: write(encoded('gzip'), WELL), error: null },
  { name: 'deflate', sends: write(encoded('deflate'), deflateSync(WELL)), error: null },
  { name: 'deflate without its header', sends: write(encoded('deflate'), deflateRawSync(WELL)), error: null },
  { name: 'Brotli', sends: write(encoded('br'), brotliCompressSync(WELL)), error: null },
  {
    name: 'zstd',
    sends: write(encoded('zstd'), ZSTD),
    differs: 'Node.js 20 cannot read it',
    error:
      'the response body could not be searched for “is well, all”: the body is compressed with zstd, which cannot be read here',
  },
  {
    name: 'broken gzip',
    sends: write(encoded('gzip'), Buffer.concat([gzipSync(WELL).subarray(0, 10), Buffer.alloc(9, 0xff)])),
    error: 'the response body could not be searched for “is well, all”: the body is not valid gzip',
  },
].map((row) => ({ ...row, keyword: 'is well, all' }));

const EVENTS = `${OK}Content-Type: text/event-stream\r\n\r\n`;
const LIMIT = 'within 2s';

const ENDLESS: OddServer[] = [
  { name: 'events that never come', sends: EVENTS, open: true, error: null },
  {
    name: 'events whose keyword comes later',
    sends: flow(EVENTS, 'data: x\n\n'),
    keyword: 'x\n\ndata',
    error: null,
  },
  {
    name: 'events without the keyword',
    sends: `${EVENTS}data\n\n`,
    open: true,
    keyword: 'never',
    error: 'the first 6 B of the response body does not contain “never”',
  },
  { name: 'a stream without a length', sends: flow(`${OK}\r\n`, 'frame'), keyword: 'frame', error: null },
  { name: 'chunks that flow', sends: flow(CHUNKED, '2\r\nok\r\n'), error: null },
  {
    name: '64 KB of a stream, and no more',
    sends: `${OK}\r\n${'x'.repeat(65_536)}`,
    open: true,
    error: null,
  },
  { name: 'a file of 50 MB, slowly', sends: flow(`${OK}Content-Length: 50000000\r\n\r\n`, 'x'), error: null },
  {
    name: 'a stream that stops',
    sends: `${OK}\r\nok`,
    open: true,
    error: `the response did not end ${LIMIT}, after 2 B`,
  },
  {
    name: 'a body that stops before its length',
    sends: `${OK}Content-Length: 9\r\n\r\nok`,
    open: true,
    error: `the response did not end ${LIMIT}, after 2 B`,
  },
  {
    name: 'headers without end',
    sends: flow(OK, 'X-A: b\r\n'),
    error: `no response ${LIMIT} while reading the headers from the server`,
  },
  {
    name: 'no byte',
    sends: '',
    open: true,
    error: `no response ${LIMIT} while waiting for the first byte from the server`,
  },
].map((row) => ({ ...row, timeout: 2 }));

const TIMING: OddServer[] = [
  { name: 'one byte at a time', sends: drip(GOOD), error: null },
  { name: 'one byte of a chunk at a time', sends: drip(`${CHUNKED}2\r\nok\r\n0\r\n\r\n`), error: null },
  {
    name: 'a reset after the complete response',
    sends: resetAfter(GOOD),
    method: 'POST',
    error: null,
  },
  {
    name: 'a reset in the middle of the body',
    sends: resetAfter(`${OK}Content-Length: 9\r\n\r\nok`),
    method: 'POST',
    error: CLOSED,
  },
  { name: 'a response before the request', sends: GOOD, speaksFirst: true, error: null },
  { name: 'a response before the body of the request', sends: GOOD, method: 'POST', error: null },
];

const REDIRECTS: OddServer[] = [
  { name: 'a relative redirect', sends: redirectTo('there'), error: null },
  { name: 'a redirect without a scheme', sends: redirectTo('//{host}/there'), error: null },
  { name: 'a redirect with a fragment', sends: redirectTo('/there#part'), error: null },
  { name: 'a redirect of a query only', sends: redirectTo('?there'), error: null },
  {
    name: 'a redirect to a path in UTF-8',
    sends: redirectTo('/th\xc3\xa9re', /th(%C3%A9|\xc3\xa9)re/),
    error: null,
  },
  { name: 'a redirect to a path with a space', sends: redirectTo('/the re', /the%20re/), error: null },
  { name: 'a redirect to where it came from', sends: redirectOnce(), error: null },
  { name: 'a redirect that is not followed from', sends: redirectTo('/there'), status: 302, error: null },
  {
    name: 'a redirect without Location',
    sends: 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n',
    error: 'responded with 302, expected 200',
  },
];

const COOKIES: OddServer[] = [
  { name: 'a cookie', sends: signIn(['a=1'], /^cookie: a=1\r$/im), error: null },
  {
    name: 'two cookies, one of which has a comma in its date',
    sends: signIn(
      ['a=1; Expires=Wed, 01 Jan 2098 00:00:00 GMT; Path=/', 'b=2'],
      /^cookie: (a=1; b=2|b=2; a=1)\r$/im,
    ),
    error: null,
  },
  { name: 'a cookie in quotes', sends: signIn(['a="1 2"; Path=/'], /^cookie: a="1 2"\r$/im), error: null },
  {
    name: 'a cookie that is for another path',
    sends: signIn(['a=1', 'b=2; Path=/login'], /^cookie: a=1\r$/im),
    error: null,
  },
  {
    name: 'a cookie that is for another site',
    sends: signIn(['a=1', 'b=2; Domain=b.test'], /^cookie: a=1\r$/im),
    error: null,
  },
  {
    name: 'a cookie that has expired',
    sends: signIn(['a=1', 'b=2; Max-Age=0'], /^cookie: a=1\r$/im),
    error: null,
  },
  { name: 'a cookie twice', sends: signIn(['a=1', 'a=2'], /^cookie: a=2\r$/im), error: null },
  {
    name: 'a cookie that does not end the loop',
    sends: signIn(['a=1'], /^no: way\r$/im),
    error: 'redirect loop, although cookies were kept',
  },
].map((row) => ({ ...row, needsCookies: true }));

const FORM = { 'Content-Type': 'text/x-odd', Authorization: 'Bearer s' };
const POSTED = [/^POST/, /^content-length: 65536\r$/im, /^content-type: text\/x-odd\r$/im];
const FETCHED = /^GET/;
const TYPE = /^content-type:/im;
const SECRET = /^authorization: Bearer s\r$/im;

const REDIRECTED_REQUESTS: OddServer[] = [
  {
    name: '307 after POST, on the same host',
    sends: redirectRequest(307, '127.0.0.1', { has: [...POSTED, SECRET] }),
    error: null,
  },
  {
    name: '307 after POST, to another host',
    sends: redirectRequest(307, 'localhost', { has: POSTED, lacks: [SECRET] }),
    error: null,
  },
  {
    name: '308 after POST, to another host',
    sends: redirectRequest(308, 'localhost', { has: POSTED, lacks: [SECRET] }),
    error: null,
  },
  {
    name: '307 after POST, to another host that wants the credentials',
    sends: redirectRequest(307, 'localhost', { has: [SECRET] }),
    error:
      'responded with 400, expected 200 (redirected to another host: the body was sent with its Content-Type, credentials were not sent)',
  },
  {
    name: '302 after POST, on the same host',
    sends: redirectRequest(302, '127.0.0.1', { has: [FETCHED, SECRET], lacks: [TYPE] }),
    error: null,
  },
  {
    name: '303 after POST, to another host',
    sends: redirectRequest(303, 'localhost', { has: [FETCHED], lacks: [TYPE, SECRET] }),
    error: null,
  },
].map((row) => ({ ...row, method: 'POST', headers: FORM }));

const TLS: OddServer[] = [
  { name: 'TLS', sends: GOOD, tls: {}, error: null },
  { name: 'TLS, bytes after Content-Length', sends: `${GOOD}more`, tls: {}, error: null },
  { name: 'TLS, until the end', sends: `${OK}\r\nok`, tls: {}, error: null },
  {
    name: 'TLS, a reset after the complete response',
    sends: resetAfter(GOOD),
    tls: {},
    method: 'POST',
    error: null,
  },
];

const OUTDATED = 'supports only outdated versions of TLS; Pharos uses 1.2 and 1.3';
/** What OpenSSL requires for protocols that it rejects otherwise. */
const INSECURE = { ciphers: 'DEFAULT:@SECLEVEL=0' };
const NEEDS_CERTIFICATE = { requestCert: true, rejectUnauthorized: true };
const REFUSED = 'refused the TLS handshake: no encryption in common, or it requires a client certificate';

const HANDSHAKES: Omit<OddServer, 'sends'>[] = [
  { name: 'TLS 1.2 at most', tls: { maxVersion: 'TLSv1.2' }, error: null },
  { name: 'TLS 1.3 only', tls: { minVersion: 'TLSv1.3' }, error: null },
  {
    name: 'TLS 1.1 at most',
    tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ...INSECURE },
    error: OUTDATED,
  },
  { name: 'TLS 1.0 only', tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1', ...INSECURE }, error: OUTDATED },
  {
    name: 'TLS without encryption in common',
    tls: { maxVersion: 'TLSv1.2', ciphers: 'ADH-AES128-SHA256:@SECLEVEL=0' },
    error: REFUSED,
  },
  { name: 'HTTP/2 only', tls: { ALPNProtocols: ['h2'] }, error: ONLY_HTTP2 },
  {
    name: 'a client certificate, in TLS 1.3',
    tls: NEEDS_CERTIFICATE,
    error: 'requires a client certificate',
  },
  {
    name: 'a client certificate, in TLS 1.2',
    tls: { ...NEEDS_CERTIFICATE, maxVersion: 'TLSv1.2' },
    error: REFUSED,
  },
];

const INTERMEDIATE = '2050: intermediate certificate “Chain Intermediate”';

/** With `ends`: which certificate ends first, and in which year. */
const CERTIFICATES: (Omit<OddServer, 'sends' | 'tls'> & { certificate: TestCertificate })[] = [
  { name: 'an intermediate that ends first', certificate: 'chain', ends: INTERMEDIATE, error: null },
  { name: 'certificates in excess', certificate: 'chain-excess', ends: INTERMEDIATE, error: null },
  { name: 'a former intermediate first', certificate: 'chain-renewed', ends: INTERMEDIATE, error: null },
  { name: 'certificates in no order', certificate: 'chain-unordered', ends: INTERMEDIATE, error: null },
  {
    name: 'no intermediate',
    certificate: 'chain-missing',
    error: 'does not send its certificate chain: the issuer “Chain Intermediate” is neither sent nor trusted',
  },
  {
    name: 'an intermediate that has expired',
    certificate: 'chain-expired',
    error: 'the intermediate certificate “Chain Intermediate” in the server’s chain expired days ago',
  },
  {
    name: 'an authority that is not trusted',
    certificate: 'chain-untrusted',
    error: 'certificate was issued by an unknown authority',
  },
  { name: 'a certificate that has expired', certificate: 'expired', error: 'certificate expired days ago' },
  {
    name: 'a certificate for other hosts',
    certificate: 'wrong-host',
    error: 'certificate is not valid for 127.0.0.1 (valid for a.test, b.test)',
  },
  {
    name: 'a certificate that is self-signed',
    certificate: 'self-signed',
    error: 'certificate is self-signed',
  },
];

export const ODD_SERVERS: OddServer[] = [
  ...LENGTHS,
  ...BODILESS,
  ...CHUNKS,
  ...HEADERS,
  ...STATUS_LINES,
  ...INTERIM,
  ...CHARSETS,
  ...COMPRESSED,
  ...ENDLESS,
  ...TIMING,
  ...REDIRECTS,
  ...COOKIES,
  ...REDIRECTED_REQUESTS,
  ...TLS,
  ...HANDSHAKES.map((row) => ({ sends: GOOD, ...row })),
  ...CERTIFICATES.map(({ certificate, ...row }) => ({ sends: GOOD, tls: { certificate }, ...row })),
];
