import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const BOM = '\ufeff';
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();
const meta = (charset: string) => `<html><head><meta charset=${charset}>`;

describe('the text of a body, as a browser reads it,', () => {
  it.each<[what: string, bytes: Buffer, type: string | undefined, text: string]>([
    ['is UTF-8 by default', utf8('naïve'), undefined, 'naïve'],
    ['has no byte order mark', utf8(`${BOM}naïve`), 'application/json', 'naïve'],
    ['is in the charset of the header', latin1('naïve'), 'text/plain; charset=iso-8859-1', 'naïve'],
    ['reads a quoted charset', latin1('naïve'), 'text/plain; a=b; Charset = "Latin1"', 'naïve'],
    [
      'knows labels of the web: ISO 8859-1 is Windows-1252',
      Buffer.from([0x80, 0x93, 0x81]),
      'text/plain; charset=iso-8859-1',
      '€“\x81',
    ],
    ['knows Shift_JIS', Buffer.from([0x83, 0x65]), 'text/plain; charset=x-sjis', 'テ'],
    ['knows GB 18030', Buffer.from([0xc4, 0xe3]), 'text/plain; charset=gb2312', '你'],
    ['knows KOI8-R', Buffer.from([0xc4, 0xc1]), 'text/plain; charset=koi8-r', 'да'],
    ['believes a mark more than the header', utf8(`${BOM}naïve`), 'text/plain; charset=latin1', 'naïve'],
    ['finds a mark of UTF-16', Buffer.from(`${BOM}naïve`, 'utf16le'), 'text/plain', 'naïve'],
    ['finds a mark of UTF-16, big-endian', big(`${BOM}naïve`), 'text/html; charset=utf-8', 'naïve'],
    ['ignores a charset that does not exist', utf8('naïve'), 'text/plain; charset=none', 'naïve'],
    ['ignores an empty charset', utf8('naïve'), 'text/plain; charset=', 'naïve'],
  ])('%s', (_what, bytes, type, text) => {
    expect(decodeText(bytes, type)).toBe(text);
  });

  it.each([
    ['<meta charset>', meta('iso-8859-1')],
    ['quotes', meta('"iso-8859-1"')],
    ['http-equiv', `<META content='text/html; charset="latin1"' HTTP-EQUIV=Content-Type>`],
    ['the first that exists', `${meta('none')}${meta('latin1')}${meta('utf-8')}`],
    ['> in an attribute', '<meta name="a>b" charset=latin1>'],
    ['one after a comment that contains another', `<!-- ${meta('utf-8')} -->${meta('latin1')}`],
    ['XML', '<?xml version="1.0" encoding="iso-8859-1"?>'],
  ])('is in the charset of the markup: %s', (_what, head) => {
    expect(decodeText(latin1(`${head}naïve`), 'text/html')).toBe(`${head}naïve`);
    expect(decodeText(latin1(`${head}naïve`), undefined)).toBe(`${head}naïve`);
  });

  it.each([
    ['the header names one', meta('latin1'), 'text/html; charset=utf-8'],
    ['it is not markup', meta('latin1'), 'application/json'],
    ['it comes later than 1,024 bytes', `${' '.repeat(1020)}${meta('latin1')}`, 'text/html'],
    ['it is not that of the type', '<meta name=description content="charset=latin1">', 'text/html'],
    ['it says UTF-16, which it cannot be', meta('utf-16'), 'text/html'],
  ])('is not if %s', (_what, head, type) => {
    expect(decodeText(utf8(`${head}naïve`), type)).toBe(`${head}naïve`);
  });

  it('leaves out a last character that is cut off', () => {
    const cut = utf8('naïve').subarray(0, 3);
    expect(decodeText(cut, undefined, { isCut: true })).toBe('na');
    expect(decodeText(cut, undefined)).toBe('na\ufffd');
  });
});
