import { createElement, Fragment, type ReactNode } from 'react';
import { type Block, type Inline, parseMarkdown } from '@/lib/core/formats/markdown';

type Props = {
  text: string;
  /** The heading level of the text's largest headings: one below the page's own. */
  topLevel: 2 | 3;
  /** Renders a code block; a plain `<pre>` by default. */
  drawCode?: (code: string) => ReactNode;
};

/** Light Markdown as unstyled elements. HTML in it is shown as text. */
export function Markdown({ text, topLevel, drawCode = drawPlainCode }: Props) {
  return gather(
    parseMarkdown(text).map((block) =>
      block.kind === 'code' ? drawCode(block.text) : drawBlock(block, topLevel),
    ),
  );
}

/** Children without keys: their order never changes. */
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
