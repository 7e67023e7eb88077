// Test support: an authenticator in software, with one passkey each.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Answering {
  /** base64url, as in the options. */
  challenge: string;
  origin: string;
  rpId: string;
  type?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  isPresent?: boolean;
  isVerified?: boolean;
  /** The signature counter that the passkey reports. */
  counter?: number;
  /** The attestation format of a registration. Any format but the default 'none' comes with certificates. */
  format?: string;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The subset of CBOR (RFC 8949) that an attestation needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number): Buffer => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384';

function keyPairOf(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: algorithm === 'ES384' ? 'P-384' : 'P-256' });
}

/** COSE (RFC 9053): key type, algorithm, and the parameters of that type. */
function coseKeyOf(algorithm: Algorithm, publicKey: KeyObject): Buffer {
  const { x = '', y = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const [decodedX, decodedY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const ellipticKey = (id: number, curve: number): [number, Cbor][] => [
    [1, 2],
    [3, id],
    [-1, curve],
    [-2, decodedX],
    [-3, decodedY],
  ];
  const keys: Record<Algorithm, [number, Cbor][]> = {
    ES256: ellipticKey(-7, 1),
    ES384: ellipticKey(-35, 2),
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, decodedX],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, Buffer.from(n, 'base64url')],
      [-2, Buffer.from(e, 'base64url')],
    ],
  };
  return cbor(new Map<number | string, Cbor>(keys[algorithm]));
}

export function createAuthenticator(algorithm: Algorithm = 'ES256') {
  const id = randomBytes(32);
  const { privateKey, publicKey } = keyPairOf(algorithm);
  const coseKey = coseKeyOf(algorithm, publicKey);
  const hash = { ES256: 'sha256', RS256: 'sha256', ES384: 'sha384', EdDSA: null }[algorithm];

  function authenticatorData(
    { rpId, isPresent = true, isVerified = true, counter = 0 }: Answering,
    attested: Buffer | null,
  ): Buffer {
    const signCount = Buffer.alloc(4);
    signCount.writeUInt32BE(counter);
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (attested ? 64 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), signCount, attested ?? Buffer.alloc(0)]);
  }

  function clientData(type: string, answering: Answering): Buffer {
    const { challenge, origin, crossOrigin = false, topOrigin } = answering;
    return Buffer.from(
      JSON.stringify({ type: answering.type ?? type, challenge, origin, crossOrigin, ...(topOrigin && { topOrigin }) }),
    );
  }

  const credential = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id: id.toString('base64url'),
    publicKey: coseKey.toString('base64url'),
    /** PKCS #8 in DER. Chromium's virtual authenticator takes it in base64. */
    exportPrivateKey: (): Buffer => privateKey.export({ type: 'pkcs8', format: 'der' }),

    /** As navigator.credentials.create() answers, in JSON. */
    register(answering: Answering): Record<string, unknown> {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const attestation = new Map<number | string, Cbor>([
        ['fmt', answering.format ?? 'none'],
        ['attStmt', new Map<string, Cbor>(answering.format === undefined ? [] : [['x5c', Buffer.from('certificate')]])],
        ['authData', authenticatorData(answering, attested)],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', answering).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },

    /** As navigator.credentials.get() answers, in JSON. */
    sign(answering: Answering): Record<string, unknown> {
      const data = authenticatorData(answering, null);
      const client = clientData('webauthn.get', answering);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign(hash, Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      });
    },
  };
}
