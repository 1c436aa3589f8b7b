import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpu } from '@/lib/testing/cpu';
import { MAX_CUSTOM_CSS } from './brand-limits';
import { readCustomCss } from './custom-css';

function cssOf(source: string): string {
  const read = readCustomCss(source);
  return 'css' in read ? read.css : expect.fail(`${source}: ${read.problem}`);
}

function problemOf(source: string): string {
  const read = readCustomCss(source);
  return 'problem' in read ? read.problem : expect.fail(`${source} was accepted as ${read.css}`);
}

/** What reading takes of the processor at best, in milliseconds. */
function cheapest(source: string): number {
  return leastCpu(() => void readCustomCss(source), 0);
}

/** Reads texts one after the other, in at most five seconds: a loop that never ends would stop the tests too. */
function readInTime(sources: string[]): unknown {
  const read = () => sources.map(readCustomCss).at(-1);
  return runInNewContext('read()', { read }, { timeout: 5000 });
}

describe('custom CSS', () => {
  it.each([
    ['.banner { border-radius: 0 !important }', '.banner{border-radius:0!important}'],
    ['/* Ours */ a{/*! and */color:red;;}/*!@import*/', 'a{color:red;;}'],
    [':root{--accent:#123456}', ':root{--accent:#123456}'],
    ['h1::before{content:"→ \\201C"}', 'h1::before{content:"→ “"}'],
    ['a{color:rgb(from var(--ink) r g b / 50%)}', 'a{color:rgb(from var(--ink) r g b/50%)}'],
    [
      'header{background:Linear-Gradient(45deg,#fff,#eee)}',
      'header{background:Linear-Gradient(45deg,#fff,#eee)}',
    ],
    ['@media (width < 600px){body{padding:0}}', '@media (width<600px){body{padding:0}}'],
    ['@supports (display:grid){a{color:red}}', '@supports (display:grid){a{color:red}}'],
    ['@keyframes x{from{opacity:0}to{opacity:1}}', '@keyframes x{from{opacity:0}to{opacity:1}}'],
    ['.list{&:hover{color:red}}', '.list{&:hover{color:red}}'],
    ['.list>li:has(> .bad):not(:first-child){order:-1}', '.list>li:has(>.bad):not(:first-child){order:-1}'],
  ])('is sent without comments: %s', (source, css) => {
    expect(cssOf(source)).toBe(css);
  });

  it.each([
    ['a rule', 'a{color:red', 'a{color:red}'],
    ['a media query', '@media print{a{color:red', '@media print{a{color:red}}'],
    ['a text', 'a{content:"x', 'a{content:"x"}'],
    ['a comment', 'a{color:red}/* and', 'a{color:red}'],
    ['a function', 'a{width:calc(1px + (2px', 'a{width:calc(1px + (2px))}'],
  ])('is closed where %s is not', (_, source, css) => {
    expect(cssOf(source)).toBe(css);
  });

  it('is refused with the line and column of what is wrong', () => {
    expect(problemOf('a {\n  color: red;\n  background: url(x.png);\n}')).toBe(
      'has url() in line 3, column 15: nothing can be loaded',
    );
    expect(problemOf('a {\n  color red\n}')).toBe('is not valid in line 2, column 9: colon is missing');
    expect(problemOf('\n@import "x.css";')).toMatch(/^has @import in line 2, column 1: only @media, .* are/);
    expect(problemOf('a{b:"x\n"}')).toBe('is not valid in line 1, column 5');
    expect(problemOf('a{b:paint(x)}')).toBe(
      'has the function paint() in line 1, column 5, which is not supported',
    );
  });

  it.each([
    '@import "https://evil.test/a.css";',
    '@import url(https://evil.test/a.css) screen;',
    '@IMPORT "a.css";',
    '@\\69\\6d\\70\\6f\\72\\74 "a.css";',
    '@im\\70 ort "a.css";',
    '@charset "utf-7";',
    '@namespace url(https://evil.test);',
    '@font-face{font-family:x;src:url(https://evil.test/x.woff2)}',
    '@font-face{font-family:x;src:local(Arial)}',
    '@font-feature-values x{}',
    '@view-transition{navigation:auto}',
    '@document url(https://evil.test){a{b:c}}',
    '@media print{@import "a.css";}',
    'a{@import "a.css";}',
    'a{background:url(https://evil.test/a.png)}',
    'a{background:url("https://evil.test/a.png")}',
    "a{background:URL( '//evil.test/a.png' )}",
    'a{background:u\\72l(https://evil.test/a.png)}',
    'a{background:\\75\\72\\6c("https://evil.test/a.png")}',
    'a{background:u\\000072 l("https://evil.test/a.png")}',
    'a{background:u/**/rl("https://evil.test/a.png")}',
    'a{background:url(data:image/svg+xml,<svg/onload=alert(1)>)}',
    'a{background:url(javascript:alert(1))}',
    'a{background:src("https://evil.test/a.png")}',
    'a{background:image("https://evil.test/a.png")}',
    'a{background:image-set("https://evil.test/a.png" 1x)}',
    'a{background:-webkit-image-set("https://evil.test/a.png" 1x)}',
    'a{background:IMAGE-SET("https://evil.test/a.png" 1x)}',
    'a{background:cross-fade("a.png","b.png")}',
    'a{background:element(#x)}',
    'a{background:paint(x)}',
    'a{background:linear-gradient(red,red),url(a.png)}',
    'a{--x:url(https://evil.test/a.png);background:var(--x)}',
    'a{background:var(--x,url(https://evil.test/a.png))}',
    'a{--x:{background:url(a.png)}}',
    'a{content:attr(data-x type(<url>))}',
    'a{cursor:url(a.cur),auto}',
    'a{filter:url(#x)}',
    'a{clip-path:url("a.svg#x")}',
    'a{behavior:url(a.htc)}',
    'a{-moz-binding:url("a.xml#x")}',
    'a{width:expression(alert(1))}',
    'a{width:\\65\\78\\70\\72\\65\\73\\73\\69\\6f\\6e(alert(1))}',
    'a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src="a.png")}',
    'a{offset-path:ray(45deg)}',
    '@supports (background:url(a.png)){a{b:c}}',
    '@media url(a.png){a{b:c}}',
    '@container style(--x:url(a.png)){a{b:c}}',
    'a{content:"</style><script>alert(1)</script>"}',
    'a[title="</style>"]{b:c}',
    'a{content:"\\3c/style>"}',
    'a{content:"<\\2f style>"}',
    '</style><script>alert(1)</script>',
    'a{b:c}</style>',
    '<!-- a{b:c} -->',
    'a{b:c}} body{display:none',
    'a{b:c}}@import "x";',
    'a{content:"x\n</style>"}',
    'a{b:c;d',
  ])('is refused: %s', (source) => {
    expect(problemOf(source)).toMatch(/^(has|is|must) /);
  });

  const nested = (depth: number) => `${'@media print{'.repeat(depth - 1)}b{c:1}${'}'.repeat(depth - 1)}`;

  it('can be nested up to 32 deep', () => {
    expect(readCustomCss(nested(32))).toEqual({ css: nested(32) });
    expect(readCustomCss(nested(33))).toEqual({ problem: 'is nested more than 32 deep' });
  });

  // Otherwise, the parser tries each level again once it is out of stack, and can take hours.
  it.each(['(', ':not(', '[', '{', 'a{', '@media print{', 'calc(', 'var(--x,', '(]', 'a{b:(}', '/*)*/('])(
    'of nothing but %s is refused before it is parsed',
    (open) => {
      const whole = Math.floor(MAX_CUSTOM_CSS / open.length);
      for (const source of [open.repeat(whole), `a{b:${open.repeat(whole)}`]) {
        expect(readCustomCss(source)).toEqual({ problem: 'is nested more than 32 deep' });
      }
    },
  );

  /** What the most that is valid costs. */
  let valid: number | undefined;
  // Each problem costs the parser as much as a hundred rules.
  it.each(['{}', 'a{b}', 'a{--b:{}}'])('of nothing but %s is refused at the first one', (wrong) => {
    const fill = (piece: string) => piece.repeat(Math.floor(MAX_CUSTOM_CSS / piece.length));
    expect(problemOf(fill(wrong))).toMatch(/^is not valid in line 1, column [147]/);
    valid ??= cheapest(fill('a{b:c}'));
    expect(cheapest(fill(wrong))).toBeLessThan(valid);
  });

  // What css-tree keeps of a text made it loop forever in a later one.
  it('is read the same whatever was read before', () => {
    expect(readInTime(['<[!((', '[])('])).toEqual({
      problem: 'is not valid in line 1, column 2: identifier is missing',
    });
  });

  it('of more characters than can be saved is refused', () => {
    const longest = `a{${'b:c;'.repeat((MAX_CUSTOM_CSS - 4) / 4)}}`.padStart(MAX_CUSTOM_CSS);
    expect(cssOf(longest)).toMatch(/^a\{b:c;b:c/);
    expect(readCustomCss(`${longest} `)).toEqual({ problem: 'must be at most 20000 characters' });
  });

  it('of any text is refused, or becomes CSS that is read the same again and cannot end its element', () => {
    const piece = fc.constantFrom(
      'a',
      '.b',
      '{',
      '}',
      ';',
      ':',
      '"',
      "'",
      '\\',
      '/*',
      '*/',
      '</style>',
      '<',
      '/',
      '@media',
      '@import',
      'url(',
      '(',
      ')',
      'x',
      '\n',
      '!',
      '--',
      ' ',
      ',',
      '[',
      ']',
      '&',
      '\\22',
      '\\a',
      '#1',
      '50%',
      'calc(',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const read = readCustomCss(pieces.join(''));
        if ('problem' in read) return;
        expect(read.css).not.toContain('</');
        expect(readCustomCss(read.css)).toEqual(read);
      }),
      { numRuns: 150 },
    );
  });
});
