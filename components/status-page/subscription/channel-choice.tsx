import { SUBSCRIBER_CHANNELS, type SubscriberChannel } from '@/lib/schemas/status-pages/subscriber-channel';
import type { Translator } from '../translator';

type Props = { channel: SubscriberChannel; url: string; isWrong: boolean; t: Translator };

/** How a subscriber is notified, and the URL of an endpoint, which styles hide for email. */
export function ChannelChoice({ channel, url, isWrong, t }: Props) {
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
