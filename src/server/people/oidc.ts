import * as client from 'openid-client';

// OpenID Connect (https://openid.net/specs/openid-connect-core-1_0.html). The provider only proves who signs in; roles are
// our own.

/** How long the provider's metadata (its endpoint addresses) is cached. */
const METADATA_MS = 60 * 60 * 1_000;
const TIMEOUT_SECONDS = 10;
/** How far the clocks of provider and server may differ. */
const TOLERANCE_SECONDS = 60;
/** Error codes for no answer in time, or an answer from a proxy. */
const AWAY = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

export interface OidcSettings {
  /** The provider's URL. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Values that tie the provider's answer to one sign-in attempt. */
export interface OidcChecks {
  state: string;
  nonce: string;
  verifier: string;
  /** When the attempt began, in ms. */
  startedAt: number;
}

type OidcFault = 'provider_away' | 'cancelled' | 'refused';

export type OidcProvider = ReturnType<typeof createOidcProvider>;

/** `wall`: the server's clock, ms. The provider is first contacted when somebody signs in. */
export function createOidcProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  { redirectUri, wall }: { redirectUri: string; wall: () => number },
) {
  let loaded: { at: number; config: Promise<client.Configuration> } | null = null;

  function configuration(): Promise<client.Configuration> {
    if (loaded !== null && wall() - loaded.at < METADATA_MS) return loaded.config;
    const loading = { at: wall(), config: discover() };
    loaded = loading;
    // After a failure, the next sign-in loads it again.
    loading.config.catch(() => {
      if (loaded === loading) loaded = null;
    });
    return loading.config;
  }

  async function discover(): Promise<client.Configuration> {
    const isHttp = new URL(issuer).protocol === 'http:';
    const config = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: TOLERANCE_SECONDS },
      authentication(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; only for a provider on this machine
        execute: isHttp ? [client.allowInsecureRequests] : [],
      },
    );
    // Verify the ID token's signature with the provider's public key, which excludes HS256. By default the library relies on
    // TLS alone.
    client.enableNonRepudiationChecks(config);
    return config;
  }

  return {
    issuer,
    host: new URL(issuer).host,

    /** The URL to send the browser to, and the values to check the answer with; `why`: why the provider can't be reached. */
    async begin(): Promise<{ url: string; checks: OidcChecks } | { why: string }> {
      const config = await configuration().catch(reasonOf);
      if (typeof config === 'string') return { why: config };
      const verifier = client.randomPKCECodeVerifier();
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier, startedAt: wall() };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },

    /** Reads who signed in from the provider's answer, the query string of the redirect. Never throws. */
    async finish(search: string, checks: OidcChecks): Promise<{ subject: string } | { fault: OidcFault; why: string }> {
      try {
        const config = await configuration();
        const tokens = await client.authorizationCodeGrant(config, new URL(redirectUri + search), {
          pkceCodeVerifier: checks.verifier,
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return { fault: 'refused', why: 'no ID token' };
        // Some providers serve one metadata document for many issuers.
        const isOwn = claims.iss === config.serverMetadata().issuer;
        const why = isOwn ? faultIn(claims, checks) : 'the ID token’s iss';
        return why === null ? { subject: claims.sub } : { fault: 'refused', why };
      } catch (error) {
        return { fault: faultOf(error), why: reasonOf(error) };
      }
    },
  };

  /** Checks the claims that the library doesn't check: azp, and iat against the start of the sign-in. */
  function faultIn({ iat, azp }: client.IDToken, { startedAt }: OidcChecks): string | null {
    if (azp !== undefined && azp !== clientId) return 'the ID token’s azp';
    const [earliest, latest] = [startedAt / 1_000 - TOLERANCE_SECONDS, wall() / 1_000 + TOLERANCE_SECONDS];
    return iat < earliest || iat > latest ? 'the ID token’s iat' : null;
  }
}

/** Authenticates in the way that the provider supports; HTTP Basic is the standard's default. */
function authentication(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return (isBasic ? basic : post)(server, ...rest);
  };
}

function faultOf(error: unknown): OidcFault {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') return 'cancelled';
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) return 'refused';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // fetch() rejects with a TypeError that has no code.
  if (error instanceof TypeError && code === undefined) return 'provider_away';
  return AWAY.has(String(code)) ? 'provider_away' : 'refused';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
