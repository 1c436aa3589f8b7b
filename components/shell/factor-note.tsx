import { Banner } from '@/components/ui/banner';
import { TextLink } from '@/components/ui/text-link';
import { Moment } from '@/components/ui/time/moment';

/** `from`: null if the organization does not require a second factor, or the reader has one. */
type Props = { from: Date | null; organizationName: string; now: Date };

/** Tells members who lack the second factor that their organization will require, while its grace period lasts. */
export function FactorNote({ from, organizationName, now }: Props) {
  if (from === null) return null;
  return (
    <Banner tone="slow" className="mb-6">
      {organizationName} requires a second factor{' '}
      <Moment at={from.toISOString()} now={now.toISOString()} as="until" />.{' '}
      <TextLink href="/sign-in/set-up-second-factor">Set it up</TextLink>
    </Banner>
  );
}
