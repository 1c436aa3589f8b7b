import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES, showBody } from './probe-body';

const show = (body: string | Buffer, headers: Record<string, string> = {}, isCut = false) =>
  showBody({ headers, body: Buffer.from(body), isCut });

describe('what is kept of a body', () => {
  it('is its text, with its type and size', () => {
    expect(show('{"error":"naïve"}', { 'content-type': 'application/json' })).toEqual({
      text: '{"error":"naïve"}',
      size: 18,
      truncated: false,
      type: 'application/json',
      encoding: null,
    });
  });

  it('is at most 16 KiB, and ends with a whole character', () => {
    const body = show(`x${'ä'.repeat(MAX_BODY_BYTES)}`);
    expect(body).toMatchObject({ truncated: true, size: 2 * MAX_BODY_BYTES + 1 });
    expect(body.text).toBe(`x${'ä'.repeat(MAX_BODY_BYTES / 2 - 1)}`);
  });

  it('says if the server sent more than was read', () => {
    expect(show('part', {}, true)).toMatchObject({ text: 'part', truncated: true });
  });

  it.each([
    ['iso-8859-1', Buffer.from('naïve', 'latin1')],
    ['utf-16le', Buffer.from('naïve', 'utf16le')],
    ['"UTF-8"', Buffer.from('naïve')],
    ['no-such-charset', Buffer.from('naïve')],
  ])('is decoded as %s', (charset, bytes) => {
    expect(show(bytes, { 'content-type': `text/plain; charset=${charset}` }).text).toBe('naïve');
  });

  it.each([
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'image/png'],
    ['an image that claims to be text', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x10, 0x4a]), 'text/html'],
    ['text with NUL', 'a\0b', 'text/plain'],
  ])('is not %s, whose type and size remain', (_, bytes, type) => {
    const body = show(bytes, { 'content-type': type });
    expect(body).toMatchObject({ text: null, type, size: Buffer.from(bytes).length, truncated: false });
  });

  it('is text whatever its type claims, even with a few invalid bytes', () => {
    const mixed = Buffer.concat([Buffer.from('x'.repeat(100)), Buffer.from([0xe4])]);
    expect(show(mixed, { 'content-type': 'application/octet-stream' }).text).toBe(`${'x'.repeat(100)}`);
    expect(show(Buffer.concat([mixed, mixed])).text).toContain('x\ufffdx');
  });

  it('is not compressed text, which is shown by its encoding', () => {
    const body = show('looks like text', { 'content-encoding': 'gzip', 'content-type': 'text/html' });
    expect(body).toMatchObject({ text: null, type: 'text/html', encoding: 'gzip' });
    expect(show('plain', { 'content-encoding': 'identity' })).toMatchObject({
      text: 'plain',
      encoding: null,
    });
  });

  it('holds nothing that JSON or PostgreSQL cannot', () => {
    const body = show('x', { 'content-type': `text/\ud800${'y'.repeat(500)}` });
    expect(body.type?.isWellFormed()).toBe(true);
    expect(body.type).toHaveLength(200);
  });
});
