import { LoaderCircle } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Banner } from '@/components/ui/banner';
import { RunList } from './run-list';
import type { Run } from './runs';

/** A requested check: its runs, empty until it is accepted, or why it was rejected. */
export type RequestedCheck = { runs: readonly Run[]; problem: string | null };

type Props = { buttonId: string; check: RequestedCheck; onClose: () => void };

/** The results of a requested check below its button. Loaded on demand, with the library behind it. */
export function CheckNowPanel({ buttonId, check: { runs, problem }, onClose }: Props) {
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      {/* Where the panel opens: the button itself was there before this code. */}
      <Popover.Anchor asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          aria-label="Check now"
          align="end"
          sideOffset={6}
          collisionPadding={8}
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
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-96 max-w-[calc(100vw-1rem)] flex-col gap-2 overflow-y-auto rounded-lg border border-line bg-canvas p-3 text-sm shadow-lg"
        >
          <div role="status" aria-label="Results of the check">
            {problem !== null ? (
              <Banner tone="note">{problem}</Banner>
            ) : runs.length > 0 ? (
              <RunList runs={runs} />
            ) : (
              <p className="flex items-center gap-1.5 text-muted">
                <LoaderCircle className="size-4 animate-spin" />
                Starting…
              </p>
            )}
          </div>
          <p className="text-xs text-muted">
            Listed under Latest checks. Does not count toward status, uptime or response times.
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
