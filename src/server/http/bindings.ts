import type { HttpBindings } from '@hono/node-server';

/** What Hono's handlers get beside the request: Node's own request and response. */
export interface Bindings {
  Bindings: HttpBindings;
}
