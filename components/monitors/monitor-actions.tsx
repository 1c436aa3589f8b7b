'use client';

import { Pause, Pencil, Play } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useActionState } from 'react';
import { useShortcuts } from '@/components/shell/shortcuts/use-shortcuts';
import { Banner } from '@/components/ui/banner';
import { buttonLook } from '@/components/ui/button';
import { SubmitButton } from '@/components/ui/submit-button';
import { MonitorMenu } from './monitor-menu';

/** Answers what went wrong, or null. */
type Action = () => Promise<string | null>;
type Props = { id: string; name: string; enabled: boolean; curl: string; setEnabled: Action; remove: Action };

/** Pause or resume, edit, and in a menu what is done seldom. */
export function MonitorActions({ id, name, enabled, curl, setEnabled, remove }: Props) {
  const [problem, toggle, isToggling] = useActionState(setEnabled, null);
  const router = useRouter();
  const editHref = `/monitors/${id}/edit`;
  useShortcuts({ e: { label: 'Edit this monitor', run: () => router.push(editHref) } });
  const Icon = enabled ? Pause : Play;
  return (
    <div className="flex flex-col gap-2 sm:items-end">
      <div className="flex gap-2">
        <form action={toggle}>
          <SubmitButton isPending={isToggling} tone={enabled ? 'quiet' : 'primary'}>
            {isToggling ? null : <Icon aria-hidden="true" />}
            {enabled ? 'Pause' : 'Resume'}
          </SubmitButton>
        </form>
        <Link prefetch={false} href={editHref} className={buttonLook()}>
          <Pencil aria-hidden="true" />
          Edit
        </Link>
        <MonitorMenu id={id} name={name} curl={curl} remove={remove} />
      </div>
      <div role="alert" className="empty:sr-only">
        {problem ? <Banner tone="bad">{problem}</Banner> : null}
      </div>
    </div>
  );
}
