import { describe, expect, it } from 'vitest';
import { parseInline, parseMarkdown } from './markdown';

const text = (words: string) => ({ kind: 'text', text: words });

describe('light Markdown', () => {
  it('parses headings, paragraphs with line breaks, lists, quotes and code', () => {
    const written = [
      '## What happened',
      'A disk was full.',
      'Writes failed.',
      '',
      '- first',
      '* second',
      '1. one',
      '2) two',
      '> said',
      '> twice',
      '```sh',
      '# not a heading',
      '',
      'df -h',
      '```',
      'The end.',
    ];
    expect(parseMarkdown(written.join('\r\n'))).toEqual([
      { kind: 'heading', depth: 0, children: [text('What happened')] },
      { kind: 'paragraph', children: [text('A disk was full.\nWrites failed.')] },
      { kind: 'list', ordered: false, items: [[text('first')], [text('second')]] },
      { kind: 'list', ordered: true, items: [[text('one')], [text('two')]] },
      { kind: 'quote', children: [text('said\ntwice')] },
      { kind: 'code', text: '# not a heading\n\ndf -h' },
      { kind: 'paragraph', children: [text('The end.')] },
    ]);
  });

  it('skips no level of headings, regardless of their marks', () => {
    const depths = parseMarkdown('## a\n### b\n# c\n### d\n## e\n### f').map((block) =>
      block.kind === 'heading' ? block.depth : null,
    );
    expect(depths).toEqual([0, 1, 0, 1, 1, 2]);
  });

  it('parses bold, italic, code and links, nested where that makes sense', () => {
    expect(parseInline('a **b `c`** *d* _e_ `**f**`')).toEqual([
      text('a '),
      { kind: 'strong', children: [text('b '), { kind: 'code', text: 'c' }] },
      text(' '),
      { kind: 'em', children: [text('d')] },
      text(' '),
      { kind: 'em', children: [text('e')] },
      text(' '),
      { kind: 'code', text: '**f**' },
    ]);
    expect(parseInline('see [the **log**](https://example.com/a?b=1), https://example.com/x.')).toEqual([
      text('see '),
      {
        kind: 'link',
        url: 'https://example.com/a?b=1',
        children: [text('the '), { kind: 'strong', children: [text('log')] }],
      },
      text(', '),
      { kind: 'link', url: 'https://example.com/x', children: [text('https://example.com/x')] },
      text('.'),
    ]);
  });

  it.each([
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '[x](//example.com)',
    'snake_case_name and 2 * 3 * 4',
    '#no-heading',
    '**open',
    '``',
  ])('leaves %j as it was typed', (typed) => {
    expect(parseMarkdown(typed)).toEqual([{ kind: 'paragraph', children: [text(typed)] }]);
  });

  it('terminates for any text', () => {
    expect(parseMarkdown('')).toEqual([]);
    expect(parseMarkdown('```\nopen')).toEqual([{ kind: 'code', text: 'open' }]);
    expect(parseMarkdown('- \n>\n# ')).toHaveLength(3);
  });

  it.each(['*', '_', '`', '[', '[a](', '**a', '* ', '_a ', '> ', '- ', 'http://', 'http://.', '```\n'])(
    'parses a million characters of %j, for which looking at each more than once would take hours',
    (piece) => {
      expect(parseMarkdown(piece.repeat(1_000_000 / piece.length))).not.toEqual([]);
    },
  );
});
