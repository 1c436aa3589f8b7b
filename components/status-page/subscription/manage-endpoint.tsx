import type { Endpoint } from '@/lib/domain/subscribers/endpoints/endpoint-subscription';
import type { Translator } from '../translator';
import { SigningSecret } from './signing-secret';

type Props = { endpoint: Endpoint; secret: string | null; action: string; t: Translator };

/** Whether an endpoint works, and buttons that start it again and rotate its secret. */
export function ManageEndpoint({ endpoint: { channel, failingSince, stoppedAt }, secret, action, t }: Props) {
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
