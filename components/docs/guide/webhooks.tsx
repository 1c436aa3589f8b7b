import { CodePanel } from '../code-panel';
import { FieldTable } from '../field-table';
import type { EventView } from '../reference';
import { type Sample, SampleTabs } from '../sample-tabs';
import { MeaningTable, Section } from './section';

const HEADERS = [
  { name: 'X-Service-Event', meaning: 'The kind of event.' },
  { name: 'X-Service-Delivery-Id', meaning: 'del_…, the same on every retry and replay. Deduplicate by it.' },
  { name: 'X-Service-Attempt', meaning: 'Which try this is, from 1.' },
  {
    name: 'X-Service-Timestamp',
    meaning: 'When the event occurred, in Unix seconds; the same on every try.',
  },
  { name: 'X-Service-Signature', meaning: 'sha256= and the signature in lowercase hex.' },
  {
    name: 'X-Service-Signature-Next',
    meaning: 'The same with the new secret, only while the secret is rotated.',
  },
  { name: 'webhook-id', meaning: 'The delivery id once more, as Standard Webhooks names it.' },
  { name: 'webhook-timestamp', meaning: 'When this try was sent, in Unix seconds.' },
  {
    name: 'webhook-signature',
    meaning: 'v1,… of Standard Webhooks; one for every valid secret, with spaces between.',
  },
];

const FORMATS = [
  { name: 'standard', meaning: 'The payloads of the events below, signed. The default.' },
  { name: 'slack', meaning: 'A message in blocks, for an incoming webhook of Slack.' },
  { name: 'discord', meaning: 'An embed, for a webhook of a Discord channel. It mentions nobody.' },
  {
    name: 'teams',
    meaning:
      'A message with an Adaptive Card, for a Teams workflow that posts to a channel when a webhook request is received.',
  },
];

type Props = {
  serviceName: string;
  /** Waits before each retry, in words. */
  retries: string[];
  samples: Sample[];
};

/** How events reach a receiver, and how it knows that they are genuine. */
export function Webhooks({ serviceName, retries, samples }: Props) {
  return (
    <>
      <Section id="receiving-webhooks" title="Receiving webhooks">
        <p>
          Events are sent by POST, as JSON, to the endpoints of your organization. Answer 2xx within 30
          seconds; do what takes longer afterwards. Redirects are not followed and count as failures. Use
          https.
        </p>
        <MeaningTable
          caption="Headers of a delivery"
          heads={['Header', 'Meaning']}
          rows={[{ name: 'User-Agent', meaning: `${serviceName}-Webhook/1.0` }, ...HEADERS]}
        />
        <p>
          What fails is tried again {retries.length} times: {retries.join(', ')} after the failure before. The
          body is the same to the byte on every try. When the last retry fails, the delivery is{' '}
          <code>failed</code>; it stays in the log, from where it can be replayed, and{' '}
          <code>POST /webhooks/{'{id}'}/recover</code> queues all that failed since a moment again.
        </p>
        <p>
          An endpoint that only fails for 5 days is disabled and its owner told. <code>webhook.test</code>,
          sent on request, has one try and the body <code>{'{event, timestamp, webhook: {id, url}}'}</code>.
        </p>
      </Section>
      <Section id="webhook-formats" title="Chat messages">
        <p>
          An endpoint has a <code>format</code>. Give it the address that Slack, Discord or Teams made for a
          channel, and the format of that product: events arrive as readable messages, with a link to the
          monitor or the incident where <code>APP_URL</code> is set.
        </p>
        <MeaningTable caption="Formats of an endpoint" heads={['Format', 'What is sent']} rows={FORMATS} />
        <p>
          Messages to chat products are not signed: the signature headers are left out, and the secret, which
          is made all the same, is unused until the format is <code>standard</code> again. The schedule of
          retries is the same; 429 is a failure like any other. A message is fixed when the event occurs: a
          later change of the format counts for later events.
        </p>
        <p>
          A monitor that goes down is told twice, as <code>monitor.down</code> and as{' '}
          <code>incident.created</code>. In a channel, one of the two families of <code>events</code> is
          enough.
        </p>
      </Section>
      <Section id="verifying-webhooks" title="Verifying webhooks">
        <p>
          <code>X-Service-Signature</code> is <code>sha256=</code> and the HMAC-SHA256, in lowercase hex, of
          the raw body; the key is the whole text of the secret, <code>whsec_</code> included. Compare it
          before the body is parsed, in constant time, and answer 401 where it does not match. Then skip ids
          that you have seen.
        </p>
        <p>
          <code>POST /webhooks/{'{id}'}/rotate-secret</code> shows a new secret. For 24 hours, or until the
          rotation is finished, the old one goes on signing <code>X-Service-Signature</code>, and the new one
          signs <code>X-Service-Signature-Next</code>: a receiver that looks at both misses nothing, whichever
          secret it has. A library for Standard Webhooks works as well, with the same secret.
        </p>
        <SampleTabs id="verify" of="verifying a webhook" samples={samples} />
      </Section>
    </>
  );
}

/** One event: its fields, and a body as it is sent. */
export function EventArticle({ event: { id, kind, fields, example } }: { event: EventView }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      data-entry={kind}
      data-hint="Event"
      className="grid scroll-mt-12 gap-x-8 gap-y-4 border-t border-line py-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]"
    >
      <div className="flex min-w-0 flex-col gap-3">
        <h3 id={`${id}-title`} className="font-mono text-base font-semibold">
          <a href={`#${id}`} className="hover:underline">
            {kind}
          </a>
        </h3>
        <FieldTable id={id} caption="Payload" fields={fields} isAnswer />
      </div>
      <div className="min-w-0 xl:sticky xl:top-20 xl:self-start">
        <CodePanel
          text={example}
          label={`Copy the example of ${kind}`}
          className="rounded-md border border-line bg-sunken"
        />
      </div>
    </section>
  );
}
