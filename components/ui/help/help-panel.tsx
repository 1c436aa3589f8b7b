import { Popover } from 'radix-ui';
import { TextLink } from '@/components/ui/text-link';
import { HELP_TOPICS, type HelpTopic } from '@/lib/schemas/help-topics';

type Props = { topic: HelpTopic; buttonId: string; onClose: () => void };

/** What a topic is about, next to its button. Loaded on demand, with the library behind it. */
export function HelpPanel({ topic, buttonId, onClose }: Props) {
  const { title, sentences, href } = HELP_TOPICS[topic];
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      {/* Where the panel opens: the button itself was there before this code. */}
      <Popover.Anchor asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          aria-label={title}
          side="bottom"
          align="start"
          collisionPadding={12}
          onInteractOutside={(event) => {
            // A press of the button closes the panel itself.
            const { target } = event;
            if (target instanceof Element && target.closest(`#${CSS.escape(buttonId)}`))
              event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            document.getElementById(buttonId)?.focus();
          }}
          className="z-50 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 rounded-lg border border-line bg-surface p-3 text-sm shadow-lg outline-none"
        >
          <p className="font-medium">{title}</p>
          <p className="text-muted">{sentences.join(' ')}</p>
          <p>
            {/* What is typed in the form stays. */}
            <TextLink href={href} target="_blank">
              Read more in the docs
            </TextLink>
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
