import { fill } from '@/lib/core/fill';
import { linkTo, type Place } from './links';
import type { Translator } from './translator';

/** Why an address was not asked for confirmation. */
export type SubscriptionProblem = 'wrong' | 'tooMany' | 'pageLimit' | 'otherSite';

/** What a visitor sees on the way into a subscription and out of it. */
export type SubscriptionScreen =
  | { shows: 'form'; email: string; problem: SubscriptionProblem | null }
  | { shows: 'confirm' | 'unsubscribe' | 'confirmed' | 'unsubscribed' | 'expired' }
  | { shows: 'sent'; email: string };

type Props = {
  screen: SubscriptionScreen;
  /** Where a form is sent, with what the link in a mail carried. */
  action: string;
  pageName: string;
  place: Place;
  t: Translator;
};

/** The heading of a screen. */
export function titleOf({ shows }: SubscriptionScreen, { messages }: Translator): string {
  const { subscription } = messages;
  return shows === 'form' ? subscription.title : subscription[shows].title;
}

/** A screen as HTML that needs no script. */
export function Subscription({ screen, action, pageName: name, place, t }: Props) {
  const { subscription } = t.messages;
  const { shows } = screen;
  if (shows === 'form') {
    return (
      <section id="subscription">
        <h2>{subscription.title}</h2>
        <p>{fill(subscription.text, { name })}</p>
        <EmailForm screen={screen} action={action} t={t} />
      </section>
    );
  }
  const says = subscription[shows];
  const email = shows === 'sent' ? screen.email : '';
  return (
    <section id="subscription">
      <h2>{says.title}</h2>
      <p>{fill(says.text, { name, email })}</p>
      {'submit' in says ? (
        <form method="post" action={action}>
          <button type="submit">{says.submit}</button>
        </form>
      ) : null}
      {shows === 'expired' ? (
        <p>
          <a href={linkTo(place, '/subscribe')}>{subscription.link}</a>
        </p>
      ) : null}
    </section>
  );
}

function EmailForm({
  screen: { email, problem },
  action,
  t,
}: Pick<Props, 'action' | 't'> & { screen: Extract<SubscriptionScreen, { shows: 'form' }> }) {
  const { subscription } = t.messages;
  return (
    <form method="post" action={action}>
      <label htmlFor="email">{subscription.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={254}
        defaultValue={email}
        aria-invalid={problem === 'wrong' ? true : undefined}
        aria-describedby={problem === null ? undefined : 'problem'}
      />
      <button type="submit">{subscription.submit}</button>
      {problem === null ? null : (
        <p id="problem" className="bad" role="alert">
          {subscription[problem]}
        </p>
      )}
    </form>
  );
}
