import type { SubscribedEndpoint } from '@/lib/domain/subscribers/endpoints/endpoint-subscription';
import { LANGUAGES } from '@/lib/schemas/language';
import { MESSAGES } from '../messages';
import type { Translator } from '../translator';
import { formatRowsProblem, RowChoice } from './row-choice';
import { SigningSecret } from './signing-secret';
import type { SubscriptionScreen } from './subscription-screen';

type Props = {
  screen: Extract<SubscriptionScreen, { shows: 'manage' }>;
  /** Where a form of a step is sent, with the parameters of the emailed link. */
  actionOf: (step: string) => string;
  t: Translator;
};

/** What a subscriber can change behind the link in each email: what emails are about, their language, and to get none. */
export function ManageSubscription({ screen, actionOf, t }: Props) {
  const { groups, rows, language, notice, endpoint, secret } = screen;
  const { manage } = t.messages.subscription;
  return (
    <>
      {notice === 'saved' ? (
        <p className="good" role="status">
          {manage.saved}
        </p>
      ) : null}
      {notice === 'rowsGone' ? <p className="slow">{manage.rowsGone}</p> : null}
      <form method="post" action={actionOf('/subscription')}>
        <RowChoice groups={groups} rows={rows} t={t} />
        <label htmlFor="language">{manage.language}</label>
        <select id="language" name="language" defaultValue={language}>
          {LANGUAGES.map((lang) => (
            <option key={lang} value={lang} lang={lang}>
              {MESSAGES[lang].language}
            </option>
          ))}
        </select>
        <button type="submit">{manage.submit}</button>
        {notice === 'noRows' || notice === 'tooManyRows' ? (
          <p className="bad" role="alert">
            {formatRowsProblem(notice, t)}
          </p>
        ) : null}
      </form>
      {endpoint ? (
        <ManageEndpoint endpoint={endpoint} secret={secret} t={t} action={actionOf('/subscription')} />
      ) : null}
      <h2>{manage.end}</h2>
      <p>{manage.endText}</p>
      <form method="post" action={actionOf('/unsubscribe')}>
        <button type="submit" className="second">
          {manage.endSubmit}
        </button>
      </form>
    </>
  );
}

type ManageEndpointProps = {
  endpoint: SubscribedEndpoint;
  secret: string | null;
  action: string;
  t: Translator;
};

/** Whether an endpoint works, and buttons that start it again and rotate its secret. */
function ManageEndpoint({
  endpoint: { channel, failingSince, stoppedAt },
  secret,
  action,
  t,
}: ManageEndpointProps) {
  const { endpoint } = t.messages.subscription;
  return (
    <>
      {stoppedAt !== null ? (
        <form method="post" action={action}>
          <p className="bad">{endpoint.stopped}</p>
          <button type="submit" name="act" value="restart">
            {endpoint.restart}
          </button>
        </form>
      ) : null}
      {stoppedAt === null && failingSince !== null ? <p className="slow">{endpoint.failing}</p> : null}
      <SigningSecret secret={secret} t={t} />
      {channel === 'webhook' && secret === null ? (
        <>
          <h2>{endpoint.secret}</h2>
          <p>{endpoint.rotateText}</p>
          <form method="post" action={action}>
            <button type="submit" name="act" value="rotate" className="second">
              {endpoint.rotate}
            </button>
          </form>
        </>
      ) : null}
    </>
  );
}
