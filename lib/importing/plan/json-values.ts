import type { AssertionScalar } from '@/lib/checks/assertions/assertion';

const MAX_PATH = 400;
const STEP = /^(?:\.?([^.[\]\s'"`()*?#@$&|=<>!,:;{}+/%^~\\]+)|\[(\d{1,9})\])/;

/** A path of names and indexes such as `data.items[0].name` as RFC 9535 writes it; null for anything else. */
export function toJsonPath(text: string): string | null {
  if (text.length > MAX_PATH) return null;
  let rest = text.trim();
  let path = '$';
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (step === null || (path === '$' && rest.startsWith('.'))) return null;
    const [whole, name, index] = step;
    if (name === undefined) path += `[${Number(index)}]`;
    else path += /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`;
    rest = rest.slice(whole.length);
    // Two names need a dot between them.
    if (rest !== '' && !/^(?:\.[^.]|\[)/.test(rest)) return null;
  }
  return path;
}

/** The JSON values that a product which compares text takes as equal to a text: `5` is both a text and a number. */
export function valuesOf(text: string): AssertionScalar[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  const number = Number(text);
  return text !== '' && String(number) === text && Number.isFinite(number) ? [text, number] : [text];
}
