import { expect, it } from 'vitest';
import { isUrl } from './parse-url';

// As often as V8 needs to compile it.
const CALLS = 20_000;

it.each(['https://bücher.example/', 'https://shop.example.com/straße?q=é', 'http://127.0.0.1:80/'])(
  '%s stays a URL, however often it is asked',
  (text) => {
    const wrong = Array.from({ length: CALLS }, () => isUrl(text)).filter((is) => !is);
    expect(wrong).toEqual([]);
  },
);

it('a reference needs the URL that it is relative to', () => {
  expect([isUrl('/straße'), isUrl('/straße', 'https://shop.example.com/'), isUrl('http://')]).toEqual([
    false,
    true,
    false,
  ]);
});
