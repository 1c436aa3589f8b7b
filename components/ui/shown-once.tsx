'use client';

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Banner } from './banner';
import { CodeBlock } from './code-block';

type HeadingProps = { level: 'h2' | 'h3' | 'h4'; id?: string; children: ReactNode };

/** A heading that takes the focus when it appears, so that screen readers read what is new. */
export function FocusedHeading({ level: Heading, id, children }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Heading
      id={id}
      ref={heading}
      tabIndex={-1}
      className={`${Heading === 'h2' ? 'text-base' : ''} font-semibold wrap-anywhere outline-none`}
    >
      {children}
    </Heading>
  );
}

type Props = {
  title: string;
  level: HeadingProps['level'];
  /** The secret or link. */
  text: string;
  copyLabel: string;
  tone?: 'note' | 'slow';
  /** Replaces the request to copy it. */
  note?: ReactNode;
  children?: ReactNode;
};

/** A new secret or link: the only time it is shown. `children` explain how to use it. */
export function ShownOnce({ title, level, text, copyLabel, tone = 'slow', note, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <FocusedHeading id={id} level={level}>
        {title}
      </FocusedHeading>
      <Banner tone={tone}>{note ?? 'Copy it now. You won’t be able to see it again.'}</Banner>
      <CodeBlock text={text} label={copyLabel} />
      {children}
    </section>
  );
}
