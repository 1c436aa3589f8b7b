import type { Services } from './services';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who acts: an API key, a signed-in user, the operator at the command line, or someone who reads the messages of an endpoint. */
export type Actor =
  | { kind: 'key'; keyId: string; scope: 'read' | 'write' }
  | {
      kind: 'user';
      userId: string;
      role: Role;
      /** The person has a second factor, and did not use it in this session recently. */
      isFactorStale?: boolean;
    }
  | { kind: 'operator' }
  | { kind: 'endpoint'; webhookId: string; readers: string };

/** The version of a resource that a change was made for, null if it must not exist, and the error if it is not the current one. */
export type ExpectedVersion = { version: number | null; code: 'CONFLICT' | 'PRECONDITION_FAILED' };

/** The context of every verb on an organization's resources. */
export type OrganizationContext = Services & {
  organizationId: string;
  actor: Actor;
  /** The IP address of the request, for the audit log; none at the command line. */
  address?: string | null;
  /** The base URL of the service as its caller uses it, for links where APP_URL is unknown; none at the command line. */
  baseUrl?: string;
  /** The versions that the resource to change must have. */
  expected?: readonly ExpectedVersion[];
};
