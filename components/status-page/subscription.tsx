import { fill } from '@/lib/core/fill';
import { linkTo, type Place } from './links';
import type { Translator } from './translator';

/** Why a subscription request was rejected. */
export type SubscriptionProblem = 'wrong' | 'tooMany' | 'pageLimit' | 'otherSite';

/** The screens of subscribing and unsubscribing. */
export type SubscriptionScreen =
  | { shows: 'form'; email: string; problem: SubscriptionProblem | null }
  | { shows: 'confirm' | 'unsubscribe' | 'confirmed' | 'unsubscribed' | 'expired' }
  | { shows: 'sent'; email: string };

type Props = {
  screen: SubscriptionScreen;
  /** Where the form is sent, with the parameters of the emailed link. */
  action: string;
  pageName: string;
  place: Place;
  t: Translator;
};

/** The title of a screen. */
export function titleOf({ shows }: SubscriptionScreen, { messages }: Translator): string {
  const { subscription } = messages;
  return shows === 'form' ? subscription.title : subscription[shows].title;
}

/** A screen that works without scripts. */
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
  const texts = subscription[shows];
  const email = shows === 'sent' ? screen.email : '';
  return (
    <section id="subscription">
      <h2>{texts.title}</h2>
      <p>{fill(texts.text, { name, email })}</p>
      {'submit' in texts ? (
        <form method="post" action={action}>
          <button type="submit">{texts.submit}</button>
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
