'use client';

import { startTransition, useActionState, useSyncExternalStore } from 'react';
import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ProblemAlert } from '@/components/ui/problem-alert';
import { Moment } from '@/components/ui/time/moment';
import type { PushTarget } from '@/lib/schemas/push';
import { findObstacle, OBSTACLES, subscribe } from './push-subscribing';

/** A browser in which the person is notified; moments in ISO 8601. */
export type PushBrowser = {
  id: string;
  browser: string;
  isThis: boolean;
  createdAt: string;
  /** Null: nothing was sent to it yet. */
  lastUsedAt: string | null;
};

type Props = {
  /** This browser first. */
  browsers: readonly PushBrowser[];
  now: string;
  readKey: () => Promise<ActionResult<string>>;
  add: (target: PushTarget) => Promise<ActionProblem>;
  remove: (id: string) => Promise<ActionProblem>;
  test: (id: string) => Promise<ActionProblem>;
};

type Result = { problem: ActionProblem; done?: string };
const SENT = 'Sent. The notification appears within a few seconds.';

/** What a server does not know: it renders as if nothing were in the way. */
const never = () => () => undefined;

/** The browsers in which the person is notified, and a button that adds this one, or why it cannot be. */
export function PushBrowsers({ browsers, now, readKey, add, remove, test }: Props) {
  const obstacle = useSyncExternalStore(never, findObstacle, () => null);
  const [result, run, isPending] = useActionState<Result, () => Promise<Result>>((_, act) => act(), {
    problem: null,
  });
  const start = (act: () => Promise<Result>) => startTransition(() => run(act));
  const hasThis = browsers.some(({ isThis }) => isThis);
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      {browsers.length > 0 ? (
        <ul className="w-full divide-y divide-line rounded-lg border border-line bg-surface">
          {browsers.map((each) => (
            <BrowserItem
              key={each.id}
              {...each}
              now={now}
              isPending={isPending}
              remove={() => start(async () => ({ problem: await remove(each.id) }))}
              test={() => start(async () => ({ problem: await test(each.id), done: SENT }))}
            />
          ))}
        </ul>
      ) : null}
      {/* As high as the texts, since the server does not know which it is. */}
      <div className={cn(!hasThis && 'min-h-32 sm:min-h-20')}>
        {obstacle !== null ? (
          <Banner tone="note">{OBSTACLES[obstacle]}</Banner>
        ) : hasThis ? null : (
          <Button
            disabled={isPending}
            onClick={() => start(async () => ({ problem: await subscribe({ readKey, add }) }))}
          >
            Turn on in this browser
          </Button>
        )}
      </div>
      <ProblemAlert problem={isPending ? null : result.problem} />
      <p role="status" className="text-sm text-muted empty:sr-only">
        {!isPending && result.problem === null ? result.done : null}
      </p>
    </div>
  );
}

type ItemProps = Omit<PushBrowser, 'id'> & {
  now: string;
  isPending: boolean;
  remove: () => void;
  test: () => void;
};

function BrowserItem({ browser, isThis, createdAt, lastUsedAt, now, isPending, remove, test }: ItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{browser}</p>
        <p className="text-xs text-muted">
          {isThis ? 'This browser · ' : ''}added <Moment at={createdAt} now={now} /> ·{' '}
          {lastUsedAt === null ? (
            'nothing sent yet'
          ) : (
            <>
              last notified <Moment at={lastUsedAt} now={now} />
            </>
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button disabled={isPending} aria-label={`Send a test to ${browser}`} onClick={test}>
          Send a test
        </Button>
        <Button disabled={isPending} aria-label={`Stop notifications in ${browser}`} onClick={remove}>
          Remove
        </Button>
      </div>
    </li>
  );
}
