import type { NoAnswer, ServiceAnswer } from '#src/shared/answers.ts';

/** A response as the browser got it: from the service through the gateway, or from the gateway itself. */
export interface GatewayAnswer extends ServiceAnswer {
  /** Set when the gateway itself refused: session, account, read-only, not-allowed, not-ready, upstream. */
  gatewayError: string | null;
  /** Only sent by the dashboard's own server. */
  etag?: string | null;
}

export type GatewayAttempt = GatewayAnswer | NoAnswer;
