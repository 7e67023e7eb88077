import type { HttpBindings } from '@hono/node-server';

/** For handlers that read or write on Node's own request and response. */
export interface Bindings {
  Bindings: HttpBindings;
}
