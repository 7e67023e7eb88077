declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface KoaContext {
    path: string;
    body: unknown;
    oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider };
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  /** The part that tests use: the package has no types. */
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: new (of: { clientId: string; accountId: string }) => Grant;
    use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
