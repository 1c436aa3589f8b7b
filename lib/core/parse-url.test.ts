import { expect, it } from 'vitest';
import { parseUrl } from './parse-url';

// As often as V8 needs to compile it.
const CALLS = 20_000;

it.each(['https://bücher.example/', 'https://shop.example.com/straße?q=é', 'http://127.0.0.1:80/'])(
  '%s stays a URL, however often it is asked',
  (text) => {
    const wrong = Array.from({ length: CALLS }, () => parseUrl(text)).filter((url) => url === null);
    expect(wrong).toEqual([]);
  },
);

it('a reference needs the URL that it is relative to', () => {
  expect([parseUrl('/straße'), parseUrl('http://')]).toEqual([null, null]);
  expect(parseUrl('/straße', 'https://shop.example.com/')?.href).toBe('https://shop.example.com/stra%C3%9Fe');
});
