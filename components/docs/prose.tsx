import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { CodePanel } from './code-panel';
import { slugify } from './reference';

type Props = {
  tokens: readonly Token[];
  /** Where a link leads; null if nowhere: then it is only its text. */
  linkTo: (href: string) => string | null;
};

/** A document of the repository, already parsed, with links into the service. HTML and pictures are left out. */
export function Prose({ tokens, linkTo }: Props): ReactNode {
  const draw = (inner: readonly Token[] = []): ReactNode =>
    // Children without keys: their order never changes.
    createElement(Fragment, null, ...inner.map((token) => drawToken(token as MarkedToken, draw, linkTo)));
  return draw(tokens);
}

type Draw = (tokens?: readonly Token[]) => ReactNode;

function drawToken(token: MarkedToken, draw: Draw, linkTo: Props['linkTo']): ReactNode {
  switch (token.type) {
    case 'heading': {
      const id = slugify(token.text);
      return (
        <h3 id={id} className="scroll-mt-16 pt-2 font-semibold">
          <a href={`#${id}`} className="touch-area inline-block hover:underline">
            {draw(token.tokens)}
          </a>
        </h3>
      );
    }
    case 'paragraph':
      return <p>{draw(token.tokens)}</p>;
    case 'text':
      return token.tokens ? draw(token.tokens) : token.text;
    case 'escape':
      return token.text;
    case 'list': {
      const items = token.items.map((item) => <li key={item.raw}>{draw(item.tokens)}</li>);
      return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return <Table table={token} draw={draw} />;
    case 'code':
      return <CodePanel text={token.text} label={`Copy: ${token.text.split('\n', 1)[0]}`} />;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
      return <strong className="font-semibold">{draw(token.tokens)}</strong>;
    case 'em':
      return <em>{draw(token.tokens)}</em>;
    case 'blockquote':
      return <blockquote className="border-l-2 border-line pl-3">{draw(token.tokens)}</blockquote>;
    case 'link': {
      const href = linkTo(token.href);
      return href === null ? (
        draw(token.tokens)
      ) : (
        <a href={href} className="text-accent underline">
          {draw(token.tokens)}
        </a>
      );
    }
    default:
      return null;
  }
}

function Table({ table, draw }: { table: Tokens.Table; draw: Draw }) {
  const hasHead = table.header.some(({ text }) => text !== '');
  return (
    <table className="w-full text-left text-[0.8125rem] wrap-anywhere [&_td]:border-t [&_td]:border-line [&_td]:py-1.5 [&_td]:pr-3 [&_td]:align-top [&_th]:py-1.5 [&_th]:pr-3 [&_th]:font-medium">
      {hasHead ? (
        <thead>
          <tr>{gatherCells(table.header, 'th', draw)}</tr>
        </thead>
      ) : null}
      <tbody>
        {table.rows.map((row) => (
          <tr key={row.map(({ text }) => text).join('|')}>{gatherCells(row, 'td', draw)}</tr>
        ))}
      </tbody>
    </table>
  );
}

function gatherCells(cells: readonly Tokens.TableCell[], kind: 'th' | 'td', draw: Draw): ReactNode {
  // A column without a name has no header.
  const drawn = cells.map(({ text, tokens }) => {
    const isLink = tokens.length === 1 && tokens[0]?.type === 'link';
    const look = isLink ? { className: '[&_a]:touch [&_a]:inline-flex [&_a]:items-center' } : null;
    return createElement(text === '' ? 'td' : kind, look, draw(tokens));
  });
  return createElement(Fragment, null, ...drawn);
}
