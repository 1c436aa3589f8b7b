import { Markdown } from '@/components/ui/markdown';

const LOOK = [
  'flex max-w-[75ch] flex-col gap-3 wrap-anywhere',
  '[&_:is(h3,h4,h5)]:mt-1 [&_:is(h3,h4,h5)]:font-semibold [&_p]:whitespace-pre-line',
  '[&_ul]:list-disc [&_ol]:list-decimal [&_:is(ul,ol)]:pl-6',
  '[&_a]:text-accent [&_a]:underline [&_a]:underline-offset-2',
  '[&_code]:font-mono [&_code]:text-xs [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-3 [&_blockquote]:text-muted',
  '[&_pre]:rounded-md [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:p-3 [&_pre]:whitespace-pre-wrap',
].join(' ');

/** A postmortem as the dashboard shows it. */
export function PostmortemText({ text }: { text: string }) {
  return (
    <div className={LOOK}>
      <Markdown text={text} topLevel={3} />
    </div>
  );
}
