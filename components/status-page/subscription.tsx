import { fill } from '@/lib/core/text';
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
export function titleOf(screen: SubscriptionScreen, t: Translator): string {
  return textsOf(screen, t).title;
}

type Texts = { title: string; text: string; submit?: string };

function textsOf({ shows }: SubscriptionScreen, { messages: { subscription } }: Translator): Texts {
  return shows === 'form' ? subscription : subscription[shows];
}

/** A screen that works without scripts. */
export function Subscription({ screen, action, pageName: name, place, t }: Props) {
  const texts = textsOf(screen, t);
  const email = screen.shows === 'sent' ? screen.email : '';
  return (
    <section id="subscription">
      <h2>{texts.title}</h2>
      <p>{fill(texts.text, { name, email })}</p>
      {screen.shows === 'form' ? (
        <EmailForm screen={screen} action={action} t={t} />
      ) : texts.submit ? (
        <form method="post" action={action}>
          <button type="submit">{texts.submit}</button>
        </form>
      ) : null}
      {screen.shows === 'expired' ? (
        <p>
          <a href={linkTo(place, '/subscribe')}>{t.messages.subscription.link}</a>
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
