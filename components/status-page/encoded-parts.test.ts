import { describe, expect, it } from 'vitest';
import { encodeDocument, insertEncoded } from './encoded-parts';
import { renderView } from './testing/render-view';
import { busyView } from './testing/sample-view';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('a document', () => {
  it('has the parts that were encoded before in their places', () => {
    const [first, second] = [encode('<i>é</i>'), encode('<i>障害</i>')];
    const render = () =>
      `<p>ü${insertEncoded([first, second])}</p>${insertEncoded([first])}${insertEncoded([])}`;
    expect(decode(encodeDocument(render))).toBe('<p>ü<i>é</i><i>障害</i></p><i>é</i>');
  });

  it('is the same as its text, in every language', () => {
    for (const language of ['en', 'ja'] as const) {
      const render = () => renderView(busyView(), language);
      expect(decode(encodeDocument(render))).toBe(render());
    }
  });

  it('leaves nothing behind when it fails', () => {
    const fail = () => {
      insertEncoded([encode('lost')]);
      throw new Error('not today');
    };
    expect(() => encodeDocument(fail)).toThrow('not today');
    expect(insertEncoded([encode('<b>text</b>')])).toBe('<b>text</b>');
  });
});
