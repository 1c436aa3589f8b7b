import { Circle, CircleCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { RowLink, Section } from '@/components/ui/section';
import type { FirstStep, FirstSteps as Steps } from '@/lib/domain/organizations/first-steps';

const TEXTS: Record<FirstStep, { label: string; why: string }> = {
  monitor: { label: 'Monitor a URL', why: 'Or a port, a host, DNS, or a job.' },
  channel: { label: 'Add a way to be notified', why: 'Nobody is notified yet.' },
  test: { label: 'Send a test', why: 'See a message arrive before you need it.' },
  page: { label: 'Publish a status page', why: 'Show users what works and what does not.' },
  colleague: { label: 'Invite a colleague', why: 'You will not always be awake.' },
};
const ORDER = Object.keys(TEXTS) as FirstStep[];

type Props = {
  steps: Steps;
  /** Where each is done; none for what the reader may not do. */
  links: Partial<Record<FirstStep, string>>;
  /** Absent for those who may not. */
  dismiss?: () => Promise<void>;
};

/** What a new organization needs to do, until all of it is done or dismissed. */
export function FirstSteps({ steps, links, dismiss }: Props) {
  const done = ORDER.filter((step) => steps[step]).length;
  return (
    <Section
      title="First steps"
      gap="gap-2"
      aside={
        <>
          <span className="text-sm text-muted tabular-nums">
            {done} of {ORDER.length} done
          </span>
          {dismiss ? (
            <form action={dismiss}>
              <Button type="submit" tone="bare" size="small">
                Dismiss
              </Button>
            </form>
          ) : null}
        </>
      }
    >
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:grid-cols-5">
        {ORDER.map((step) => (
          <Step
            key={step}
            {...TEXTS[step]}
            isDone={steps[step]}
            isUrgent={step === 'channel'}
            href={links[step]}
          />
        ))}
      </ol>
    </Section>
  );
}

/** `isUrgent`: phones, too, show why. */
type StepProps = { label: string; why: string; isDone: boolean; isUrgent: boolean; href?: string };

function Step({ label, why, isDone, isUrgent, href }: StepProps) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="relative flex items-start gap-2 bg-surface px-3 py-2.5 has-[a:hover]:bg-sunken max-sm:py-3 sm:last:odd:col-span-2 lg:last:odd:col-span-1">
      <Icon
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
        className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-good' : 'text-muted'}`}
      />
      <div className="min-w-0">
        {isDone || href === undefined ? (
          <p className={isDone ? 'text-muted' : 'font-medium'}>{label}</p>
        ) : (
          <RowLink href={href} className="text-accent">
            {label}
          </RowLink>
        )}
        {isDone ? null : <p className={`text-xs text-muted ${isUrgent ? '' : 'max-sm:hidden'}`}>{why}</p>}
      </div>
    </li>
  );
}
