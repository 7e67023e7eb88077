/** The service's response, before faults on the way. */
export interface Served {
  status: number;
  requestId: string;
  replayed: boolean;
  contentType: string | null;
  text: string;
}

/** An account of the service with one of its API keys. */
export interface ServiceAccount {
  /** The service's own id, the same for all keys. */
  id: string;
  apiKey: string;
  /** Webhook deliveries that can be replayed, and one that is still in progress. */
  deliveries: string[];
  pendingDelivery: string;
}

/** How much was executed for an account, by the service's own books. */
export interface Executed {
  withdrawals: number;
  deposit_addresses: number;
  charges: number;
  webhook_replays: number;
}

type Soon<T> = T | Promise<T>;

/** The payment service at the wire; it uses the simulation's clock. */
export interface SimulatedService {
  open: (withDeliveries: boolean) => Soon<ServiceAccount>;
  /** Creates another API key for the account. */
  addKey: (account: ServiceAccount) => Soon<ServiceAccount>;
  /** `key`: the Idempotency-Key; null to send none. */
  post: (apiKey: string, path: string, key: string | null, body: string) => Soon<Served>;
  /** `target`: path and query. */
  get: (apiKey: string, target: string) => Soon<Served>;
  executed: (account: ServiceAccount) => Soon<Executed>;
}
