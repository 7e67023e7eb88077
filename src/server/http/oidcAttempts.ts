import * as v from 'valibot';
import { decrypt, encrypt } from '#src/server/people/encryption.ts';
import { parseJson } from '#src/shared/answers.ts';
import { type OidcResult, oidcResultSchema } from '#src/shared/contract/peopleContract.ts';
import type { Cookies } from './requestSession.ts';

const LIFETIME_MS = 10 * 60 * 1_000;
const ATTEMPTS_MAX = 5;
/** Maximum used states to remember; beyond it the oldest are forgotten. */
const USED_MAX = 10_000;
/** Length of the id in a cookie's name. */
const ID_CHARACTERS = 16;
const RESULT = 'result';

const attemptSchema = v.strictObject({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  startedAt: v.number(),
  /** The path to return to. */
  next: v.string(),
  /** The invite to join with, the name that the person typed, and that of another person who was signed in in this browser. */
  invite: v.nullable(
    v.object({ token: v.string(), name: v.string(), beside: v.optional(v.nullable(v.string()), null) }),
  ),
});
export type OidcAttempt = v.InferOutput<typeof attemptSchema>;

const storedResultSchema = v.strictObject({ at: v.number(), result: oidcResultSchema });

/**
 * Sign-ins at the identity provider that are under way in a browser, each in an encrypted cookie, so that the server stores
 * nothing for people who haven't signed in yet. `key`: derivedKey(secret, 'oidc'); `wall`: the server's clock, ms.
 */
export function createOidcAttempts(cookies: Cookies, key: Uint8Array, wall: () => number) {
  const used = new Map<string, number>();
  const idOf = (state: string) => state.slice(0, ID_CHARACTERS);

  function read<S extends v.GenericSchema>(schema: S, id: string, value: string): v.InferOutput<S> | null {
    const parsed = v.safeParse(schema, parseJson(decrypt(value, { key, context: id }) ?? ''));
    return parsed.success ? parsed.output : null;
  }

  function isYoung(at: number): boolean {
    return Math.abs(wall() - at) < LIFETIME_MS;
  }

  function cookie(header: string | undefined, id: string, content: object): string {
    const value = encrypt(JSON.stringify(content), { key, context: id });
    return cookies.setOidc(cookies.nameFor(header), id, value, LIFETIME_MS / 1_000);
  }

  return {
    /** Set-Cookie lines that begin a new attempt, and end the oldest one if there are too many. */
    begin(header: string | undefined, attempt: OidcAttempt): string[] {
      const before = cookies.oidc(header).map(({ id, name, value }) => {
        const one = read(attemptSchema, id, value);
        return { name, startedAt: one !== null && isYoung(one.startedAt) ? one.startedAt : 0 };
      });
      const newestFirst = before.toSorted((a, b) => b.startedAt - a.startedAt);
      const ended = newestFirst.filter(({ startedAt }, at) => startedAt === 0 || at >= ATTEMPTS_MAX - 1);
      return [...ended.map(({ name }) => cookies.clearOidc(name)), cookie(header, idOf(attempt.state), attempt)];
    },

    /**
     * This browser's attempt with this state, and the Set-Cookie lines that end it; null if the browser has no such attempt.
     * A state works only once.
     */
    take(header: string | undefined, state: string): { attempt: OidcAttempt; lines: string[] } | null {
      // Forget states that are too old, which are first in the map: their attempts are refused for their age anyway.
      for (const [one, at] of used) {
        if (isYoung(at)) break;
        used.delete(one);
      }
      const own = cookies.oidc(header).filter(({ id }) => id === idOf(state));
      for (const { id, value } of own) {
        const attempt = read(attemptSchema, id, value);
        if (attempt === null || !isYoung(attempt.startedAt) || used.has(attempt.state)) continue;
        used.set(attempt.state, attempt.startedAt);
        // Forgets the oldest instead of refusing: a flood must not block sign-ins.
        const [oldest] = used.keys();
        if (used.size > USED_MAX && oldest !== undefined) used.delete(oldest);
        return { attempt, lines: own.map(({ name }) => cookies.clearOidc(name)) };
      }
      return null;
    },

    /** The Set-Cookie line with the result for the next page to show. */
    setResult: (header: string | undefined, result: OidcResult): string =>
      cookie(header, RESULT, { at: wall(), result }),

    /** The result of the last attempt, and the Set-Cookie lines that delete it; null without one. */
    result(header: string | undefined): { result: OidcResult; forget: string[] } | null {
      for (const { id, value, name } of cookies.oidc(header)) {
        const stored = id === RESULT ? read(storedResultSchema, id, value) : null;
        if (stored !== null && isYoung(stored.at)) return { result: stored.result, forget: [cookies.clearOidc(name)] };
      }
      return null;
    },
  };
}
