import type { HttpBindings } from '@hono/node-server';

/** For handlers that read or write on Node's own request and response. */
export interface Bindings {
  Bindings: HttpBindings;
  /** `person`: the id of the signed-in person, set once a session was found; null in key mode. */
  Variables: { person?: string | null };
}
