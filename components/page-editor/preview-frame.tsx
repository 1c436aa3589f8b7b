import { type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

type Props = {
  /** The page to draw, as JSON. */
  asked: string;
  isSeen: boolean;
  /** The window of the page that is shown, in its own pixels. */
  width: number;
  leastHeight: number;
  /** How much smaller it is shown. */
  scale: number;
  /** Told once whether the page could be drawn. */
  settle: (isDrawn: boolean) => void;
};

/**
 * A picture of one page, as tall as the page is; nothing in it runs or can be pressed. The page is sent into the frame by a
 * form, so that it comes with headers of its own.
 */
export function PreviewFrame({ asked, isSeen, width, leastHeight, scale, settle }: Props) {
  const name = `preview${useId()}`;
  const form = useRef<HTMLFormElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [contentHeight, setContentHeight] = useState(0);
  const height = Math.max(contentHeight, leastHeight);

  useEffect(() => form.current?.submit(), []);

  // After every drawing: the page has another height at another width.
  useLayoutEffect(() => {
    if (isSeen) setContentHeight(frame.current?.contentDocument?.documentElement.offsetHeight ?? 0);
  });

  const look = ({ currentTarget: { contentDocument } }: SyntheticEvent<HTMLIFrameElement>) => {
    if (contentDocument?.URL === 'about:blank') return;
    // Neither a refusal nor the browser's own page for a service that is silent has it.
    const isDrawn = contentDocument?.getElementById('main') != null;
    if (contentDocument && isDrawn) contentDocument.body.inert = true;
    settle(isDrawn);
  };

  return (
    <div
      className={isSeen ? 'relative mx-auto overflow-hidden' : 'invisible absolute'}
      style={{ width: width * scale, height: height * scale }}
    >
      <form ref={form} method="post" action="/preview/status-page" target={name} hidden>
        <input type="hidden" name="page" value={asked} />
      </form>
      <iframe
        ref={frame}
        name={name}
        title="The page as visitors would see it"
        // Its own origin is ours, for it to be measured; without scripts that gives it nothing.
        sandbox="allow-same-origin"
        onLoad={look}
        aria-hidden={!isSeen}
        className="absolute top-0 left-0 origin-top-left border-0"
        style={{ width, height, transform: `scale(${scale})` }}
      />
    </div>
  );
}
