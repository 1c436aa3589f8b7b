import type { Translator } from '../translator';

/** The signing secret of a webhook, shown once. Nothing without one. */
export function SigningSecret({ secret, t }: { secret: string | null; t: Translator }) {
  if (secret === null) return null;
  const { endpoint } = t.messages.subscription;
  return (
    <div className="secret" role="status">
      <h3>{endpoint.secret}</h3>
      <p>
        <code>{secret}</code>
      </p>
      <p>{endpoint.once}</p>
    </div>
  );
}
