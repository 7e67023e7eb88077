import type { NoAnswer, ServiceAnswer } from '#src/shared/answers.ts';

export interface Answer extends ServiceAnswer {
  /** Kind of a refusal by the gateway itself: session, account, read-only, not-allowed, upstream. */
  gatewayError: string | null;
}

export type Attempt = Answer | NoAnswer;
