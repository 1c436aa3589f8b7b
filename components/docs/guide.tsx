import type { ReactNode } from 'react';
import { Markdown } from '@/components/ui/markdown';
import { CodePanel } from './code-panel';

/** A section of a guide; `text` is light Markdown without its heading. */
/** `page` is the path of the page that shows it. */
export type GuideSection = { id: string; title: string; text: string; page: string };

const LOOK =
  'flex max-w-3xl scroll-mt-12 flex-col gap-3 border-t border-line py-8 [&_code]:font-mono [&_code]:text-[0.8125rem] [&_code]:wrap-anywhere [&_li]:ml-4 [&_li]:list-disc [&_li]:pb-1 [&_ol_li]:list-decimal';

/** One section of a guide of the API; `children` follow its text. */
export function Guide({ section, children }: { section: GuideSection; children?: ReactNode }) {
  const { id, title, text } = section;
  const drawCode = (code: string) => <CodePanel text={code} label={`Copy the example: ${title}`} />;
  return (
    <GuideArticle id={id} title={title}>
      <Markdown text={text} topLevel={3} drawCode={drawCode} />
      {children}
    </GuideArticle>
  );
}

type ArticleProps = {
  id: string;
  /** Null for what stands before all headings. */
  title: string | null;
  children: ReactNode;
};

/** A section of a page with its heading. */
export function GuideArticle({ id, title, children }: ArticleProps) {
  if (title === null) return <div className={LOOK}>{children}</div>;
  return (
    <section id={id} aria-labelledby={`${id}-title`} data-entry="" className={LOOK}>
      <h2 id={`${id}-title`} className="text-lg font-semibold">
        <a href={`#${id}`} className="touch-area inline-block hover:underline">
          {title}
        </a>
      </h2>
      {children}
    </section>
  );
}
