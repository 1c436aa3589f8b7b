import { CodePanel } from '../code-panel';
import { Section } from './section';

/** Where the API is, and who may call it. */
export function Authentication({ baseUrl }: { baseUrl: string }) {
  const call = `curl ${baseUrl}/me -H "Authorization: Bearer $API_KEY"`;
  return (
    <Section id="authentication" title="Authentication">
      <p>
        Send an API key with every request, as <code>Authorization: Bearer &lt;API_KEY&gt;</code>. The answer
        to this one says which organization it belongs to:
      </p>
      <CodePanel text={call} label="Copy the call" className="rounded-md border border-line bg-sunken" />
      <ul className="flex flex-col gap-1">
        <li>
          A key has the scope <code>write</code>, or <code>read</code>, which may only <code>GET</code>:
          anything else is 403 <code>FORBIDDEN</code>.
        </li>
        <li>
          Keys begin with <code>ph_live_</code> and end in a checksum. A key is shown once, when it is made;
          only a hash of it is kept.
        </li>
        <li>
          A key can expire, be revoked at once, or be replaced with an overlap in which both work. A missing,
          unknown, revoked or expired key is 401 <code>UNAUTHORIZED</code>.
        </li>
        <li>
          A key belongs to the organization and goes on when its maker leaves. With the scope{' '}
          <code>write</code> it manages members like an admin: only an owner, in the dashboard, makes, changes
          or removes an owner, and no key renames, hands over or deletes the organization.
        </li>
        <li>
          Without a key answer only the public status page, <code>/health</code>, <code>/live</code> and{' '}
          <code>/openapi.json</code>.
        </li>
      </ul>
    </Section>
  );
}

/** How lists are cut into pages. */
export function Lists() {
  return (
    <Section id="lists" title="Lists">
      <p>
        A list is a bare array, newest first. Monitors, status pages, webhooks and API keys come whole. Lists
        that grow by themselves (results, transitions, incidents, deliveries) come in pages of 50, or of{' '}
        <code>limit</code> (1–100).
      </p>
      <p>
        Where there is more, the header <code>Link</code> holds the address of the next page; follow it as it
        is, until it is missing:
      </p>
      <CodePanel
        text={'Link: <…/deliveries?limit=50&cursor=…>; rel="next"'}
        label="Copy the header"
        className="rounded-md border border-line bg-sunken"
      />
      <p>
        A cursor stays right while rows are added or removed. Filters combine; a filter unknown to the list is
        400.
      </p>
    </Section>
  );
}

/** How to repeat a request without repeating its effect. */
export function Idempotency() {
  return (
    <Section id="idempotency" title="Repeating safely">
      <p>
        GET, PUT and DELETE can be repeated as they are. Give a POST the header <code>Idempotency-Key</code>{' '}
        with a value of your own, at most 255 characters, such as a UUID: within 24 hours the same key and
        body have their effect once, and every repetition gets the first answer again, a refusal included.
      </p>
      <ul className="flex flex-col gap-1">
        <li>
          The same key with another body is 422 <code>IDEMPOTENCY_MISMATCH</code>.
        </li>
        <li>
          While the first request still runs, a second one is 409 <code>CONFLICT</code>.
        </li>
        <li>401, 429 and 5xx are not kept: try again with the same key.</li>
        <li>A key counts within your organization, for one method and path.</li>
      </ul>
    </Section>
  );
}

export type PlanRate = { plan: string; requestsPerMinute: number };

/** How many requests are answered, and how to ask cheaply. */
export function Limits({ rates }: { rates: PlanRate[] }) {
  const words = rates.map(
    ({ plan, requestsPerMinute }) => `${plan} ${requestsPerMinute.toLocaleString('en')}`,
  );
  return (
    <Section id="rate-limits" title="Rate limits and caching">
      <p>
        Requests are counted per organization and minute: {words.join(', ')}. Every answer says where you are:
      </p>
      <CodePanel
        text={'RateLimit-Policy: "default";q=120;w=60\nRateLimit: "default";r=117;t=42'}
        label="Copy the headers"
        className="rounded-md border border-line bg-sunken"
      />
      <p>
        <code>q</code> requests in <code>w</code> seconds are allowed; <code>r</code> are left for the next{' '}
        <code>t</code> seconds. Above that the answer is 429 <code>RATE_LIMITED</code> with{' '}
        <code>Retry-After</code> in seconds. The public status page is counted per client address instead.
      </p>
      <p>
        Answers to GET carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>: while nothing
        has changed, the answer is 304 without a body.
      </p>
    </Section>
  );
}

/** What one may rely on everywhere. */
export function Conventions() {
  return (
    <Section id="conventions" title="Conventions">
      <dl>
        <dt>Versions</dt>
        <dd>
          This is version 1; answers say <code>X-Api-Version: 1</code>. It only grows: fields, values and
          paths may be added, so ignore what you do not know, and none is removed or changes its meaning.
        </dd>
        <dt>Bodies</dt>
        <dd>
          JSON, sent as <code>application/json</code>. An unknown key is 400 and named, so that a slip of the
          pen is not ignored.
        </dd>
        <dt>PUT</dt>
        <dd>
          Changes the fields that are sent and leaves the others. Read-only fields of the object are accepted
          and ignored: GET, change, PUT of the whole object works. <code>{'{}'}</code> changes nothing.
        </dd>
        <dt>Absent values</dt>
        <dd>
          Are <code>null</code>; the key is there nevertheless.
        </dd>
        <dt>Dates</dt>
        <dd>
          ISO 8601, in UTC, with milliseconds: <code>2027-03-14T09:26:53.589Z</code>.
        </dd>
        <dt>Ids</dt>
        <dd>
          Begin with what they are of: <code>mon_</code>, <code>sp_</code>, <code>inc_</code>,{' '}
          <code>whk_</code>, <code>del_</code>, <code>att_</code>, <code>key_</code>, <code>org_</code>. The
          rest is opaque. They sort by the time they were made.
        </dd>
        <dt>Request ids</dt>
        <dd>
          Every answer carries <code>X-Request-Id</code>; the operator finds it in the log.
        </dd>
      </dl>
    </Section>
  );
}
