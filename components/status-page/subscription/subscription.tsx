import { fill } from '@/lib/core/text';
import { SUBSCRIBER_CHANNELS, type SubscriberChannel } from '@/lib/schemas/status-pages/subscriber-channel';
import { linkTo, type PagePlace } from '../links';
import type { Translator } from '../translator';
import { ManageSubscription } from './manage-subscription';
import { formatRowsProblem, RowChoice } from './row-choice';
import { SigningSecret } from './signing-secret';
import type { SubscriptionScreen } from './subscription-screen';

type Props = {
  screen: SubscriptionScreen;
  /** Where the form of a step is sent, with the parameters of the emailed link. */
  actionOf: (step: string) => string;
  pageName: string;
  place: PagePlace;
  t: Translator;
};

/** The title of a screen. */
export function titleOf(screen: SubscriptionScreen, t: Translator): string {
  return textsOf(screen, t).title;
}

type Texts = { title: string; text: string };

function textsOf(screen: SubscriptionScreen, { messages: { subscription } }: Translator): Texts {
  if (screen.shows === 'form') return subscription;
  const texts = subscription[screen.shows];
  const text = hostOf(screen) === null ? texts.text : endpointText(screen, subscription.endpoint);
  return { title: texts.title, text };
}

/** The host of the endpoint that a screen is about; null for subscriptions by email. */
function hostOf(screen: SubscriptionScreen): string | null {
  if (screen.shows === 'confirm') return screen.host;
  return 'endpoint' in screen ? (screen.endpoint?.host ?? null) : null;
}

function endpointText(
  { shows }: SubscriptionScreen,
  endpoint: Translator['messages']['subscription']['endpoint'],
): string {
  if (shows === 'confirm') return endpoint.confirm;
  return shows === 'confirmed' ? endpoint.confirmed : endpoint.manage;
}

/** A screen that works without scripts. */
export function Subscription({ screen, actionOf, pageName: name, place, t }: Props) {
  const texts = textsOf(screen, t);
  const email = 'email' in screen ? screen.email : '';
  return (
    <section id="subscription">
      <h2>{texts.title}</h2>
      <p>{fill(texts.text, { name, email, host: hostOf(screen) ?? '' })}</p>
      {screen.shows === 'form' ? (
        <SubscribeForm screen={screen} t={t} action={actionOf('/subscribe')} />
      ) : null}
      {screen.shows === 'manage' ? <ManageSubscription screen={screen} actionOf={actionOf} t={t} /> : null}
      {screen.shows === 'confirmed' ? <SigningSecret secret={screen.endpoint?.secret ?? null} t={t} /> : null}
      {screen.shows === 'confirm' ? (
        <form method="post" action={actionOf('/confirm')}>
          <button type="submit">{t.messages.subscription.confirm.submit}</button>
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

function SubscribeForm({
  screen: { email, channel, url, groups, rows, problem },
  action,
  t,
}: Pick<Props, 't'> & { action: string; screen: Extract<SubscriptionScreen, { shows: 'form' }> }) {
  const { subscription } = t.messages;
  return (
    <form method="post" action={action}>
      <ChannelChoice
        channel={channel}
        url={url}
        t={t}
        isWrong={problem === 'wrongUrl' || problem === 'wrongSlack'}
      />
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
      <RowChoice groups={groups} rows={rows} t={t} />
      <button type="submit">{subscription.submit}</button>
      {problem === null ? null : (
        <p id="problem" className="bad" role="alert">
          {problem === 'noRows' || problem === 'tooManyRows'
            ? formatRowsProblem(problem, t)
            : subscription[problem]}
        </p>
      )}
    </form>
  );
}

type ChannelChoiceProps = { channel: SubscriberChannel; url: string; isWrong: boolean; t: Translator };

/** How a subscriber is notified, and the URL of an endpoint, which styles hide for email. */
function ChannelChoice({ channel, url, isWrong, t }: ChannelChoiceProps) {
  const { subscription } = t.messages;
  return (
    <>
      <fieldset>
        <legend>{subscription.channel.legend}</legend>
        {SUBSCRIBER_CHANNELS.map((each) => (
          <label key={each}>
            <input type="radio" name="channel" value={each} defaultChecked={each === channel} />
            {subscription.channel[each]}
          </label>
        ))}
      </fieldset>
      <div className="endpoint">
        <label htmlFor="url">{subscription.url}</label>
        <input
          id="url"
          name="url"
          type="url"
          maxLength={2048}
          placeholder="https://"
          defaultValue={url}
          aria-invalid={isWrong ? true : undefined}
          aria-describedby={isWrong ? 'problem' : 'url-hint'}
        />
        <p id="url-hint">{subscription.urlHint}</p>
      </div>
    </>
  );
}
