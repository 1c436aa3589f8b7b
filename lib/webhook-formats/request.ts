/** The credentials of an endpoint by their names. */
export type FormatCredentials = Readonly<Record<string, string | undefined>>;

/** A request to a product; `headers` are those besides the ones of every delivery. */
export type ProductRequest = {
  method: 'POST' | 'PATCH';
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** A stored body, the endpoint that it is for, and the payload of its event in our own format. */
export type StoredBody = {
  url: string;
  body: string;
  event: string;
  /** What belongs together has the same; null: nothing. */
  messageKey: string | null;
};

/** A JSON body with more fields, after its own. */
export function withFields(body: string, fields: object): string {
  return JSON.stringify({ ...JSON.parse(body), ...fields });
}
