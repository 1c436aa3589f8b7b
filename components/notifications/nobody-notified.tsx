import { BellOff } from 'lucide-react';
import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';

/** Shown wherever it matters while no channel is enabled and no member is emailed. `mayCreate`: whether the reader can add a channel. */
export function NobodyNotified({ mayCreate }: { mayCreate: boolean }) {
  return (
    <Banner tone="slow" Icon={BellOff}>
      Nobody is notified yet.{' '}
      {mayCreate ? (
        <TextLink href="/notifications/new">Add a channel</TextLink>
      ) : (
        'Ask a member or admin of this organization to add a channel.'
      )}
    </Banner>
  );
}
