import { createElement, Fragment, type ReactNode } from 'react';
import type { Inline } from '@/lib/core/markdown';
import { type Block, parseMarkdown } from '@/lib/core/markdown';

type Props = {
  text: string;
  /** The level of the text's own largest headings: below those of the page around it. */
  topLevel: 2 | 3;
  /** Draws a block of code; without it, a plain one is drawn. */
  drawCode?: (code: string) => ReactNode;
};

/** Light Markdown as plain elements without a look of their own. What looks like HTML in it is shown as it was typed. */
export function Markdown({ text, topLevel, drawCode = drawPlainCode }: Props) {
  return gather(
    parseMarkdown(text).map((block) =>
      block.kind === 'code' ? drawCode(block.text) : drawBlock(block, topLevel),
    ),
  );
}

/** Children without keys: nothing here ever moves on its own. */
function gather(children: ReactNode[]) {
  return createElement(Fragment, null, ...children);
}

function drawPlainCode(code: string): ReactNode {
  return (
    <pre>
      <code>{code}</code>
    </pre>
  );
}

function drawBlock(block: Exclude<Block, { kind: 'code' }>, topLevel: number): ReactNode {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${topLevel + block.depth}`, null, ...block.children.map(drawInline));
    case 'paragraph':
      return <p>{gather(block.children.map(drawInline))}</p>;
    case 'quote':
      return (
        <blockquote>
          <p>{gather(block.children.map(drawInline))}</p>
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item) => createElement('li', null, ...item.map(drawInline)));
      return createElement(block.ordered ? 'ol' : 'ul', null, ...items);
    }
  }
}

function drawInline(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return <strong>{gather(part.children.map(drawInline))}</strong>;
    case 'em':
      return <em>{gather(part.children.map(drawInline))}</em>;
    case 'link':
      return (
        <a href={part.url} rel="nofollow noopener">
          {gather(part.children.map(drawInline))}
        </a>
      );
  }
}
