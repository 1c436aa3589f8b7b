import { useLayoutEffect, useRef, useState } from 'react';

type Props = {
  html: string;
  /** The window of the page that is shown, in its own pixels. */
  width: number;
  leastHeight: number;
  /** How much smaller it is shown. */
  scale: number;
};

/**
 * A picture of the page: as tall as the page is; nothing in it runs or can be pressed. A newer one is loaded behind the
 * one that is seen and takes its place once it is there, so that nothing flickers.
 */
export function PreviewFrame({ html, width, leastHeight, scale }: Props) {
  const [seen, setSeen] = useState<string | null>(null);
  const [contentHeight, setContentHeight] = useState(0);
  const shown = useRef<HTMLIFrameElement>(null);
  const height = Math.max(contentHeight, leastHeight);

  // After every drawing: another page, or the same one at another width, has another height.
  useLayoutEffect(() => {
    if (shown.current) setContentHeight(measure(shown.current));
  });

  return (
    <div
      className="relative mx-auto overflow-hidden"
      style={{ width: width * scale, height: height * scale }}
    >
      {[...new Set([seen ?? html, html])].map((source) => (
        <iframe
          key={source}
          ref={source === seen ? shown : undefined}
          title="The page as visitors would see it"
          // Its own origin is ours, for it to be measured; without scripts that gives it nothing.
          sandbox="allow-same-origin"
          srcDoc={source}
          onLoad={({ currentTarget: { contentDocument } }) => {
            if (contentDocument) contentDocument.body.inert = true;
            setSeen(source);
          }}
          aria-hidden={source !== seen}
          className={`absolute top-0 left-0 origin-top-left border-0 ${source === seen ? '' : 'invisible'}`}
          style={{ width, height, transform: `scale(${scale})` }}
        />
      ))}
    </div>
  );
}

function measure({ contentDocument }: HTMLIFrameElement): number {
  return contentDocument?.documentElement.offsetHeight ?? 0;
}
